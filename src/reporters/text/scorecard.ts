import { spendingText } from "../../analysis/model-spending.ts";
import type { Scorecard, SeedCard } from "../../analysis/scorecard/scorecard.ts";
import type { ScoredUnit } from "../../analysis/scorecard/unit.ts";
import { durationText } from "../../wording/durations.ts";
import type { Paint } from "./grade.ts";
import { deviationText } from "./insights.ts";
import { textTable } from "./table.ts";

const BANDS = { low: "red", developing: "yellow", competitive: "green", top: "green" } as const;

/** A scorecard with its formulas and every figure that went into them, so that it can be redone by hand. */
export function scorecardLines(card: Scorecard, paint: Paint): string[] {
  const { agent, overall, band, seeds, formulas, formulasVersion } = card;
  const lines = [
    `${paint("bold", agent)}: ${paint("bold", overall.toFixed(2))} of 100, ${paint(BANDS[band], band)}`,
    scopeText(card),
    ...(card.models === null ? [] : [`models: ${spendingText(card.models)}`]),
  ];
  for (const seed of seeds) lines.push("", ...seedLines(seed, paint));
  lines.push("", deviationText(card.deviations));
  lines.push("", paint("dim", `formulas (${formulasVersion})`));
  for (const [name, formula] of Object.entries(formulas)) lines.push(`  ${name.padEnd(17)}${formula}`);
  return lines;
}

/** On what a scorecard was measured. */
export function scopeText({ competitionIds, tasks, seeds, request, models }: Scorecard): string {
  const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? "" : "s"}`;
  const mean = seeds.length === 1 ? `seed ${seeds[0].seed}` : `mean of ${count(seeds.length, "seed")}`;
  const { replay, qualityMap, strictArtifacts } = request.scoring;
  const strict = strictArtifacts ? ", strict artifacts" : "";
  return `${count(competitionIds.length, "task")}, ${tasks}; ${mean}; replay ${replay}, quality by ${qualityMap}${strict}${models?.languageModels === false ? "; not a language model's result" : ""}`;
}

function seedLines(
  { seed, units, dimensions, artifactValidity, overall, band, caps }: SeedCard,
  paint: Paint,
): string[] {
  const { quality, efficiency, reproducibility, operations } = dimensions;
  const header = ["task", "quality", "effic.", "reprod.", "oper.", "overall", "artifacts"];
  const rows = [header.map((title) => paint("dim", title)), ...units.map(dimensionCells)];
  return [
    `seed ${seed}: ${paint("bold", overall.toFixed(2))} ${paint(BANDS[band], band)}${caps.length > 0 ? ", with caps" : ""}; artifact validity ${artifactValidity}`,
    `  0.55·${quality} + 0.15·${efficiency} + 0.15·${reproducibility} + 0.15·${operations}`,
    ...textTable(rows, [1, 2, 3, 4, 5, 6]),
    ...caps.map((cap) => `  ${paint("yellow", "cap")}  ${cap}`),
    ...units.flatMap((unit) => unitLines(unit, paint)),
  ];
}

export function dimensionCells(unit: ScoredUnit): string[] {
  const { quality, efficiency, reproducibility, operations } = unit.dimensions;
  const figures = [quality, efficiency, reproducibility, operations, unit.overall, unit.artifactValidity];
  return [unit.competitionId, ...figures.map((value) => value.toFixed(2))];
}

/** What went into the formulas, by the names they use. */
export function inputsOf(unit: ScoredUnit): [name: string, value: string][] {
  return [
    ["V", String(unit.V)],
    ["P", unit.percentile === null ? "–" : unit.percentile.toFixed(4)],
    ["m", String(unit.m)],
    ["r", String(unit.r)],
    ["x", unit.x.toFixed(5)],
    ["y", unit.y.toFixed(5)],
    ["S", String(unit.S)],
    ["E", unit.E.toFixed(2)],
    ["R", unit.R === null ? "–" : String(unit.R)],
    ["O1–O5", unit.O.map((value) => Number(value.toFixed(2))).join("/")],
  ];
}

/** The inputs, measured beside reported, then everything else a reader should know. */
function unitLines(unit: ScoredUnit, paint: Paint): string[] {
  const inputs = inputsOf(unit).map(([name, value]) => `${paint("dim", name)} ${value}`);
  return [
    `  ${paint("bold", unit.competitionId)}`,
    `    ${inputs.join("  ")}`,
    ...noteTexts(unit).map((note) => `    ${note}`),
  ];
}

export function noteTexts({ measured, reported, flags, budgets, replay }: ScoredUnit): string[] {
  const figure = (value: number | null, unit: string) =>
    value === null ? "–" : `${Number(value.toFixed(1))} ${unit}`;
  const row = (name: string, key: "runtimeSeconds" | "memoryMb", unit: string) =>
    `${name} ${figure(measured[key], unit)} measured, ${figure(reported[key], unit)} reported, ${budgets[key]} ${unit} budget`;
  return [
    row("time", "runtimeSeconds", "s"),
    row("memory", "memoryMb", "MiB"),
    ...(replay === null ? [] : replayTexts(replay)),
    ...flags,
  ];
}

/** The command is the agent's own text: what it holds must not reach a terminal. */
function replayTexts(replay: NonNullable<ScoredUnit["replay"]>): string[] {
  const { verdict, message, command, sandbox, seconds, deviations } = replay;
  const why = message === null ? "" : `: ${message}`;
  const where =
    sandbox === null
      ? ""
      : ` (${[sandbox, ...(seconds === null ? [] : [durationText(seconds)])].join(", ")})`;
  const plain = command.join(" ").replace(/\p{Cc}/gu, " ");
  return [
    `replay ${verdict}${where}${why}`,
    `replay of ${plain.length > 100 ? `${plain.slice(0, 100)}…` : plain}`,
    ...deviations.map((deviation) => `replay deviates: ${deviation}`),
  ];
}
