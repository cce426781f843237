/**
 * The internal form of a model call: what the four protocols have in common. It is used where two protocols meet, by the
 * models that need no network and by our own agents; a call that stays in one protocol passes by it byte for byte.
 */

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

export type ProtocolName = "chat" | "responses" | "messages" | "gemini";

/** Something only its own protocol understands (a thinking signature, an encrypted item): carried, never looked into. */
export interface Opaque {
  protocol: ProtocolName;
  value: JsonValue;
}

export interface TextPart {
  type: "text";
  text: string;
}

export interface ImagePart {
  type: "image";
  source: { kind: "base64"; mediaType: string; data: string } | { kind: "url"; url: string };
}

/** What the model refuses to say, where a protocol sets it apart from text. */
export interface RefusalPart {
  type: "refusal";
  text: string;
}

export interface ThinkingPart {
  type: "thinking";
  /** What may be shown of it; often empty. */
  text: string;
  opaque: Opaque | null;
}

export interface ToolCallPart {
  type: "tool-call";
  id: string;
  name: string;
  /** A function takes JSON, a custom tool takes any text. */
  kind: "function" | "custom";
  /** As the model wrote it: JSON text for a function (possibly malformed, "" means {}), the bare text for a custom tool. */
  input: string;
}

export interface ToolResultPart {
  type: "tool-result";
  callId: string;
  /** The tool's name where it is known; Gemini matches results by name. */
  name: string | null;
  content: (TextPart | ImagePart)[];
  isError: boolean;
}

export type UserPart = TextPart | ImagePart | ToolResultPart;
export type ReplyPart = TextPart | RefusalPart | ThinkingPart | ToolCallPart;

export type Message =
  | { role: "system"; parts: TextPart[] }
  | { role: "user"; parts: UserPart[] }
  | { role: "assistant"; parts: ReplyPart[] };

export interface Tool {
  kind: "function" | "custom";
  name: string;
  description: string | null;
  /** JSON schema of the arguments of a function; null for a custom tool and for a function without arguments. */
  schema: JsonObject | null;
  strict: boolean | null;
  /** The grammar of a custom tool, opaque to everyone but the protocol that has them. */
  format: JsonValue | null;
  /** Where a protocol groups tools: the group and the name inside it; `name` is then unique over all groups. */
  group: { name: string; tool: string } | null;
}

export type ToolChoice = { type: "auto" | "none" | "any" } | { type: "tool"; name: string };

export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Effort = (typeof EFFORTS)[number];

/** A setting that is absent was not asked for: the model's own default counts. */
export interface CallSettings {
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  stop?: string[];
  seed?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  effort?: Effort;
  thinkingBudget?: number;
  parallelToolCalls?: boolean;
  /** The client of a chat stream asked for a chunk of its own with the usage. */
  usageChunk?: boolean;
  /** The answer must be JSON: any object, or one of a schema. */
  json?: { schema: JsonObject | null; name: string; strict: boolean | null };
}

export interface ModelCall {
  /** As the client wrote it; the gateway maps it to the model that is asked. */
  model: string;
  system: string[];
  messages: Message[];
  tools: Tool[];
  toolChoice: ToolChoice | null;
  settings: CallSettings;
  stream: boolean;
  /** What was left out because the internal form or the other protocol has no place for it; each entry once. */
  notes: string[];
}

/** Tokens in one normal form: the three inputs are disjoint, reasoning is a part of output. */
export interface Usage {
  inputUncached: number;
  cacheRead: number;
  cacheWrite: number;
  /** The part of `cacheWrite` that lives for an hour or longer and costs more; absent where there is none. */
  cacheWriteLong?: number | undefined;
  output: number;
  reasoning: number;
  /** Another service than the usual one, with prices of its own: `flex`, `priority`, `fast`; absent for the usual one. */
  tier?: string | undefined;
}

export type StopReason =
  | "end"
  | "stop-sequence"
  | "tools"
  | "length"
  | "context"
  | "refused"
  /** The provider wants the same conversation once more (pause_turn, CONTINUATION). */
  | "again"
  | "error";

export interface ModelReply {
  id: string;
  /** The model that answered, by its own word. */
  model: string;
  parts: ReplyPart[];
  /** Null where the provider did not say. */
  usage: Usage | null;
  stopReason: StopReason;
  /** The cost the provider itself reports, in USD. */
  reportedCost?: number;
  notes: string[];
}

/**
 * A reply as it arrives. Parts have consecutive indices and do not overlap: a part ends before the next one starts, `finish`
 * or `error` comes exactly once and last.
 */
export type ReplyEvent =
  | { type: "start"; id: string; model: string; usage: Usage | null }
  | { type: "part-start"; index: number; part: StartedPart }
  | { type: "part-delta"; index: number; text: string }
  | { type: "part-end"; index: number; opaque: Opaque | null }
  | { type: "finish"; stopReason: StopReason; usage: Usage | null; reportedCost?: number }
  | { type: "error"; problem: CallProblem };

export type StartedPart =
  | { type: "text" | "refusal" | "thinking" }
  | { type: "tool-call"; id: string; name: string; kind: "function" | "custom" };

export const PROBLEM_KINDS = [
  "rate-limit",
  "overloaded",
  "server",
  "auth",
  /** The provider wants money: an empty balance, a spending limit. Never retried. */
  "billing",
  "invalid",
  /** The conversation is longer than the model takes. */
  "context",
  "not-found",
  "timeout",
  /** What came back is not a reply: half a stream, HTML, malformed JSON, a broken connection. */
  "broken",
] as const;
export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** Why a call has no reply. */
export interface CallProblem {
  kind: ProblemKind;
  /** One sentence; the provider's own words where it gave any. */
  message: string;
  /** Whether the same request can succeed later. */
  retryable: boolean;
  /** How long the provider asked to wait. */
  retryAfterMs: number | null;
  /** The provider's HTTP status, null where there was none (a broken connection, an error inside a stream). */
  status: number | null;
  /** The provider's own code (`unsupported_parameter`) and the parameter it names. */
  code: string | null;
  param: string | null;
}

export type Outcome<T> = { ok: true; value: T } | { ok: false; problem: CallProblem };

export const NO_USAGE: Usage = { inputUncached: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 };
