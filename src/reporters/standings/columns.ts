import { rangeText } from "../../analysis/aggregate/canonical-setup.ts";
import type { MeanAndError, StandingsRow } from "../../analysis/standings/schema.ts";
import { plural } from "../../wording/counts.ts";

export interface Column {
  title: string;
  text(row: StandingsRow): string;
  /** A column of numbers. */
  right?: boolean;
  /** Sentences, which need room to break. */
  wide?: boolean;
}

const UNKNOWN = "–";
/** Beside the name of whoever could have read the answers. */
const MARK = " (NOT isolated)";
/** Beside whatever a simulated, scripted or echoing model did. */
const NOT_A_MODEL = " (no LLM)";

function marksOf({ unisolated, languageModels }: StandingsRow): string {
  return `${unisolated ? MARK : ""}${languageModels === false ? NOT_A_MODEL : ""}`;
}

/** Every column that users ask for, in the order of the published table. */
export const COLUMNS: readonly Column[] = [
  { title: "Agent", text: (row) => `${row.agent}${marksOf(row)}` },
  { title: "Models", text: ({ models }) => models ?? UNKNOWN, wide: true },
  { title: "Low (%)", text: ({ low }) => rateText(low), right: true },
  { title: "Medium (%)", text: ({ medium }) => rateText(medium), right: true },
  { title: "High (%)", text: ({ high }) => rateText(high), right: true },
  { title: "All (%)", text: ({ all }) => rateText(all), right: true },
  { title: "Hours", text: ({ hours }) => (hours.length > 0 ? rangeText(hours) : UNKNOWN), right: true },
  { title: "Hardware", text: ({ hardware }) => hardware ?? UNKNOWN },
  { title: "Seeds", text: ({ seeds }) => (seeds === null ? UNKNOWN : String(seeds)), right: true },
  { title: "Date", text: ({ date }) => date ?? UNKNOWN },
  { title: "Trust", text: ({ trust }) => trust },
  { title: "Isolation", text: ({ isolation }) => isolation ?? UNKNOWN, wide: true },
  { title: "Internet", text: ({ internet }) => answerText(internet) },
  { title: "External knowledge", text: ({ externalKnowledge }) => answerText(externalKnowledge) },
  { title: "Test-set feedback", text: ({ testSetFeedback }) => answerText(testSetFeedback) },
  { title: "Artefacts", text: ({ artefacts }) => answerText(artefacts) },
  { title: "Version", text: ({ competitionVersion }) => competitionVersion ?? UNKNOWN },
  { title: "Source available", text: ({ sourceAvailable }) => answerText(sourceAvailable) },
  {
    title: "Grading reports available",
    text: ({ gradingReportsAvailable }) => answerText(gradingReportsAvailable),
  },
  {
    title: "Source",
    text: ({ published, source }) => source ?? (published ? "published leaderboard" : UNKNOWN),
  },
  { title: "Deviations", text: ({ deviations }) => deviations.join("; ") || "none", wide: true },
  { title: "Notes", text: (row) => notesOf(row).join("; ") || UNKNOWN, wide: true },
];

/** As many of these as there is room for; the first and the last one are always there. */
const FIRST = [
  ["Agent", "Low (%)", "Medium (%)", "High (%)", "All (%)"],
  ["Agent", "Low (%)", "All (%)"],
  ["Agent", "All (%)"],
];
/** What is shown as long as there is room, the most useful first. */
const FURTHER = ["Trust", "Hours", "Seeds", "Date", "Models"];
const SHORTEST_AGENT = 14;
const GAP = 2;

/** The columns that a terminal has room for, in the table's order, and the titles of the others. */
export function terminalColumns(
  rows: readonly StandingsRow[],
  width: number,
): { columns: Column[]; hidden: string[] } {
  const widthOf = ({ title, text }: Column) =>
    GAP + rows.reduce((most, row) => Math.max(most, text(row).length), title.length);
  const known = new Map(COLUMNS.map((column) => [column.title, column]));
  /** What is left for the agents' names, beside the columns of a set. */
  const roomIn = ([, ...others]: readonly string[]) =>
    others.reduce((room, title) => room - widthOf(known.get(title)!), width);
  const needed = rows.reduce(
    (most, row) => Math.max(most, Math.min(row.agent.length, SHORTEST_AGENT) + marksOf(row).length),
    0,
  );
  const set = FIRST.find((titles) => roomIn(titles) >= needed) ?? FIRST[FIRST.length - 1];
  const room = roomIn(set);
  const chosen = set.map((title) => known.get(title)!);
  // A mark is never what is cut off.
  chosen[0] = {
    ...chosen[0],
    text: (row) =>
      `${shortened(row.agent, Math.max(SHORTEST_AGENT, room - marksOf(row).length))}${marksOf(row)}`,
  };
  let used = chosen.reduce((sum, column) => sum + widthOf(column), -GAP);
  for (const title of FURTHER) {
    const column = known.get(title)!;
    if (used + widthOf(column) > width) continue;
    used += widthOf(column);
    chosen.push(column);
  }
  const place = new Map(COLUMNS.map(({ title }, i) => [title, i]));
  chosen.sort((a, b) => place.get(a.title)! - place.get(b.title)!);
  const shown = new Set(chosen.map(({ title }) => title));
  return { columns: chosen, hidden: COLUMNS.flatMap(({ title }) => (shown.has(title) ? [] : [title])) };
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

function rateText(rate: MeanAndError | null): string {
  return rate === null ? UNKNOWN : `${rate.mean.toFixed(2)} ± ${rate.sem.toFixed(2)}`;
}

function answerText(answer: boolean | string | null): string {
  if (answer === null) return UNKNOWN;
  return typeof answer === "string" ? answer : answer ? "yes" : "no";
}

/** The row's own notes, and what its numbers cannot say. */
export function notesOf({ notes, covered, all, comparable, trust }: StandingsRow): string[] {
  return [
    ...(comparable ? [] : [trust === "broken" ? "its record is broken" : "not comparable"]),
    ...notes,
    ...(covered !== null && all === null
      ? [`any medal over its own ${plural(covered.competitions, "competition")}: ${rateText(covered)}`]
      : []),
  ];
}
