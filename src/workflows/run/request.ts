import type { AgentNetwork } from "../../agents/definition/agent.ts";
import type { CompetitionVersion } from "../../competitions/competition.ts";
import type { ExecutorName } from "../../executors/by-name.ts";
import type { SlurmSettings } from "../../executors/slurm/schema.ts";
import type { ModelAccess } from "../../models/settings.ts";
import type { SandboxKind } from "../../sandbox/kind.ts";
import type { GroupGradeOutcome } from "../../trials/group/grade.ts";
import type { PlannedTrial, RunGroup } from "../../trials/group/schema.ts";
import type { RefusalStage } from "../../trials/refusals.ts";
import type { TrialProgress, TrialResult } from "../../trials/trial/request.ts";
import type { Network } from "../../trials/trial/schema.ts";
import type { Problem } from "../../wording/problem.ts";
import type { FailedTrial } from "./failed-trials.ts";

/**
 * One agent on some competitions. What is left out is the agent's own wish, or what everybody gets; a limit that is
 * named here is enforced, or the run is refused.
 */
export interface RunRequest {
  /** The agent's id, as `mlebench agents list` shows it. */
  agent: string;
  competitions: readonly string[];
  /** How often each competition is run; 1 unless told. */
  seeds?: number | undefined;
  /** Where the run group's folder is made. */
  runsDir: string;
  /** The group's name; the time and the agent unless told. */
  name?: string | undefined;
  /** Folders with agents of your own. */
  agentFolders?: readonly string[] | undefined;
  dataDir?: string | undefined;
  /** A folder with competitions of your own. */
  competitionsDir?: string | undefined;
  competitionVersion?: CompetitionVersion | undefined;
  executor?: ExecutorName | undefined;
  /** For the executor `slurm`: partition, account, qos, constraint, nodes and further options of sbatch's. */
  slurm?: SlurmSettings | undefined;
  /** Trials at a time; 1 unless told, and with `slurm` as many as the cluster runs. */
  workers?: number | undefined;
  sandbox?: SandboxKind | undefined;
  image?: string | undefined;
  /** bubblewrap: null is the host's own system, even where `env build` has made another. */
  rootFolder?: string | null | undefined;
  network?: Network | undefined;
  materials?: string | undefined;
  /** Agents see the competitions under other names, words and columns; a model's name: and in its words. */
  obfuscate?: boolean | string | undefined;
  /** Folders of the host that agents see where they lie, read-only: a Python of one's own, for example. */
  show?: readonly string[] | undefined;
  timeSeconds?: number | undefined;
  /** By competition, in place of the general one. */
  timeSecondsOf?: Readonly<Record<string, number>> | undefined;
  graceSeconds?: number | undefined;
  memoryBytes?: number | undefined;
  memoryBytesOf?: Readonly<Record<string, number>> | undefined;
  cpus?: number | undefined;
  /** GPU devices for each trial; "all" shares the machine's among the workers. */
  gpus?: number | "all" | undefined;
  processes?: number | undefined;
  diskBytes?: number | undefined;
  snapshotMinutes?: number | undefined;
  /** Keeps the agent's working folder. */
  retain?: boolean | undefined;
  /** The file of a signing key; without one the certificates stay unsigned. */
  signingKey?: string | undefined;
  /** A file or an address: the plan's digest is published there before the first trial, or nothing starts. */
  announce?: string | undefined;
  /** Language models by the role they play, such as { code: "anthropic:…" }. */
  models?: Readonly<Record<string, string>> | undefined;
  /** Limits on what they may cost, transcripts, a recording; no limits and full transcripts unless told. */
  modelAccess?: Partial<ModelAccess> | undefined;
  /** How long an agent that stops early is continued: `first-stop`, or `used:<share>` of its time. */
  until?: string | undefined;
  /** Grades the group once its trials have ended. */
  grade?: boolean | undefined;
}

/** Why nothing was started. `group`: somebody else works on it, or it is not what it was. */
export interface RunProblem extends Problem {
  stage: RefusalStage | "group";
}

/** What happens while a group runs, in the order in which it happens. */
export type RunEvent =
  /** Everything is checked and, for a new group, written down; trials start next. */
  | {
      event: "ready";
      folder: string;
      group: RunGroup;
      resumed: boolean;
      notes: string[];
      /** What the agents will be able to reach; null where only the agent's definition says it. */
      network: AgentNetwork | null;
    }
  /** A lock of another host is watched for signs of life. */
  | { event: "watching"; owner: string; seconds: number }
  /** Something about the run as a whole, such as why everything waits in a queue. */
  | { event: "notice"; message: string }
  | { event: "start"; trial: PlannedTrial; attempt: number }
  | { event: "progress"; progress: TrialProgress }
  | { event: "end"; result: TrialResult }
  | { event: "grading"; trials: number }
  | { event: "graded"; grading: GroupGradeOutcome };

/** How the outside world follows and reaches a run. */
export interface RunControl {
  /** Stops gently: what stands is collected, and the group can be resumed. */
  interrupted?: AbortSignal | undefined;
  /** No more grace. */
  killed?: AbortSignal | undefined;
  onEvent?: ((event: RunEvent) => void) | undefined;
}

export type RunOutcome =
  /** Nothing was started. */
  | { status: "refused"; problem: RunProblem }
  | {
      status: "ended";
      folder: string;
      group: RunGroup;
      finished: string[];
      /** They wait for `resumeRun`. */
      unfinished: string[];
      /** Those of the finished ones that left nothing because their agent did not start, or crashed. */
      failed: FailedTrial[];
      /** Why some of them were not started, if there is a reason. */
      refusal: Problem | null;
      interrupted: boolean;
      /** Null when nobody asked for it, or nothing was there to grade. */
      grading: GroupGradeOutcome | null;
    };
