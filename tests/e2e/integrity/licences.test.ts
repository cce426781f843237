import path from "node:path";
import { expect, test } from "vitest";
import type { Finding } from "../../../src/integrity/findings/schema.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { writeData } from "./rules/data.ts";
import { plantGroup, program } from "./rules/trial.ts";

const provenance = (code: string, licence: string) => ({
  schema: "mlebench/provenance",
  version: 1,
  track: "mle-bench",
  repositories: [],
  files: [
    {
      file: "adapted/main.py",
      lines: 40,
      similarity: 1,
      spans: [{ repository: "closed", original: "src/core.py", lines: [3, 9], originalLines: [1, 7] }],
    },
  ],
  findings: [{ code, repository: "closed", licence, message: `closed is under ${licence}.` }],
});

test("a licence that forbids what was taken over is a finding with the lines; so is a record that cannot be read", () => {
  const root = temporaryFolder();
  const data = writeData(path.join(root, "data"));
  const group = path.join(root, "runs/g");
  const ids = plantGroup(
    group,
    [0, 1, 2, 3].map(() => ({ kind: null, code: { "main.py": program() } })),
  );
  const leave = (i: number, text: string) => writeText(group, `${ids[i]}/logs/provenance.json`, text);
  leave(0, JSON.stringify(provenance("LICENCE_FORBIDS_REUSE", "All rights reserved")));
  leave(1, JSON.stringify(provenance("LICENCE_UNSTATED", "none")));
  leave(2, '{"schema": "mlebench/prov');
  const ran = mlebench(["rules", "g", "--runs-dir", path.join(root, "runs"), "--data-dir", data, "--json"]);
  expect(ran.code, ran.stderr).toBe(1);
  const { findings } = json(ran) as { findings: Finding[] };
  expect(
    findings
      .filter(({ check }) => check === "provenance")
      .map(({ trial, kind, severity }) => [trial, kind, severity]),
  ).toEqual([
    [ids[0], "licence-forbids-reuse", "serious"],
    [ids[1], "licence-unstated", "suspicious"],
    [ids[2], "provenance-unreadable", "suspicious"],
  ]);
  expect(findings[0].evidence).toEqual([
    { file: "code/adapted/main.py", line: 3, quotation: "from closed: src/core.py (All rights reserved)" },
  ]);
});
