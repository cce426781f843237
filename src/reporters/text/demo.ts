import type { DemoRow } from "../../analysis/demo-rows.ts";
import type { Results } from "../../analysis/results.ts";
import { stateOf } from "../../analysis/trial-summary.ts";
import { reaches } from "../../leaderboards/leaderboard.ts";
import { plural } from "../../wording/counts.ts";
import { median } from "../html/numbers.ts";
import { circumstanceText, isolationMark, isolationNotes } from "./circumstances.ts";
import type { Paint } from "./grade.ts";
import { fieldSentence } from "./method-notes.ts";
import { textTable } from "./table.ts";

const PREFIX = "starter-";
const MEDALS = ["gold", "silver", "bronze"] as const;
const STYLES = { gold: "yellow", silver: "white", bronze: "red" } as const;

/** The table of a demo, for 80 columns, with what its medals are worth below it. */
export function demoLines(results: Results, rows: readonly DemoRow[], paint: Paint): string[] {
  const names = results.agents.map(({ name }) => name);
  const shared = rows.every(({ competitionId }) => competitionId.startsWith(PREFIX));
  const titles = [
    shared ? `${PREFIX}…` : "competition",
    "metric",
    ...names,
    "best rung",
    "medal",
    "pctl",
    "sec",
  ];
  const cells = rows.map((row) => [
    shared ? row.competitionId.slice(PREFIX.length) : row.competitionId,
    shortMetric(row.metric, row.lowerIsBetter),
    ...names.map((name) => scoreText(row.scores[name])),
    row.bestRung === null ? "–" : scoreText(row.bestRung),
    medalText(row, paint),
    row.percentile === null ? "–" : row.percentile.toFixed(0),
    row.seconds === null ? "–" : row.seconds.toFixed(0),
  ]);
  const last = names.length + 2;
  const numbers = [...names.map((_, i) => i + 2), last, last + 2, last + 3];
  return [
    ...textTable([titles.map((title) => paint("dim", title)), ...cells], numbers),
    "",
    ...medalLines(results, rows, paint),
    "",
    ...circumstanceLines(results),
    "",
    ...deviationLines(results),
  ];
}

/** As people abbreviate them; any other name is cut. */
const SHORT: Record<string, string> = {
  "quadratic-weighted-kappa": "kappa",
  "mean-absolute-error": "MAE",
  "root-mean-squared-error": "RMSE",
  "root-mean-squared-logarithmic-error": "RMSLE",
  "phoneme-edit-distance": "edit dist.",
  "dice-coefficient": "dice",
  "macro-f1-score": "macro-f1",
  "micro-f1-score": "micro-f1",
};
const MAX_METRIC = 10;

/** At most ten characters, and an arrow that points to better scores. */
export function shortMetric(metric: string | null, lowerIsBetter: boolean | null): string {
  if (metric === null) return "–";
  const name = SHORT[metric] ?? metric;
  const cut = name.length > MAX_METRIC ? `${name.slice(0, MAX_METRIC - 1)}…` : name;
  return lowerIsBetter === null ? cut : `${cut} ${lowerIsBetter ? "↓" : "↑"}`;
}

function scoreText(score: number | null): string {
  return score === null ? "none" : String(Number(score.toPrecision(4)));
}

function medalText({ state, field }: DemoRow, paint: Paint): string {
  if (state === "gold" || state === "silver" || state === "bronze") return paint(STYLES[state], state);
  if (state === "invalid") return paint("red", "invalid");
  if (state === "no-submission") return paint("red", "no file");
  if (state === "ungraded" || state === "missing") return paint("red", "ungraded");
  return field === null ? "no board" : "–";
}

function medalLines(results: Results, rows: readonly DemoRow[], paint: Paint): string[] {
  if (rows.every(({ field }) => field === null)) return [fieldSentence(results)];
  const last = results.agents.at(-1)!.name;
  const lines = results.agents.map(({ name, rows: cells, circumstances }) => {
    const states = cells.map(([record]) => stateOf(record ?? null));
    const counts = MEDALS.map((medal) => ({
      medal,
      count: states.filter((state) => state === medal).length,
    }));
    const won = counts.reduce((sum, { count }) => sum + count, 0);
    const which = counts.filter(({ count }) => count > 0).map(({ medal, count }) => `${count} ${medal}`);
    const kinds = won === 0 ? "" : `: ${which.join(", ")}`;
    return `${paint("bold", name)}${isolationMark(circumstances)}: ${plural(won, "medal")} in ${plural(states.length, "competition")}${kinds}`;
  });
  const percentiles = rows.flatMap(({ percentile }) => percentile ?? []);
  const middle =
    percentiles.length === 0 ? "" : `; its median percentile is ${median(percentiles).toFixed(0)}`;
  return [
    ...lines,
    `Medal, percentile and seconds are ${last}'s${middle}.`,
    ...rungLines(rows, last),
    ...cutLines(rows, last),
    fieldSentence(results),
  ];
}

/** A medal says who was beaten; the best rung says what could be had. */
function rungLines(rows: readonly DemoRow[], agent: string): string[] {
  const known = rows.filter(({ bestRung, scores }) => bestRung !== null && scores[agent] !== null);
  if (known.length === 0) return [];
  const reached = known.filter(({ bestRung, scores, lowerIsBetter }) =>
    reaches(scores[agent]!, bestRung!, lowerIsBetter === true),
  );
  return [`${agent} is as good as the best rung in ${reached.length} of ${known.length} (docs/starter.md).`];
}

/** A busy machine costs medals, and nobody should wonder why. */
function cutLines(rows: readonly DemoRow[], agent: string): string[] {
  const cut = rows.filter((row) => row.cut).length;
  if (cut === 0) return [];
  return [`The clock cut ${agent} short in ${cut} of ${rows.length}: on a quieter machine it gets further.`];
}

/** What the medals were won in, which is the same for both agents unless their trials differ. */
function circumstanceLines({ agents }: Results): string[] {
  const lines = new Set(agents.map(({ circumstances }) => circumstanceText(circumstances)));
  const own = agents.map(({ name, circumstances }) => `${name}: ${circumstanceText(circumstances)}`);
  const notes = isolationNotes(agents.map(({ circumstances }) => circumstances));
  return [...(lines.size === 1 ? lines : own), ...notes].flatMap((line) => folded(line));
}

/** For 80 columns. */
function folded(line: string): string[] {
  return line.length <= 80 ? [line] : line.split("; ").map((part, i) => (i === 0 ? part : `  ${part}`));
}

/** Both agents are run alike, so the last one's set-up is everybody's. */
function deviationLines({ agents }: Results): string[] {
  const deviations = agents.at(-1)?.deviations ?? [];
  if (deviations.length === 0) return ["No deviations from the canonical set-up."];
  return ["Deviations from the canonical set-up:", ...deviations.map((text) => `  ${text}`)];
}
