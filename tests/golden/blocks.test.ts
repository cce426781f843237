import path from "node:path";
import { expect, test } from "vitest";
import { competition as brains } from "../../src/competitions/rsna-miccai-brain-tumor-radiogenomic-classification/competition.ts";
import { competition as tables } from "../../src/competitions/tabular-playground-series-may-2022/competition.ts";
import { gradeFiles } from "../../src/grading/run-grader.ts";
import { temporaryFolder, writeText } from "../e2e/temporary-folder.ts";

// Too large to be kept as files: pandas reads two columns in blocks of 2^19 rows. What follows the first is words.
const BLOCK = 2 ** 19;
const ROWS = 530_000;
const words = (guess: number) => (guess > 0.5 ? "True" : "False");

/** Answers, and a submission whose second block has words where the first has numbers. */
function twoBlocks(id: string, target: string, word: (guess: number) => string) {
  const answers = [`${id},${target}`];
  const submission = [`${id},${target}`];
  for (let row = 0; row < ROWS; row++) {
    const truth = (row * 7919) % 10007 > 5000 ? 1 : 0;
    const guess = (0.7 * ((row * 104729) % 1009)) / 1009 + 0.3 * truth;
    answers.push(`${row},${truth}`);
    submission.push(`${row},${row < BLOCK ? guess.toFixed(4) : word(guess)}`);
  }
  const folder = temporaryFolder();
  return {
    answers: writeText(folder, "answers.csv", `${answers.join("\n")}\n`),
    submission: writeText(folder, path.join("given", "submission.csv"), `${submission.join("\n")}\n`),
  };
}

test.each([
  { competition: tables, id: "id", target: "target" },
  { competition: brains, id: "BraTS21ID", target: "MGMT_value" },
])(
  "$competition.id takes True and False beside a block of numbers for 1 and 0",
  ({ competition, id, target }) => {
    // Recorded with pandas 1.5.3 and scikit-learn 1.2.1: 0.8341535424185407.
    expect(gradeFiles(competition.grade, twoBlocks(id, target, words))).toMatchObject({
      status: "scored",
      score: 0.83415,
    });
  },
);

test("other words make the column one of objects, which is not numeric", () => {
  const other = twoBlocks("id", "target", (guess) => (guess > 0.5 ? "yes" : "no"));
  expect(gradeFiles(tables.grade, other)).toMatchObject({ status: "invalid" });
});
