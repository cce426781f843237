import type {
  CallProblem,
  JsonObject,
  JsonValue,
  ModelCall,
  ModelReply,
  Outcome,
  ProtocolName,
  ReplyEvent,
  StopReason,
  Usage,
} from "../call.ts";

/** What a request to the gateway's port is about. */
export type Endpoint =
  /** A model call. `model` and `stream` are set where the path says them (Gemini), null where the body does. */
  | { kind: "call"; model: string | null; stream: boolean | null }
  | { kind: "count-tokens"; model: string | null }
  | { kind: "list-models" }
  | { kind: "show-model"; model: string }
  /** Belongs to this protocol, but is not offered: answer 404 in its error shape. */
  | { kind: "other" };

/** The body of a request after JSON.parse, and what the path said. */
export interface ReadableRequest {
  body: JsonValue;
  endpoint: Endpoint;
}

/** A request to a provider, relative to its base URL (which ends before `/v1` or `/v1beta`). */
export interface WrittenRequest {
  method: "POST";
  path: string;
  headers: Record<string, string>;
  body: JsonObject;
  /** What the other protocol has no place for and could be left out without harm. */
  notes: string[];
}

export interface WrittenReply {
  status: number;
  headers: Record<string, string>;
  body: JsonValue;
}

/** Turns the bytes of a streamed reply into events, whatever the borders of the chunks. After `end` nothing may be pushed. */
export interface StreamReader {
  push(chunk: Uint8Array): ReplyEvent[];
  /** The connection is at its end: a reply that was not finished becomes an error event of kind "broken". */
  end(): ReplyEvent[];
}

/** Turns events into the bytes of a streamed reply. Everything is complete after the text of `finish` or `error`. */
export interface StreamWriter {
  readonly headers: Record<string, string>;
  write(event: ReplyEvent): string;
}

/** What a reply says about itself, read beside the bytes that pass through. */
export interface Metered {
  usage: Usage | null;
  /** The cost the provider itself reports, in USD (OpenRouter). */
  reportedCost: number | null;
  stopReason: StopReason | null;
  id: string | null;
  model: string | null;
  /** An error inside a reply that began with status 200, or a stream without its end. */
  problem: CallProblem | null;
  /** Characters of text, thinking and tool arguments seen, for an estimate where usage is missing. */
  outputCharacters: number;
}

/** Watches a reply that passes through, without changing or holding it. Never throws. */
export interface Meter {
  /** True where the reply went on: a comment or a ping says nothing. */
  push(chunk: Uint8Array): boolean;
  end(): Metered;
}

/** A tool that runs at the provider and reaches the network by another door. */
export interface ProviderTool {
  /** As the request names it: "web_search_20250305", "code_interpreter", "googleSearch", "mcp". */
  name: string;
}

/**
 * New values for top-level fields of a JSON body; undefined removes the field. `editBody` applies them to the bytes and leaves
 * all others as they were.
 */
export type BodyEdits = Record<string, JsonValue | undefined>;

export interface Peeked {
  model: string | null;
  stream: boolean;
  maxOutputTokens: number | null;
  /** How many replies are asked for at once; each is paid for. */
  choices: number;
}

/** One of the four ways to talk to a model, in both directions. */
export interface Protocol {
  readonly name: ProtocolName;

  /** What a request is about, or null where it is not of this protocol. `path` may have a query and may lack `/v1`. */
  match(method: string, path: string): Endpoint | null;
  /** Headers (lower case) in which a client sends its key; for `authorization` after "Bearer ". */
  readonly keyHeaders: readonly string[];
  /** Request headers (lower case) that a pass-through forwards to the provider. */
  readonly forwardedHeaders: readonly string[];
  /** Fields of a request's query that a pass-through forwards: `fields` and its like would change what comes back. */
  readonly forwardedQuery: readonly string[];

  /** The header that carries the provider's key, by default. */
  authorize(key: string): Record<string, string>;
  /** The path of a model call below the provider's base URL, for a pass-through. */
  callPath(model: string, stream: boolean): string;

  readRequest(request: ReadableRequest): Outcome<ModelCall>;
  /** `compatible`: the server is one of those that copy the protocol and know its older fields only. */
  writeRequest(call: ModelCall, options?: { compatible?: boolean }): Outcome<WrittenRequest>;
  /** Reads a body that came with status 200 to 299; an error inside it is a problem. */
  readReply(body: JsonValue): Outcome<ModelReply>;
  writeReply(reply: ModelReply, call: ModelCall): WrittenReply;
  streamReader(): StreamReader;
  streamWriter(call: ModelCall): StreamWriter;

  /** `status` overrides the one that belongs to the problem's kind (a spent budget: kind "invalid", 400). */
  writeError(problem: CallProblem, status?: number): WrittenReply;
  /** Reads a reply with an error status; the body may be anything. Header names in lower case. */
  readError(
    status: number,
    headers: Record<string, string | string[] | undefined>,
    body: Uint8Array,
  ): CallProblem;
  writeModels(models: string[]): WrittenReply;
  writeTokenCount(tokens: number): WrittenReply;

  /** Bytes that keep a quiet stream alive, null where the protocol's clients accept none. */
  readonly keepAlive: string | null;

  /** Usage and stop reason of a reply that passes through: `stream` by its content type. */
  meter(stream: boolean): Meter;
  /** The model and the settings the gateway decides on, from a body that is not translated. */
  peek(request: ReadableRequest): Peeked;
  /** What to change so that a streamed reply ends with its usage, null where it does anyway. */
  askForUsage(body: JsonValue): BodyEdits | null;
  providerTools(body: JsonValue): ProviderTool[];
  /** Takes the provider's tools out of a request. */
  withoutProviderTools(body: JsonValue): BodyEdits;
}
