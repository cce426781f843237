import path from "node:path";
import { withVerdicts } from "../analysis/circumstances.ts";
import { collectResults, type Results } from "../analysis/results.ts";
import { readRecords } from "../analysis/trial-records.ts";
import type { PrepareManyOptions } from "../data/prepare/many.ts";
import { thisMachine } from "../executors/machine.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import type { SandboxKind } from "../sandbox/kind.ts";
import { sandboxes } from "../sandbox/kinds.ts";
import type { Verification } from "../trials/certificate/verification.ts";
import { verifyGroup } from "../trials/certificate/verify-group.ts";
import type { GroupSettings } from "../trials/group/schema.ts";
import type { Problem } from "../wording/problem.ts";
import { prepare as prepareCompetitions } from "./prepare.ts";
import { gradeRun } from "./run/grade.ts";
import type { RunEvent } from "./run/request.ts";
import { startRun } from "./run/run.ts";

/** From the weakest: what a score is worth shows in how far it is from the first. */
const DEMO_AGENTS = ["sample", "baseline"] as const;

const GRACE_SECONDS = 5;

export interface DemoOptions {
  /** Holds the data, the run groups of every demo, and the report of the last one. */
  folder: string;
  competitionIds: readonly string[];
  workers: number;
  /** For each trial. */
  timeSeconds: number;
  /** Makes the page. How a result looks is decided a floor above. */
  page: (results: Results) => string;
}

/** Where the agents run; `missing` says why it is not a sandbox, and how to get one. */
export interface DemoSandbox {
  kind: SandboxKind;
  missing: { message: string; nextStep: string } | null;
}

export type DemoStep =
  | { step: "prepare"; competitions: number; dataDir: string }
  | { step: "sandbox"; sandbox: DemoSandbox }
  | { step: "run"; agent: string; trials: number; folder: string; settings: GroupSettings }
  | { step: "grade" | "verify" | "report" };

export interface DemoControl {
  interrupted: AbortSignal;
  killed: AbortSignal;
  onStep: (step: DemoStep) => void;
  prepare: Pick<PrepareManyOptions, "onProgress" | "onNote" | "onOutcome">;
  onRunEvent: (event: RunEvent) => void;
}

export interface Demo {
  /** The HTML page. */
  reportFile: string;
  groups: { agent: string; folder: string }[];
  sandbox: DemoSandbox;
  results: Results;
  verifications: Verification[];
  /** Trials without a grade, and why. */
  ungraded: { trial: string; why: string }[];
}

export type DemoOutcome =
  | { status: "shown"; demo: Demo }
  | { status: "interrupted" }
  | { status: "refused"; problem: Problem };

/**
 * Prepares, runs both agents, grades, verifies and reports, with what the commands of these names use. The data stays;
 * run groups are new each time, so that an earlier demo is neither changed nor counted.
 */
export async function runDemo(options: DemoOptions, control: DemoControl): Promise<DemoOutcome> {
  const { folder, competitionIds } = options;
  const dataDir = path.join(folder, "data");
  control.onStep({ step: "prepare", competitions: competitionIds.length, dataDir });
  const unprepared = await prepareAll(competitionIds, dataDir, control);
  if (control.interrupted.aborted) return { status: "interrupted" };
  if (unprepared !== null) return { status: "refused", problem: unprepared };
  const sandbox = await sandboxHere();
  control.onStep({ step: "sandbox", sandbox });
  const groups: Demo["groups"] = [];
  for (const agent of DEMO_AGENTS) {
    const ran = await runAgent(agent, { ...options, dataDir, sandbox: sandbox.kind }, control);
    if (control.interrupted.aborted) return { status: "interrupted" };
    if (typeof ran !== "string") return { status: "refused", problem: ran };
    groups.push({ agent, folder: ran });
  }
  return conclude(groups, sandbox, options, control);
}

async function prepareAll(
  ids: readonly string[],
  dataDir: string,
  { interrupted, prepare }: DemoControl,
): Promise<Problem | null> {
  const outcomes = await prepareCompetitions(
    { competitions: ids, dataDir },
    { jobs: thisMachine().cpus, signal: interrupted, ...prepare },
  );
  const failed = outcomes.filter(({ status }) => status === "failed");
  if (failed.length === 0) return null;
  return {
    code: "NOT_PREPARED",
    message: `${failed.length} of ${ids.length} competitions could not be prepared: ${failed.map(({ competitionId }) => competitionId).join(", ")}.`,
    nextStep: "mend what is said above, then repeat: what is ready is kept",
  };
}

