import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { readPlainText } from "../../files/plain-file.ts";
import { sharedJudge } from "../../grading/judge.ts";
import type { SandboxKind } from "../../sandbox/kind.ts";
import type { EnforcedPolicy } from "../../sandbox/sandbox.ts";
import type { Blame } from "../../wording/problem.ts";
import { removeTree } from "../trial/collect.ts";
import { trialPaths } from "../trial/folder.ts";
import { recordAgent } from "../trial/record-agent.ts";
import type { TrialProgress, TrialResult } from "../trial/request.ts";
import { runTrial } from "../trial/run.ts";
import type { Trial, TrialLimits } from "../trial/schema.ts";
import { type ReplayPlaces, type ReplayProblem, type ReplaySetup, setUpReplay } from "./setup.ts";

/** Where and how a replay ran, and what was not as it had been. */
interface Ran {
  /** By the names that places have inside. */
  command: readonly string[];
  sandbox: SandboxKind;
  seconds: number;
  deviations: string[];
}

/** A trial run again by the command it recorded. `failed` is the agent's matter, `impossible` is not. */
export type ReplayOutcome =
  /** The score is null when the file is not a valid submission, or the answers are not those of the trial. */
  | ({ status: "ran"; submissionSha256: string; score: number | null } & Ran)
  | ({ status: "failed"; message: string; blame: Blame } & Ran)
  | ReplayProblem
  | { status: "interrupted" };

export interface ReplayOptions extends ReplayPlaces {
  /** Null: the trial's own time limit, which is what the agent is told in any case. */
  timeoutSeconds: number | null;
  /** Ends everything at once: there is nothing to collect. */
  interrupted: AbortSignal;
  onProgress?: (progress: TrialProgress) => void;
}

/** Timers cannot wait longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Whoever is stopped has lost: there is nothing left to put in order. */
const GRACE_SECONDS = 2;

/**
 * Runs a trial's recorded command again: a trial of its own in a temporary folder, with a copy of the code it left,
 * the same data, seed and budget, and no network. The trial's own folder is only read.
 */
export async function replayTrial(
  trialFolder: string,
  command: readonly string[],
  options: ReplayOptions,
): Promise<ReplayOutcome> {
  if (options.interrupted.aborted) return { status: "interrupted" };
  const setup = await setUpReplay(trialFolder, command, options);
  if (setup.status === "impossible") return setup;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-replay-"));
  try {
    return await replayIn(folder, setup, options);
  } finally {
    await removeTree(folder);
  }
}

async function replayIn(folder: string, setup: ReplaySetup, options: ReplayOptions): Promise<ReplayOutcome> {
  const { trial, loaded, agent, sandbox } = setup;
  const limits = wishesOnly(trial.limits);
  const seconds = Math.min(options.timeoutSeconds ?? limits.timeSeconds, limits.timeSeconds);
  const timeout = AbortSignal.timeout(Math.min(seconds * 1000, LONGEST_TIMER_MS));
  const result = await runTrial(
    {
      folder,
      runGroup: "replay",
      id: trial.id,
      attempt: 1,
      loaded,
      dataDir: setup.dataDir,
      competitionVersion: trial.competition.version,
      competitionsDir: options.competitionsDir ?? null,
      data: setup.data,
      disguise: setup.disguise,
      agent,
      recordedAgent: await recordAgent(agent, { sandbox: sandbox.kind, image: agent.image }),
      seed: trial.seed,
      plan: null,
      sandbox,
      limits,
      network: { mode: "none" },
      show: [],
      gpus: trial.gpus,
      materials: null,
      image: agent.image,
      rootFolder: setup.rootFolder,
      hardware: trial.host.hardware,
      place: { executor: "local", jobId: null },
      code: setup.code,
      retain: false,
      signingKey: null,
      notes: [],
    },
    {
      interrupted: new AbortController().signal,
      killed: AbortSignal.any([options.interrupted, timeout]),
      onProgress: (progress) => options.onProgress?.({ ...progress, timeSeconds: seconds }),
    },
  );
  if (options.interrupted.aborted) return { status: "interrupted" };
  return outcomeOf(result, { folder, setup, options, seconds, timedOut: timeout.aborted });
}

/** What a machine cannot enforce is said; it does not keep a replay from being made. */
function wishesOnly(limits: TrialLimits): TrialLimits {
  const wish = (limit: TrialLimits["cpus"]) => limit && { ...limit, required: false };
  return {
    timeSeconds: limits.timeSeconds,
    graceSeconds: Math.min(limits.graceSeconds, GRACE_SECONDS),
    memoryBytes: wish(limits.memoryBytes),
    cpus: wish(limits.cpus),
    processes: wish(limits.processes),
    diskBytes: wish(limits.diskBytes),
  };
}

