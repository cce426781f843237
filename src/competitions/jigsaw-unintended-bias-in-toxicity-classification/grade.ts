import { decisionAuc } from "../../metrics/classification/decision-auc.ts";
import { rocAuc } from "../../metrics/classification/roc-auc.ts";
import { powerMean } from "../../metrics/regression/power-mean.ts";
import type { Table } from "../../table/table.ts";
import { defineGrader, type Grader } from "../grader.ts";
import { alignedScores, type ScoreColumns } from "../shapes/aligned-scores.ts";
import { finiteNumbers } from "../shapes/cells/numbers.ts";
import { numbersWithGaps } from "../shapes/cells/numbers-with-gaps.ts";
import { pairsOf } from "../shapes/cells/pairs.ts";
import { gather } from "../shapes/gather.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";

const IDENTITIES = [
  "male",
  "female",
  "homosexual_gay_or_lesbian",
  "christian",
  "jewish",
  "muslim",
  "black",
  "white",
  "psychiatric_or_mental_illness",
];
const THRESHOLD = 0.5;
const EXPONENT = -5;
const WEIGHT = 0.25;

/**
 * A quarter for the area under the ROC curve of all rows, a quarter each for three power means of such areas over
 * groups of rows that mention an identity. Predictions are cut at one half before anything else; a missing one is 0.
 */
export const grade = biasGrader(numbersWithGaps, cutAreas);

/** The same with predictions ranked as they are; none may be missing, since a gap has no rank. */
export const gradeV2 = biasGrader(finiteNumbers, rankedAreas);

/** Gives, for rows that mention an identity, the area over toxic rows of some groups and harmless rows of others. */
type Areas = (
  toxic: Uint8Array,
  predicted: Float64Array,
) => (mentioned: Uint8Array | null) => (toxicGroups: number[], harmlessGroups: number[]) => number | null;

function biasGrader(read: ScoreColumns["read"], areas: Areas): Grader {
  return defineGrader({
    submission: ["id", "prediction", "toxicity"],
    keys: ["id"],
    values: ["toxicity", ...IDENTITIES],
    rounding: "numpy",
    check(tables, problems) {
      const target = targetOf(tables.submission);
      if (target === null) {
        problems.add({
          code: "UNEXPECTED_COLUMN",
          column: "toxicity",
          message: 'Only one of the columns "prediction" and "toxicity" may be there.',
        });
        return null;
      }
      return alignedScores(tables, { id: "id", targets: [target], read }, problems);
    },
    score({ alignment, scores: [predicted] }, { answers }) {
      const toxic = isAbove(answers.column("toxicity")!.numbers);
      const areasOf = areas(toxic, gather(predicted, alignment.submissionRows));
      const overall = areasOf(null)(ALL, ALL);
      const groups = IDENTITIES.map((name) => areasOf(isAbove(answers.column(name)!.numbers)));
      const subgroup = groups.map((area) => area(MENTIONED, MENTIONED));
      const toxicElsewhere = groups.map((area) => area(NOT_MENTIONED, MENTIONED));
      const toxicHere = groups.map((area) => area(MENTIONED, NOT_MENTIONED));
      if ([overall, ...subgroup, ...toxicElsewhere, ...toxicHere].includes(null))
        return undefinedScore("The answers hold one class only for some identity.");
      const bias = [subgroup, toxicElsewhere, toxicHere].reduce(
        (sum, each) => sum + WEIGHT * powerMean(each.map(Number), EXPONENT),
        0,
      );
      return WEIGHT * Number(overall) + bias;
    },
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, "id"),
  });
}

function targetOf({ header }: Table): string | null {
  if (!header.includes("toxicity")) return "prediction";
  return header.includes("prediction") ? null : "toxicity";
}

function isAbove(values: Float64Array): Uint8Array {
  return Uint8Array.from(values, (value) => (value >= THRESHOLD ? 1 : 0));
}

const MENTIONED = [1];
const NOT_MENTIONED = [0];
const ALL = [0, 1];

/** How many rows there are for each of the eight combinations, numbered by `cell`. */
function countRows(toxic: Uint8Array, decided: Uint8Array, mentioned: Uint8Array | null): Uint32Array {
  const counts = new Uint32Array(8);
  for (let row = 0; row < toxic.length; row++) {
    counts[cell(toxic[row], mentioned === null ? 0 : mentioned[row], decided[row])]++;
  }
  return counts;
}

function cell(toxic: number, mentioned: number, decided: number): number {
  return toxic * 4 + mentioned * 2 + decided;
}

/** Four counts settle an area when every prediction is 0 or 1. */
function cutAreas(...[toxic, predicted]: Parameters<Areas>): ReturnType<Areas> {
  const decided = isAbove(predicted);
  return (mentioned) => {
    const counts = countRows(toxic, decided, mentioned);
    return (toxicGroups, harmlessGroups) => {
      const sum = (isToxic: number, groups: number[], isDecided: number) =>
        groups.reduce((total, group) => total + counts[cell(isToxic, group, isDecided)], 0);
      const truePositives = sum(1, toxicGroups, 1);
      const falsePositives = sum(0, harmlessGroups, 1);
      return decisionAuc({
        positives: truePositives + sum(1, toxicGroups, 0),
        truePositives,
        negatives: falsePositives + sum(0, harmlessGroups, 0),
        falsePositives,
      });
    };
  };
}

function rankedAreas(...[toxic, predicted]: Parameters<Areas>): ReturnType<Areas> {
  return (mentioned) => (toxicGroups, harmlessGroups) => {
    const rows = Uint32Array.from(toxic.keys()).filter((row) =>
      (toxic[row] === 1 ? toxicGroups : harmlessGroups).includes(mentioned === null ? 0 : mentioned[row]),
    );
    return rocAuc(
      rows.map((row) => toxic[row]),
      gather(predicted, rows),
    );
  };
}
