import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { checkSubmission } from "../../../src/grading/grade-submission.ts";
import { json, mlebench } from "../cli.ts";
import { goldenIds, goldenSubmission, layOutGoldenData, recordedCases } from "../golden-data.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const root = temporaryFolder();
const dataDir = layOutGoldenData(path.join(root, "data"));
const ROWS = 5;

/** Competitions with a recorded submission of one line a row, whose last cell can be spoilt. */
const spoilable = goldenIds().flatMap((id) => {
  const valid = recordedCases(id).find((one) => one.valid && /^(perfect|noisy).*\.csv$/.test(one.file));
  if (valid === undefined) return [];
  const lines = fs.readFileSync(goldenSubmission(id, valid.file), "utf8").trimEnd().split("\n");
  return lines.length > ROWS && !lines.some((line) => line.includes('"')) ? [{ id, lines }] : [];
});

describe("validate names every bad cell, not the first alone", () => {
  test("there are competitions to try it on", () => expect(spoilable.length).toBeGreaterThan(30));

  test.each(spoilable)("$id", async ({ id, lines }) => {
    for (const bad of ["oops!", "", "inf"]) {
      const spoilt = lines.map((line, i) =>
        i === 0 || i > ROWS ? line : line.slice(0, line.lastIndexOf(",") + 1) + bad,
      );
      const submissionPath = writeText(root, `${id}.csv`, `${spoilt.join("\n")}\n`);
      const check = await checkSubmission({ competitionId: id, submissionPath, dataDir });
      if (check.status === "well-formed") continue;
      expect(check).toMatchObject({ status: "invalid" });
      if (check.status === "invalid") expect(check.reasonCount).toBeGreaterThanOrEqual(ROWS);
    }
  });

  test("up to twenty, and says how many more there are", () => {
    const id = "aerial-cactus-identification";
    const { lines } = spoilable.find((one) => one.id === id)!;
    const spoilt = lines.map((line, i) => (i === 0 ? line : line.replace(/,.*$/, ",oops!")));
    const file = writeText(root, "all.csv", spoilt.join("\n"));
    const result = mlebench(["validate", file, id, "--data-dir", dataDir, "--json"]);
    const { reasons, reasonCount } = json(result) as { reasons: unknown[]; reasonCount: number };
    expect(reasons).toHaveLength(20);
    expect(reasonCount).toBe(lines.length - 1);
    const text = mlebench(["validate", file, id, "--data-dir", dataDir]).stdout;
    expect(text).toContain(`… and ${lines.length - 21} more`);
  });
});