interface Circumstances {
  folder: string;
  setup: ReplaySetup;
  options: ReplayOptions;
  seconds: number;
  timedOut: boolean;
}

async function outcomeOf(
  { trial: again, refusal }: TrialResult,
  { folder, setup, options, seconds, timedOut }: Circumstances,
): Promise<ReplayOutcome> {
  const { stopReason, message, blame } = again.outcome!;
  if (refusal !== null)
    return {
      ...{ status: "impossible", message: refusal.message, nextStep: refusal.nextStep },
      blame: blame ?? "host",
    };
  if (stopReason === "harness error")
    return { status: "impossible", message, nextStep: "try again", blame: "harness" };
  const ran: Ran = {
    command: setup.agent.command,
    sandbox: again.sandbox.kind,
    seconds: again.measurements?.wallSeconds ?? 0,
    deviations: [...setup.deviations, ...differences(setup.trial, again)],
  };
  const failed = (text: string, who: Blame): ReplayOutcome => ({
    ...{ status: "failed", message: text, blame: who },
    ...ran,
  });
  if (timedOut || stopReason === "timeout") return failed(`It did not end within ${seconds} s.`, "budget");
  if (stopReason === "memory" || stopReason === "disk") return failed(message, "budget");
  const sha256 = again.final?.sha256 ?? null;
  if (sha256 === null) return failed(`${message} It left no submission.csv.${lastWords(folder)}`, "agent");
  if (stopReason === "failed") ran.deviations.push(`it left a submission, but: ${message}`);
  return { status: "ran", submissionSha256: sha256, score: await scoreOf(folder, setup, options), ...ran };
}

/** The score of what was left, as long as it can be compared with the trial's. */
async function scoreOf(
  folder: string,
  { trial: { competition }, data, dataDir }: ReplaySetup,
  { competitionsDir }: ReplayOptions,
): Promise<number | null> {
  if (data.answers !== competition.data.answers) return null;
  const grade = await sharedJudge().grade({
    competitionId: competition.id,
    competitionVersion: competition.version,
    submissionPath: path.join(trialPaths(folder).submission, "submission.csv"),
    dataDir,
    competitionsDir,
  });
  return grade.status === "scored" && typeof grade.score === "number" ? grade.score : null;
}

const MAX_WORDS = 200;
const MAX_OUTPUT_BYTES = 2 ** 28;

function textOf(file: string): string {
  return fs.existsSync(file) ? readPlainText(file, { maxBytes: MAX_OUTPUT_BYTES, links: "refuse" }) : "";
}

/** What a failed command said last usually tells why. */
function lastWords(folder: string): string {
  const { stderr, stdout } = trialPaths(folder);
  for (const file of [stderr, stdout]) {
    const text = textOf(file);
    const line = text.trimEnd().slice(-MAX_WORDS).split("\n").at(-1)!;
    const plain = line.replace(/\p{Cc}/gu, " ").trim();
    if (plain !== "") return ` It said: ${plain}`;
  }
  return "";
}

/** What was not as it had been, and may be why a replay differs. */
function differences(then: Trial, now: Trial): string[] {
  const said: string[] = [];
  const compare = (what: string, before: string, after: string) => {
    if (before !== after) said.push(`${what}: ${before} then, ${after} now`);
  };
  compare("sandbox", then.sandbox.kind, now.sandbox.kind);
  compare("machine", machineOf(then), machineOf(now));
  const [before, after] = [then.sandbox.policy, now.sandbox.policy];
  compare("network", before?.network.mode ?? then.network.mode, after?.network.mode ?? "none");
  if (before !== null && after !== null)
    for (const name of Object.keys(LIMIT_TEXTS) as (keyof typeof LIMIT_TEXTS)[])
      compare(LIMIT_TEXTS[name], before.limits[name].enforcement, after.limits[name].enforcement);
  return said;
}

const LIMIT_TEXTS: Record<keyof EnforcedPolicy["limits"], string> = {
  memoryBytes: "memory limit",
  cpus: "limit of processors",
  processes: "limit of processes",
  diskBytes: "disk limit",
};

function machineOf({ host: { platform, cpus } }: Trial): string {
  return `${platform}, ${cpus} ${cpus === 1 ? "CPU" : "CPUs"}`;
}
