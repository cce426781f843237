import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { AuditReport } from "../../../src/data/audit/audit-schema.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { csv } from "./prepared-set.ts";

const ID = "spooky-author-identification";
const AUTHORS = ["EAP", "HPL", "MWS"];
const rows = Array.from({ length: 30 }, (_, i) => ({ id: `id${10000 + i}`, author: AUTHORS[(i * i) % 3] }));

function preparedData(extra: Record<string, string> = {}): string {
  const dataDir = temporaryFolder();
  const flags = (author: string) => AUTHORS.map((name) => (name === author ? 1 : 0));
  const files = {
    "public/train.csv": csv(
      ["id", "text", "author"],
      [
        ["id1", "a dark night", "EAP"],
        ["id2", "a cold moon", "HPL"],
      ],
    ),
    "public/test.csv": csv(
      ["id", "text"],
      rows.map(({ id }) => [id, `sentence of ${id.slice(2)}`]),
    ),
    "public/sample_submission.csv": csv(
      ["id", ...AUTHORS],
      rows.map(({ id }) => [id, 0.4, 0.3, 0.3]),
    ),
    "private/test.csv": csv(
      ["id", ...AUTHORS],
      rows.map(({ id, author }) => [id, ...flags(author)]),
    ),
    ...extra,
  };
  for (const [name, content] of Object.entries(files))
    writeText(path.join(dataDir, ID, "prepared"), name, content);
  return dataDir;
}

describe("mlebench audit", () => {
  it("leaves with 0 on a clean set and says what it looked at", () => {
    const { code, stdout } = mlebench(["audit", "-c", ID, "--data-dir", preparedData()]);
    expect(stdout).toContain("No leak or defect found.");
    expect(stdout).toMatch(/looked at 3 files, 3 tables, 0 archives, against 30 answers/);
    expect(code).toBe(0);
  });

  it("leaves with 1 on a leak and names the file, the row and the next step", () => {
    const key = csv(
      ["id", "writer"],
      rows.map(({ id, author }) => [id, author]),
    );
    const { code, stdout } = mlebench([
      "audit",
      "-c",
      ID,
      "--data-dir",
      preparedData({ "public/key.csv": key }),
    ]);
    expect(stdout).toMatch(
      /leak {2}A public table gives the answers.*\n.*\n\s+where: key\.csv, row 1\n\s+next: {2}Remove/,
    );
    expect(code).toBe(1);
  });

  it("prints a report with schema and version as JSON", () => {
    const report = AuditReport.parse(
      json(mlebench(["audit", "-c", ID, "--data-dir", preparedData(), "--json"])),
    );
    expect(report).toMatchObject({ competitionId: ID, competitionVersion: "v1", verdict: "clean" });
  });

  it("leaves nothing behind in the temporary folder", () => {
    const tmp = temporaryFolder();
    const { code } = mlebench(["audit", "-c", ID, "--data-dir", preparedData()], { TMPDIR: tmp });
    expect(code).toBe(0);
    expect(fs.readdirSync(tmp)).toEqual([]);
  });

  it("leaves with 2 for an unknown competition, and with 3 when nothing is prepared", () => {
    const unknown = mlebench(["audit", "-c", "spooky-author-identificatio", "--data-dir", temporaryFolder()]);
    expect(unknown.stderr).toContain(`did you mean: ${ID}`);
    expect(unknown.code).toBe(2);
    const unprepared = mlebench(["audit", "-c", ID, "--data-dir", temporaryFolder()]);
    expect(unprepared.stderr).toContain(`prepare it: mlebench prepare -c ${ID}`);
    expect(unprepared.code).toBe(3);
  });
});
