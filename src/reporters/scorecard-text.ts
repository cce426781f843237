import type { Scorecard, SeedCard } from "../analysis/scorecard.ts";
import type { ScoredUnit } from "../analysis/scorecard-unit.ts";
import type { Paint } from "./grade-text.ts";
import { textTable } from "./text-table.ts";

const BANDS = { low: "red", developing: "yellow", competitive: "green", top: "green" } as const;

/** A scorecard with its formulas and every figure that went into them, so that it can be redone by hand. */
export function scorecardLines(card: Scorecard, paint: Paint): string[] {
  const { agent, overall, band, seeds, competitionIds, tasks, formulas, formulasVersion } = card;
  const lines = [
    `${paint("bold", agent)}: ${paint("bold", overall.toFixed(2))} of 100, ${paint(BANDS[band], band)} (${competitionIds.length} tasks, ${tasks}; mean of ${seeds.length} ${seeds.length === 1 ? "seed" : "seeds"}; ${formulasVersion})`,
  ];
  for (const seed of seeds) lines.push("", ...seedLines(seed, paint));
  lines.push("", paint("dim", "formulas"));
  for (const [name, formula] of Object.entries(formulas)) lines.push(`  ${name.padEnd(16)}${formula}`);
  return lines;
}

function seedLines(
  { seed, units, dimensions, artifactValidity, overall, band, caps }: SeedCard,
  paint: Paint,
) {
  const { quality, efficiency, reproducibility, operations } = dimensions;
  const header = [
    "task",
    "V",
    "P",
    "m",
    "r",
    "x",
    "y",
    "S",
    "E",
    "R",
    "O1–O5",
    "quality",
    "effic.",
    "reprod.",
    "oper.",
    "overall",
  ];
  const rows = [header.map((title) => paint("dim", title)), ...units.map(unitRow)];
  return [
    `seed ${seed}: ${paint("bold", overall.toFixed(2))} ${paint(BANDS[band], band)} = 0.55·${quality} + 0.15·${efficiency} + 0.15·${reproducibility} + 0.15·${operations}${caps.length > 0 ? ", with caps" : ""}; artifact validity ${artifactValidity}`,
    ...textTable(rows, [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15]),
    ...caps.map((cap) => `  ${paint("yellow", "cap")}   ${cap}`),
    ...units.flatMap((unit) => noteLines(unit, paint)),
  ];
}

function unitRow(unit: ScoredUnit): string[] {
  const { quality, efficiency, reproducibility, operations } = unit.dimensions;
  return [
    unit.competitionId,
    String(unit.V),
    unit.percentile === null ? "–" : unit.percentile.toFixed(4),
    String(unit.m),
    String(unit.r),
    unit.x.toFixed(5),
    unit.y.toFixed(5),
    String(unit.S),
    unit.E.toFixed(2),
    unit.R === null ? "–" : String(unit.R),
    unit.O.map((value) => Number(value.toFixed(2))).join(" "),
    ...[quality, efficiency, reproducibility, operations, unit.overall].map((value) => value.toFixed(2)),
  ];
}

/** Measured beside reported, then everything else a reader should know. */
function noteLines(
  { competitionId, measured, reported, flags, budgets }: ScoredUnit,
  paint: Paint,
): string[] {
  const figure = (value: number | null, unit: string) =>
    value === null ? "–" : `${Number(value.toFixed(1))} ${unit}`;
  const lines = [
    `  ${paint("dim", competitionId)}  time ${figure(measured.runtimeSeconds, "s")} measured, ${figure(reported.runtimeSeconds, "s")} reported, ${budgets.runtimeSeconds} s budget; memory ${figure(measured.memoryMb, "MB")} measured, ${figure(reported.memoryMb, "MB")} reported, ${budgets.memoryMb} MB budget`,
  ];
  return [...lines, ...flags.map((flag) => `    ${flag}`)];
}
