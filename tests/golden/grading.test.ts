import { describe, expect, test } from "vitest";
import type { Competition } from "../../src/competitions/competition.ts";
import { checkFiles, gradeFiles } from "../../src/grading/run-grader.ts";
import { goldenCases } from "./golden-cases.ts";
import { VALIDITY_NEEDS_ANSWERS } from "./validity-exceptions.ts";

const only = process.env.GOLDEN_IDS?.split(",");

describe.each([...goldenCases()].filter(([id]) => !only || only.includes(id)))("%s", (id, cases) => {
  const load = async () => {
    const module: { competition: Competition } = await import(`../../src/competitions/${id}/competition.ts`);
    return module.competition.grade;
  };

  test(`gives the recorded validity and score in ${cases.length} cases`, async () => {
    const grader = await load();
    const differences = cases.flatMap((golden) => {
      const verdict = gradeFiles(grader, golden);
      const got = verdict.status === "scored" ? verdict.score : null;
      if (Object.is(got, golden.score) || got === golden.score) return [];
      return [{ case: golden.name, expected: golden.score, got, verdict, submission: golden.submission }];
    });
    expect(differences).toEqual([]);
  });

  test("checks the format without the answers' values and agrees about validity", async () => {
    const grader = await load();
    const differences = cases.flatMap((golden) => {
      const verdict = checkFiles(grader, golden);
      const wellFormed = verdict.status === "well-formed";
      if (wellFormed === golden.valid || (wellFormed && id in VALIDITY_NEEDS_ANSWERS)) return [];
      return [{ case: golden.name, valid: golden.valid, verdict, submission: golden.submission }];
    });
    expect(differences).toEqual([]);
  });
});
