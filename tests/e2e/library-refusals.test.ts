import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type * as Library from "../../src/public/index.ts";
import type * as Integrity from "../../src/public/integrity.ts";
import type * as Prepare from "../../src/public/prepare.ts";
import type * as Repositories from "../../src/public/repositories.ts";
import type * as Results from "../../src/public/results.ts";
import type * as Run from "../../src/public/run.ts";
import { goldenSubmission, layOutGoldenData } from "./golden-data.ts";
import { temporaryFolder, writeText } from "./temporary-folder.ts";

const folder = temporaryFolder();
const GROUP = path.resolve("tests/fixtures/groups/0.1/sample-signed");
const FILE = writeText(folder, "file", "x");
const BROKEN = path.join(folder, "competitions");
writeText(BROKEN, "mine/competition.mjs", "export const competition = 1 +;");
const NOWHERE = path.join(folder, "nowhere");
const dataDir = layOutGoldenData(path.join(folder, "data"));

const entry = async <T>(name: string): Promise<T> => (await import(name)) as T;
let run: typeof Run;
let results: typeof Results;
let integrity: typeof Integrity;
beforeAll(async () => {
  run = await entry<typeof Run>("mlebench/run");
  results = await entry<typeof Results>("mlebench/results");
  integrity = await entry<typeof Integrity>("mlebench/integrity");
});

/** What a refusal says; whatever else came is shown as it is. */
function saying(outcome: unknown): unknown {
  const { status, problem } = outcome as { status: string; problem?: { code: string; nextStep: string } };
  return status === "refused" && problem!.nextStep !== "" ? problem!.code : outcome;
}

describe("a request that cannot be met is a refusal, whoever wrote it", () => {
  const REQUEST = { agent: "sample", competitions: ["leaf-classification"], timeSeconds: 5 };
  test.each([
    ["NO_SANDBOX", { sandbox: "nope" }],
    ["BAD_NETWORK", { network: { mode: "nope" } }],
    ["BAD_NUMBER", { gpus: -1 }],
    ["BAD_NUMBER", { gpus: 0.5 }],
    ["BAD_NUMBER", { seeds: Number.NaN }],
    ["BAD_NUMBER", { workers: -1 }],
    ["BAD_NUMBER", { snapshotMinutes: Number.NaN }],
    ["BAD_NUMBER", { timeSecondsOf: { "leaf-classification": -1 } }],
    ["BAD_NUMBER", { memoryBytesOf: { "leaf-classification": 0 } }],
    ["NOT_IN_THE_RUN", { timeSecondsOf: { "leaf-clasification": 60 } }],
    ["NO_AGENT", { agent: "nope" }],
    ["NO_COMPETITION", { competitions: [] }],
    ["BAD_NAME", { name: "../x" }],
    ["UNKNOWN_COMPETITION", { competitionsDir: NOWHERE, competitions: ["mine"] }],
    ["BAD_COMPETITION", { competitionsDir: BROKEN, competitions: ["mine"] }],
  ])("startRun: %s for %o", async (code, change) => {
    const runsDir = path.join(folder, "runs");
    const outcome = await run.startRun({ ...REQUEST, dataDir, runsDir, ...change } as Run.RunRequest);
    expect(saying(outcome)).toBe(code);
    expect(fs.existsSync(runsDir)).toBe(false);
  });

  test.each<[string, string, () => Promise<unknown>]>([
    ["resumeRun", "NO_GROUP", () => run.resumeRun(NOWHERE)],
    ["gradeRun", "NO_GROUP", () => run.gradeRun(NOWHERE)],
    ["runTrialJob", "NO_GROUP", () => run.runTrialJob({ group: NOWHERE, trial: "x" })],
    ["verifyRun", "NO_GROUP", () => run.verifyRun({ place: NOWHERE })],
    ["verifyRun", "NO_KEY", () => run.verifyRun({ place: GROUP, key: FILE })],
    ["aggregateReports", "NO_REPORTS", () => results.aggregateReports({ runs: [NOWHERE] })],
    ["aggregateReports", "BAD_NUMBER", () => results.aggregateReports({ runs: [GROUP], numSeeds: 0 })],
    ["aggregateReports", "BAD_DATE", () => results.aggregateReports({ runs: [GROUP], cutoff: "spring" })],
    [
      "aggregateReports",
      "BAD_COMPETITION",
      () => results.aggregateReports({ runs: [GROUP], competitionsDir: NOWHERE }),
    ],
    [
      "compareReports",
      "BAD_COMPETITION",
      () => results.compareReports({ a: [GROUP], b: [GROUP], competitionsDir: FILE }),
    ],
    ["report", "UNKNOWN_FORMAT", () => results.report({ groups: [GROUP], format: "nope" as "html" })],
    ["report", "BAD_DATE", () => results.report({ groups: [GROUP], cutoff: "2025-02-30" })],
    [
      "report",
      "NOT_WRITABLE",
      () => results.report({ groups: [GROUP], verify: false, output: path.join(FILE, "report.html") }),
    ],
    ["checkRules", "NO_GROUP", () => integrity.checkRules({ group: NOWHERE })],
    ["checkIntegrity", "BAD_DATE", () => integrity.checkIntegrity({ group: GROUP, cutoff: "nope" })],
    ["findPlagiarism", "BAD_NUMBER", () => integrity.findPlagiarism({ group: GROUP, threshold: 7 })],
  ])("%s: %s", async (_, code, ask) => {
    expect(saying(await ask())).toBe(code);
  });

  test("openRepository: a folder that is missing, or has no source", async () => {
    const { openRepository } = await entry<typeof Repositories>("mlebench/repositories");
    expect(saying(await openRepository(NOWHERE))).toBe("NO_REPOSITORY");
    expect(saying(await openRepository(dataDir))).toBe("NO_SOURCE");
  });
});

test("a number of workers that is none still does the work", async () => {
  const { gradeMany } = await entry<typeof Library>("mlebench");
  const { prepare } = await entry<typeof Prepare>("mlebench/prepare");
  const submissionPath = goldenSubmission("leaf-classification", "perfect.csv");
  for (const count of [0, -1, Number.NaN]) {
    const submission = { competitionId: "leaf-classification", submissionPath, dataDir };
    const grades = await gradeMany([submission], { workers: count });
    expect(grades.map(({ status }) => status)).toEqual(["scored"]);
    const outcomes = await prepare({ competitions: ["nope"], dataDir }, { jobs: count });
    expect(outcomes.map(({ status }) => status)).toEqual(["failed"]);
  }
});