/** Our own agents may be trusted with the host; a machine without a sandbox shows the demo all the same. */
async function sandboxHere(): Promise<DemoSandbox> {
  const { problem } = await sandboxes.bubblewrap.probe();
  return { kind: problem === null ? "bubblewrap" : "process", missing: problem };
}

/** The group's folder, whether or not all of its trials have finished; a problem when none has. */
async function runAgent(
  agent: string,
  request: DemoOptions & { dataDir: string; sandbox: SandboxKind },
  control: DemoControl,
): Promise<string | Problem> {
  const { workers, timeSeconds, competitionIds, dataDir, sandbox } = request;
  const { interrupted, killed } = control;
  const outcome = await startRun(
    {
      agent,
      competitions: competitionIds,
      runsDir: path.join(request.folder, "runs"),
      dataDir,
      workers,
      sandbox,
      rootFolder: null,
      timeSeconds,
      graceSeconds: GRACE_SECONDS,
    },
    {
      interrupted,
      killed,
      onEvent(event) {
        if (event.event === "ready") {
          const { folder, group } = event;
          const { settings } = group;
          control.onStep({ step: "run", agent, trials: competitionIds.length, folder, settings });
        }
        control.onRunEvent(event);
      },
    },
  );
  if (outcome.status === "refused") return outcome.problem;
  if (outcome.finished.length > 0) return outcome.folder;
  return outcome.refusal ?? { code: "NOTHING_FINISHED", ...nothingFinished(agent, outcome.folder) };
}

function nothingFinished(agent: string, folder: string): Pick<Problem, "message" | "nextStep"> {
  return {
    message: `No trial of ${agent} could be run.`,
    nextStep: `see why: mlebench failures ${folder}; what works here: mlebench doctor`,
  };
}

async function conclude(
  groups: Demo["groups"],
  sandbox: DemoSandbox,
  { folder, page }: DemoOptions,
  control: DemoControl,
): Promise<DemoOutcome> {
  control.onStep({ step: "grade" });
  const ungraded: Demo["ungraded"] = [];
  for (const group of groups) {
    const missing = await gradeAll(group.folder, control.interrupted);
    if (missing === "interrupted") return { status: "interrupted" };
    if ("code" in missing) return { status: "refused", problem: missing };
    ungraded.push(...missing);
  }
  control.onStep({ step: "verify" });
  const verifications: Verification[] = [];
  const atHand = { dataDir: path.join(folder, "data"), competitionsDir: undefined, known: new Map() };
  for (const group of groups)
    verifications.push(...(await verifyGroup(group.folder, { ...atHand, trustedKey: null })));
  control.onStep({ step: "report" });
  const read = readRecords(groups.map((group) => group.folder));
  if (!read.ok) throw new Error(read.message);
  const [first, second] = DEMO_AGENTS;
  const results = await collectResults(await withVerdicts(read.agents), read.notes, {
    title: "Starter suite: baseline against sample",
    compare: [second, first],
    now: new Date(),
  });
  const reportFile = path.join(folder, "report.html");
  writeFileAtomically(reportFile, page(results));
  return { status: "shown", demo: { reportFile, groups, sandbox, results, verifications, ungraded } };
}

async function gradeAll(
  folder: string,
  signal: AbortSignal,
): Promise<Demo["ungraded"] | Problem | "interrupted"> {
  const outcome = await gradeRun(folder, { signal });
  if (outcome === null) return "interrupted";
  if (outcome.status === "refused") return outcome.problem;
  const { unfinished_trials: unfinished, competition_reports } = outcome.report;
  const reports: { run_id: string; status: string; message: string | null }[] = competition_reports;
  return [
    ...unfinished.map((trial) => ({ trial, why: "it did not finish" })),
    ...reports.flatMap(({ run_id: trial, status, message }) =>
      GRADED.has(status) ? [] : [{ trial, why: message ?? status }],
    ),
  ];
}

/** A file that earns nothing has been graded, too. */
const GRADED = new Set(["scored", "invalid", "missing"]);
