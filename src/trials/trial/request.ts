import type { AgentDefinition } from "../../agents/definition/agent.ts";
import type { LoadedCompetition } from "../../competitions/catalogue.ts";
import type { CompetitionVersion } from "../../competitions/competition.ts";
import type { Disguise } from "../../data/disguise/disguise.ts";
import type { RunModels } from "../../models/run-models.ts";
import type { Refusal, Sandbox, Usage } from "../../sandbox/sandbox.ts";
import type { DataDigest } from "../certificate/data-digest.ts";
import type { SigningKey } from "../certificate/signing.ts";
import type { JobPlace } from "../state/heartbeat.ts";
import type { Continuation } from "./recover.ts";
import type { Network, RecordedAgent, Trial, TrialLimits } from "./schema.ts";

/** Everything that decides what a trial does. */
export interface TrialRequest {
  folder: string;
  runGroup: string;
  id: string;
  attempt: number;
  loaded: LoadedCompetition;
  dataDir: string;
  competitionVersion: CompetitionVersion;
  competitionsDir: string | null;
  data: DataDigest;
  agent: AgentDefinition;
  recordedAgent: RecordedAgent;
  seed: number;
  /** The digest of the group's plan, and where attempts are announced; null for a trial outside of groups. */
  plan: { digest: string; starts: string } | null;
  sandbox: Sandbox;
  limits: TrialLimits;
  network: Network;
  gpus: readonly string[];
  /** Folders of the host that the agent sees where they lie, and cannot change. */
  show: readonly string[];
  materials: { folder: string; digest: string } | null;
  image: string | null;
  rootFolder: string | null;
  hardware: string;
  /** Who had it run, and under which name. */
  place: JobPlace;
  /** A replay begins with the code that a trial left, and works in it; null for every other trial. */
  code: string | null;
  /** The interrupted attempt whose folders, time and money it goes on with; null begins anew. */
  continued?: Continuation | null;
  /** Keeps the agent's own folder after the end. */
  retain: boolean;
  signingKey: SigningKey | null;
  /** The models of the run; null when it names none. */
  models?: RunModels | null;
  /** The competition under another name, with other words and columns; null where the agent sees it as it is. */
  disguise?: Disguise | null;
  /** What a reader should know from the start. */
  notes: readonly string[];
}

export interface TrialProgress {
  trialId: string;
  competitionId: string;
  seed: number;
  elapsedSeconds: number;
  timeSeconds: number;
  usage: Usage;
  lastLine: string;
  submissions: number;
}

/** How the outside world reaches a running trial. */
export interface TrialControl {
  /** Stops gently: what stands is collected, the agent gets its grace period. The trial counts as interrupted. */
  interrupted: AbortSignal;
  /** No more grace. */
  killed: AbortSignal;
  onProgress?: (progress: TrialProgress) => void;
  /** False once the trial belongs to somebody else: nothing may be written any more. */
  isMine?: () => boolean;
  /** Before the record is sealed. */
  onEnd?: () => void;
}

/** `interrupted` trials do not count as results: they start again with `resume`. A refusal says why nothing was started. */
export interface TrialResult {
  status: "finished" | "interrupted";
  trial: Trial;
  refusal: Refusal | null;
}
