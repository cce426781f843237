import { HYPOTHESIS } from "../../analysis/compare/paired-test.ts";
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
    "± is the standard error of the mean over seeds, as published tables have it; with one seed there is none.",
    "95 % over seeds: Student's t from the spread of seeds inside each competition, about these competitions; none where no competition varied. 95 % over competitions: Wilson's interval for as many coins as the competitions are worth, about competitions like these.",
    "Column i is the i-th trial of a competition, in the order of groups and seeds, never of results.",
    "Percentile: share of the field with a worse score plus half of those with the same; estimated from 101 quantiles unless the full board was at hand.",
    `Fields: ${fieldsText(sources(competitions))}. Competition version: ${known}.`,
    `Comparison: paired by competition and seed, over the pairs that exist; p from flipping whole competitions at random. Tested: ${HYPOTHESIS}. Within noise means p > 0.05 after Holm's correction for all tests made.`,
    "Failures: found by rules, which can be wrong; the evidence says what they saw.",
  ];
}

/** What medals were won against; it stands beside them, since a starter field is not a Kaggle leaderboard. */
export function fieldSentence({ competitions }: Results): string {
  const names = fieldNames(sources(competitions));
  if (names.length === 0) return "None of these competitions has a board, so there are no medals.";
  return `Medals are against the ${names.join(" and the ")}.`;
}

function sources(competitions: Results["competitions"]): string[] {
  return competitions.flatMap(({ leaderboard }) => leaderboard?.source ?? []);
}
