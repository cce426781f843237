import type { Problem } from "../../wording/problem.ts";
import type { Budget } from "../budget.ts";
import type { Places } from "../cassettes/key.ts";
import type { CassetteRecorder } from "../cassettes/record.ts";
import type { Cassette } from "../cassettes/replay.ts";
import { type Ledger, MAX_LEDGER_BYTES } from "../ledger/ledger.ts";
import type { OfflineModel } from "../offline/offline-model.ts";
import type { RemoteModel, ResolvedModel } from "../resolve.ts";
import type { TranscriptStore } from "../transcripts/store.ts";
import type { Paces } from "../transport/pace.ts";
import type { Intake } from "./intake.ts";

/** A model that a run has named, as the gateway serves it. */
export interface GatewayModel {
  role: string;
  /** What the agent calls it. */
  id: string;
  /** Other names by which it may be asked for. */
  aliases: readonly string[];
  model: ResolvedModel;
  answers: { by: "provider" } | { by: "us"; offline: OfflineModel } | { by: "recording"; cassette: Cassette };
}

export interface GatewayOptions {
  models: readonly GatewayModel[];
  /** Null: whoever reaches the gateway may ask. */
  token: string | null;
  /** The trial's, then the group's. */
  budgets: readonly Budget[];
  paces: Paces;
  ledger: Ledger;
  transcripts: TranscriptStore;
  recorder: CassetteRecorder | null;
  /** Competition and seed: what a repetition of the same run has in common with it. */
  lane: string;
  /** Folders of this run that an agent may mention, for recordings. */
  places: Places;
  seed: number;
  /** Tools that run at the provider. */
  providerTools: boolean;
  /** By `performance.now()`. */
  deadline: number;
  keyOf(model: RemoteModel): { key: string | null } | Problem;
  /** Never written into a transcript. */
  secrets: readonly string[];
  /** Told when something was taken out of or refused in a request because the provider would have reached the network. */
  onProviderTool?: (names: readonly string[]) => void;
  /** What requests that are under way take from others. */
  intake: Intake;
  timing?: Partial<GatewayTiming>;
}

export interface GatewayTiming {
  /** The first wait before a retry. */
  retryMs: number;
  /** How often a call is tried in all. */
  tries: number;
  /** A quiet stream is kept alive this often. */
  keepAliveMs: number;
  /** A stream without a byte for so long has stalled. */
  stallMs: number;
  /** A stream of which more bytes have come does not end by itself. */
  streamBytes: number;
  /** A ledger that is longer takes no further call. */
  ledgerBytes: number;
}

export const USUAL_TIMING: GatewayTiming = {
  retryMs: 1000,
  tries: 8,
  keepAliveMs: 10_000,
  stallMs: 15 * 60_000,
  // No model writes a tenth of it.
  streamBytes: 256 * 2 ** 20,
  ledgerBytes: MAX_LEDGER_BYTES,
};
