import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { decide, readDecisions } from "../../../src/integrity/decisions/decisions.ts";
import { integrityText, readIntegrity } from "../../../src/integrity/findings/of-trial.ts";
import { readFindings } from "../../../src/integrity/findings/read.ts";
import type { Finding } from "../../../src/integrity/findings/schema.ts";
import { writeFindings } from "../../../src/integrity/findings/write.ts";
import { temporaryFolder, writeText } from "../../e2e/temporary-folder.ts";

const finding = (change: Partial<Finding> = {}): Finding => ({
  trial: "a_1",
  check: "rules",
  kind: "network-attempt",
  severity: "serious",
  sentence: "The code opens a connection.",
  evidence: [{ file: "code/a.py", line: 3, quotation: "requests.get(url)" }],
  explained: null,
  ...change,
});

test("a check that runs again replaces its own findings and leaves those of others", () => {
  const group = temporaryFolder();
  writeFindings(group, [{ check: "rules", trials: 1, notes: [], findings: [finding()] }]);
  const copied = finding({ check: "plagiarism", kind: "similar-code" });
  writeFindings(group, [{ check: "plagiarism", trials: 1, notes: [], findings: [copied] }]);
  writeFindings(group, [{ check: "rules", trials: 1, notes: ["no logs"], findings: [] }]);
  const { checks, findings, problem } = readFindings(group);
  expect(problem).toBeNull();
  expect(checks.map(({ check }) => check).sort()).toEqual(["plagiarism", "rules"]);
  expect(findings).toEqual([copied]);
});

test("long quotations are cut, and there are not too many of them", () => {
  const group = temporaryFolder();
  const evidence = Array.from({ length: 1000 }, () => ({ file: "a", line: 1, quotation: "x".repeat(1e5) }));
  writeFindings(group, [{ check: "rules", trials: 1, notes: [], findings: [finding({ evidence })] }]);
  expect(fs.statSync(path.join(group, "integrity/findings.json")).size).toBeLessThan(30_000);
  expect(readFindings(group).findings).toHaveLength(1);
});

test.each([
  ["not JSON at all", "is not JSON"],
  [`{"schema":"mlebench/findings","version":9}`, "reads up to version 1"],
  [`{"schema":"mlebench/findings","version":1,"findings":[{}]}`, "cannot be used"],
])("findings that cannot be used are a sentence: %s", (text, expected) => {
  const group = temporaryFolder();
  writeText(group, "integrity/findings.json", text);
  const { findings, problem } = readFindings(group);
  expect(findings).toEqual([]);
  expect(problem).toContain(expected);
});

test("the last decision about a trial counts, the earlier ones stay, and a changed line shows", () => {
  const group = temporaryFolder();
  expect(integrityText(readIntegrity(group).of("a_1"))).toBe("not looked at");
  decide({ group, trial: "a_1", decision: "disqualify", why: "labels typed by hand", by: "Ada" });
  expect(integrityText(readIntegrity(group).of("a_1"))).toBe("DISQUALIFIED by Ada: labels typed by hand");
  fs.appendFileSync(path.join(group, "integrity/decisions.jsonl"), '{"schema":"mlebench/int');
  decide({ group, trial: "a_1", decision: "keep", why: "they were not", by: "Ada" });
  const read = readDecisions(group);
  expect(read.decisions.map(({ decision }) => decision)).toEqual(["disqualify", "keep"]);
  expect(read.standing.get("a_1")?.decision).toBe("keep");
  expect(read.problems).toEqual(["line 2 of its decisions is not a decision"]);
  const file = path.join(group, "integrity/decisions.jsonl");
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace("typed by hand", "fine"));
  expect(readDecisions(group).problems.some((problem) => problem.includes("line 1"))).toBe(true);
});

test("beside a medal stands the worst that nothing explains", () => {
  const group = temporaryFolder();
  const findings = [
    finding({ severity: "suspicious", kind: "constant" }),
    finding({ explained: "it says so itself" }),
    finding({ trial: "b_1", severity: "note" }),
  ];
  writeFindings(group, [{ check: "rules", trials: 2, notes: [], findings }]);
  const { of } = readIntegrity(group);
  expect(integrityText(of("a_1"))).toBe("suspicious: constant");
  expect(integrityText(of("b_1"))).toBe("nothing found (rules)");
});
