import { rangeText } from "../analysis/canonical-setup.ts";
import type { MeanAndError, StandingsRow } from "../analysis/standings-schema.ts";

export interface Column {
  title: string;
  text(row: StandingsRow): string;
  /** A column of numbers. */
  right?: boolean;
  /** Sentences, which need room to break. */
  wide?: boolean;
}

const UNKNOWN = "–";

/** Every column that users ask for, in the order of the published table. */
export const COLUMNS: readonly Column[] = [
  { title: "Agent", text: ({ agent }) => agent },
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

/** What fits a terminal; the rest is said row by row. */
export const NARROW = new Set([
  "Agent",
  "Models",
  "Low (%)",
  "Medium (%)",
  "High (%)",
  "All (%)",
  "Hours",
  "Seeds",
  "Date",
  "Trust",
]);

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
      ? [`any medal over its own ${covered.competitions} competitions: ${rateText(covered)}`]
      : []),
  ];
}
