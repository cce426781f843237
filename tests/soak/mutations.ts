/**
 * Grades mutated submissions of every competition and fails when one of them gives anything but a typed outcome.
 *
 *   npm run soak -- mutations                    a million of them: an hour of two cores (SECONDS_PER_CASE=600 where they
 *                                                are busy)
 *   npm run soak -- mutations --count 3000       the first of them, as in CI
 *   npm run soak -- mutations --first 50000      from there on, after an interruption
 *   npm run soak -- mutations --case 4711        one of them; its file is kept for a look
 */
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { goldenIds, goldenSubmission, layOutGoldenData, recordedCases } from "../e2e/golden-data.ts";
import { temporaryFolder } from "../e2e/temporary-folder.ts";
import { type CaseResult, runCase, type Seeds } from "./mutations/run-case.ts";

const FULL_COUNT = 1_000_000;
/** By the clock, so generous: the slowest cases take a few seconds of a processor that may be shared by many. */
const SECONDS_PER_CASE = Number(process.env.SECONDS_PER_CASE ?? 60);
const MILLISECONDS_BETWEEN_WORDS = 30_000;
const WORKERS = 2;

interface Lane {
  dataDir: string;
  first: number;
  step: number;
  end: number;
  /** The case being graded, so that a lane that hangs can be told from one that works. */
  current: Int32Array;
}

type Report = { index: number; result: CaseResult; milliseconds: number };

function loadSeeds(): Seeds {
  return goldenIds().map((competitionId) => ({
    competitionId,
    submissions: recordedCases(competitionId)
      .filter(({ valid }) => valid)
      .map(({ file }) => fs.readFileSync(goldenSubmission(competitionId, file))),
  }));
}

async function workLane({ dataDir, first, step, end, current }: Lane): Promise<void> {
  const seeds = loadSeeds();
  const folder = temporaryFolder();
  for (let index = first; index < end; index += step) {
    Atomics.store(current, 0, index);
    const start = performance.now();
    const result = await runCase(index, seeds, dataDir, folder);
    parentPort!.postMessage({ index, result, milliseconds: performance.now() - start } satisfies Report);
  }
}

/** Runs one lane to its end; a case that hangs or kills its thread is a defect, and the next thread goes on behind it. */
async function superviseLane(
  lane: Omit<Lane, "current">,
  onReport: (report: Report) => void,
  onLost: (index: number, why: string) => void,
): Promise<void> {
  let { first } = lane;
  while (first < lane.end) {
    const current = new Int32Array(new SharedArrayBuffer(4)).fill(first);
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { ...lane, first, current },
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    first = await new Promise<number>((resolve) => {
      let watched = first;
      let since = Date.now();
      const lost = (why: string) => {
        const index = Atomics.load(current, 0);
        onLost(index, why);
        resolve(index + lane.step);
      };
      const watch = setInterval(() => {
        const now = Atomics.load(current, 0);
        if (now !== watched) {
          watched = now;
          since = Date.now();
        } else if (Date.now() - since > SECONDS_PER_CASE * 1000) {
          worker.removeAllListeners();
          void worker.terminate().then(() => lost(`no outcome within ${SECONDS_PER_CASE} s`));
          clearInterval(watch);
        }
      }, 500);
      worker.on("message", onReport);
      worker.on("error", (error) => {
        clearInterval(watch);
        worker.removeAllListeners("exit");
        lost(`the thread died: ${error.message}`);
      });
      worker.on("exit", () => {
        clearInterval(watch);
        resolve(lane.end);
      });
    });
  }
}

async function runMany(begin: number, end: number): Promise<number> {
  const dataDir = layOutGoldenData(temporaryFolder());
  const statuses: Record<string, number> = {};
  const competitions = new Set<string>();
  const count = end - begin;
  let defects = 0;
  const report = (defect: string) => {
    defects++;
    console.error(defect);
  };
  let slowest = { index: -1, milliseconds: 0 };
  let done = 0;
  let said = Date.now();
  const onReport = ({ index, result, milliseconds }: Report) => {
    done++;
    if (Date.now() - said > MILLISECONDS_BETWEEN_WORDS) {
      said = Date.now();
      console.error(`${done} of ${count} cases, ${defects} defects`);
    }
    statuses[result.status] = (statuses[result.status] ?? 0) + 1;
    competitions.add(result.competitionId);
    if (milliseconds > slowest.milliseconds) slowest = { index, milliseconds };
    if (result.defect)
      report(`case ${index} (${result.competitionId}; ${result.mutations.join(", ")}): ${result.defect}`);
  };
  const onLost = (index: number, why: string) => report(`case ${index}: ${why}`);
  await Promise.all(
    Array.from({ length: WORKERS }, (_, lane) =>
      superviseLane({ dataDir, first: begin + lane, step: WORKERS, end }, onReport, onLost),
    ),
  );
  const graded = Object.values(statuses).reduce((sum, n) => sum + n, 0);
  console.log(
    JSON.stringify({
      cases: graded,
      competitions: competitions.size,
      statuses,
      slowest,
      defects,
    }),
  );
  return defects === 0 && graded === count ? 0 : 1;
}

async function runOne(index: number): Promise<number> {
  const folder = fs.mkdtempSync(path.join(temporaryFolder(), "..", "mlebench-case-"));
  const result = await runCase(index, loadSeeds(), layOutGoldenData(temporaryFolder()), folder);
  console.log(JSON.stringify({ ...result, file: path.join(folder, "submission.csv") }, null, 2));
  return result.defect ? 1 : 0;
}

if (isMainThread) {
  const { values } = parseArgs({
    options: { count: { type: "string" }, first: { type: "string" }, case: { type: "string" } },
  });
  process.exitCode =
    values.case === undefined
      ? await runMany(Number(values.first ?? 0), Number(values.count ?? FULL_COUNT))
      : await runOne(Number(values.case));
} else await workLane(workerData as Lane);
