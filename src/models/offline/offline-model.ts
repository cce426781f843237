import type { ModelCall, ModelReply, Outcome } from "../call.ts";

/** Who asks: whatever a model that needs no network may let its answer depend on. */
export interface OfflineContext {
  /** Of the run: `default`, `code`, … */
  role: string;
  /** Competition, seed and role: the same in a repetition of the same run. */
  lane: string;
  /** The trial's; 0 outside of one. */
  seed: number;
  signal: AbortSignal;
}

/** A reply, and how it travels: what only tests need to decide. */
export interface OfflineAnswer {
  reply: Outcome<ModelReply>;
  /** The status of a problem, where the kind's own is not meant. */
  status?: number;
  /** Cuts the connection after so many bytes of the reply. */
  disconnectAfter?: number;
  /** What a reader should know. */
  notes?: string[];
}

/**
 * A model that runs in the harness. One object serves all calls of one trial and role, in order; it may wait, and it must
 * stop waiting when the signal says so.
 */
export interface OfflineModel {
  answer(call: ModelCall, context: OfflineContext): Promise<OfflineAnswer>;
  /** What was left over at the end, in a sentence; null when nothing was. */
  leftover?(): string | null;
}
