import type { Results } from "../../analysis/results.ts";
import { fieldNames, fieldsText } from "./field.ts";

/** How the numbers of a report were made; below every one of them. */
export function methodNotes({ agents, competitions }: Results): string[] {
  const versions = new Set(
    agents.flatMap(({ rows }) => rows.flat().flatMap((record) => record?.grade?.competition_version ?? [])),
  );
  const known = versions.size === 0 ? "not recorded" : [...versions].sort().join(" and ");
  return [
    "Medal rate: trials with any medal, of all trials that should be there. A missing trial counts as failed.",
    "± is the standard error of the mean over seeds, as published tables have it; with one seed it is 0 and says nothing.",
    "95 % over seeds: Student's t, about these competitions. 95 % over both: bootstrap over competitions and seeds, from 5 seeds on, about competitions like these.",
    "Column i is the i-th trial of a competition, in the order of groups and seeds, never of results.",
    "Percentile: share of the field with a worse score plus half of those with the same; estimated from 101 quantiles unless the full board was at hand.",
    `Fields: ${fieldsText(sources(competitions))}. Competition version: ${known}.`,
    "Comparison: paired by competition and seed; p from random sign flips of the paired differences; within noise means p > 0.05.",
    "Failures: found by rules, which can be wrong; the evidence says what they saw.",
  ];
}

/** What medals were won against; it stands beside them, since a starter field is no Kaggle leaderboard. */
export function fieldSentence({ competitions }: Results): string {
  const names = fieldNames(sources(competitions));
  if (names.length === 0) return "None of these competitions has a board, so there are no medals.";
  return `Medals are against the ${names.join(" and the ")}.`;
}

function sources(competitions: Results["competitions"]): string[] {
  return competitions.flatMap(({ leaderboard }) => leaderboard?.source ?? []);
}
