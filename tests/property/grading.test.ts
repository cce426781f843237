import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { loadCompetition } from "../../src/competitions/catalogue.ts";
import { gradeFiles } from "../../src/grading/run-grader.ts";
import { temporaryFolder } from "../e2e/temporary-folder.ts";
import { type GoldenCase, goldenCases } from "../golden/golden-cases.ts";
import { formatCells, parseCells } from "../soak/mutations/cells.ts";
import { type Random, seededRandom } from "../soak/mutations/random.ts";
import { ORDER_MATTERS } from "./order-matters.ts";

const folder = temporaryFolder();
const SHUFFLES = 3;
const GOOD = new Set(["perfect", "noisy_good"]);

const cases = [...goldenCases()]
  .map(([id, all]) => ({ id, good: all.filter(({ name, valid }) => valid && GOOD.has(name)) }))
  .filter(({ good }) => good.length > 0);

describe("shuffling the rows of a submission", () => {
  test("is tried on every competition of the catalogue", () => {
    expect(cases).toHaveLength(82);
  });

  test.each(cases.filter(({ id }) => !(id in ORDER_MATTERS)))(
    "never changes the score of $id",
    async ({ id, good }) => {
      for (const golden of good)
        expect(await shuffledScores(id, golden)).toEqual(Array(SHUFFLES).fill(golden.score));
    },
  );

  test.each(cases.filter(({ id }) => id in ORDER_MATTERS))(
    "does change the score of $id, which is why it is listed",
    async ({ id, good }) => {
      const kept = await Promise.all(
        good.map(async (golden) =>
          (await shuffledScores(id, golden)).every((score) => score === golden.score),
        ),
      );
      expect(kept).toContain(false);
    },
  );
});

async function shuffledScores(id: string, golden: GoldenCase): Promise<unknown[]> {
  const { competition } = (await loadCompetition(id))!;
  const [header, ...rows] = parseCells(fs.readFileSync(golden.submission));
  return Array.from({ length: SHUFFLES }, (_, seed) => {
    const submission = path.join(folder, "shuffled.csv");
    fs.writeFileSync(submission, formatCells([header, ...shuffled(rows, seededRandom(seed + 1))]));
    const verdict = gradeFiles(competition.grade, { submission, answers: golden.answers });
    return verdict.status === "scored" ? verdict.score : verdict;
  });
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const copy = [...items];
  for (let i = copy.length - 1; i > 0; i--) {
    const j = random.int(i + 1);
    [copy[i], copy[j]] = [copy[j], copy[i]];
  }
  return copy;
}
