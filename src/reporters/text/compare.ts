import type { ComparedCompetition } from "../../analysis/compare/by-competition.ts";
import type { Comparison } from "../../analysis/compare/compare.ts";
import type { Difference } from "../../analysis/compare/difference.ts";
import { MIN_TESTED } from "../../analysis/compare/paired-test.ts";
import { plural } from "../../wording/counts.ts";
import { intervalText } from "./aggregate.ts";
import { fieldsText } from "./field.ts";
import type { Paint } from "./grade.ts";
import { textTable } from "./table.ts";

interface Names {
  a: string;
  b: string;
}

/** A comparison of two agents for a terminal. */
export function compareLines(result: Comparison, names: Names, paint: Paint): string[] {
  const { competitions, fields, wins, ties, losses } = result;
  const lines = [
    `${paint("bold", names.a)}${names.a === "A" ? "" : " (A)"} against ${paint("bold", names.b)}${names.b === "B" ? "" : " (B)"}: ${countsText(result)}`,
    ...(fields.length > 0 ? [`medals against: ${fieldsText(fields)}`] : []),
    "",
    ...differenceLines(result, paint),
    ...asFailedText(result),
    "",
    `A wins ${wins}, ties ${ties}, loses ${losses} of ${competitions} competitions`,
  ];
  const decided = result.byCompetition.filter(({ winner }) => winner !== "tie");
  if (decided.length > 0) {
    const table = decided.map((row) => competitionRow(row, names));
    const header = ["competition", "medals A / B", "percentile A / B", "mean score A / B", "better"];
    lines.push("", ...textTable([header.map((title) => paint("dim", title)), ...table]));
  }
  lines.push(...scoreLines(result.byCompetition), "", ...planText(result));
  return lines;
}

/** What was compared, and first of all what was not there to be compared. */
export function countsText(result: Comparison): string {
  const { competitions, seeds, missing, unpaired, pairs } = result;
  const all = `${competitions} ${competitions === 1 ? "competition" : "competitions"} × ${seeds} paired ${seeds === 1 ? "seed" : "seeds"}`;
  const without = missing.a + missing.b;
  const further = unpaired.a + unpaired.b;
  return [
    all,
    ...(without > 0
      ? [
          `missing ${missing.a} of A's ${missing.planned} runs and ${missing.b} of B's, so ${pairs} pairs are compared`,
        ]
      : []),
    ...(further > 0 ? [`${further} further runs have no partner (A ${unpaired.a}, B ${unpaired.b})`] : []),
  ].join("; ");
}

/** The other reading of missing runs; nothing is tested with runs that nobody ran. */
export function asFailedText({ countingMissingAsFailed: failed }: Comparison): string[] {
  if (failed === null) return [];
  const parts = [
    ...(failed.medalRate === null ? [] : [`medal rate ${failed.medalRate.toFixed(2)}`]),
    ...(failed.percentile === null ? [] : [`percentile ${failed.percentile.toFixed(2)}`]),
  ];
  if (parts.length === 0) return [];
  return [
    `If every missing run counted as failed, A − B would be: ${parts.join(", ")} (not tested: those runs were never made).`,
  ];
}

function differenceLines(result: Comparison, paint: Paint): string[] {
  const rows = [
    row("medal rate %", result.medalRate),
    row("percentile", result.percentile),
    row("pairs won − lost by score %", result.score),
  ].flatMap((one) => (one === null ? [] : [one]));
  if (rows.length === 0)
    return [
      result.pairs === 0
        ? "No pair of runs exists, so nothing can be compared."
        : "Which way these scores go is not known, so nothing can be compared: name the folder with the competitions (--competitions).",
    ];
  const header = ["A − B", "mean", "95 % over seeds", "95 % over competitions", "p", "p (Holm)", ""];
  const tests = rows.length;
  const few = [result.medalRate, result.score].find((one) => one !== null && one.competitions < MIN_TESTED);
  return [
    ...textTable([header.map((title) => paint("dim", title)), ...rows], [1, 4, 5]),
    `tested, flipping whole competitions: ${result.hypothesis}; ${tests} ${tests === 1 ? "test" : "tests, corrected together after Holm"}`,
    ...(few
      ? [
          `with ${few.competitions} of them, chance alone puts one agent ahead in all of them in ${(100 * 2 ** (1 - few.competitions)).toFixed(0)} % of cases, so p decides nothing; from ${MIN_TESTED} on it can`,
        ]
      : []),
  ];
}

function row(name: string, difference: Difference | null): string[] | null {
  if (difference === null) return null;
  const { mean, overSeeds, overBoth, pValue, pHolm, verdict } = difference;
  return [
    ...[name, mean.toFixed(2), intervalText(overSeeds), intervalText(overBoth)],
    ...[pValue.toFixed(4), pHolm.toFixed(4), verdict],
  ];
}

function competitionRow({ competitionId, a, b, winner }: ComparedCompetition, names: Names): string[] {
  const percentile = (value: number | null) => (value === null ? "–" : value.toFixed(1));
  return [
    competitionId,
    `${a.medals} / ${b.medals}`,
    `${percentile(a.percentile)} / ${percentile(b.percentile)}`,
    `${scoreText(a.score)} / ${scoreText(b.score)}`,
    winner === "a" ? names.a : names.b,
  ];
}

/** About one competition without a board, its scores say more than a test over competitions can. */
function scoreLines(rows: readonly ComparedCompetition[]): string[] {
  const lines = rows.flatMap(({ competitionId, scoreDifference, direction }) => {
    if (scoreDifference === null) return [];
    const { mean, overSeeds } = scoreDifference;
    const interval = overSeeds
      ? `95 % over seeds ${scoreText(overSeeds.low)} to ${scoreText(overSeeds.high)}`
      : "no spread between seeds was seen";
    const way =
      direction === null
        ? "which way is better is not known"
        : direction === "minimize"
          ? "lower is better"
          : "higher is better";
    return [`${competitionId}, no board, by score: A − B = ${scoreText(mean)} (${interval}; ${way})`];
  });
  return lines.length > 0 ? ["", ...lines] : [];
}

/** Five significant digits: scores have any size. */
export function scoreText(score: number | null): string {
  return score === null ? "–" : String(Number(score.toPrecision(5)));
}

/** What it would take to find a difference this large, in sentences. */
export function planText({ plan, medalRate, seeds, competitions }: Comparison): string[] {
  if (medalRate === null) return ["planner: medals are not compared, so there is nothing to plan"];
  if (plan === null)
    return [
      seeds < 2
        ? "planner: needs at least 2 seeds"
        : "planner: no number of seeds separates equal medal rates",
    ];
  const here = plural(competitions, "competition");
  const bySeeds =
    plan.seeds !== null
      ? `${plural(plan.seeds, "seed")} on ${here}`
      : competitions < MIN_TESTED
        ? `more than ${here}, whatever the seeds (it can tell from ${MIN_TESTED} on)`
        : `more than ${here}, whatever the seeds`;
  const byCompetitions =
    plan.competitions === null
      ? "no number of competitions anybody could run is enough"
      : `${plural(plan.competitions, "competition")} with ${plural(seeds, "seed")}`;
  return [
    `planner: if medal rates truly differ this much, the test finds it in ${(100 * plan.power).toFixed(0)} % of such campaigns; for 80 % it takes ${bySeeds}, or ${byCompetitions}.`,
    medalRate.overSeeds === null
      ? "On these competitions alone every seed gave the same medals, so further seeds would tell nothing new."
      : plan.seedsHere === null
        ? "On these competitions alone, no number of seeds anybody could run would make the interval over seeds leave out zero."
        : `On these competitions alone, ${plural(plan.seedsHere, "seed")} would make the interval over seeds leave out zero (80 % power).`,
  ];
}
