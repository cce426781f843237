import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { roleVariable } from "../../models/names.ts";

/** A conversation as Chat Completions has it, which the gateway speaks whatever model stands behind it. */
export type ChatMessage =
  | { role: "system" | "user"; content: string }
  | { role: "assistant"; content: string | null; tool_calls?: ChatToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

export interface ChatToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

export interface ChatTool {
  name: string;
  description: string;
  parameters: object;
}

export type ModelAnswer =
  | {
      status: "answered";
      /** As the ledger has it, where the reply has one. */
      id?: string;
      text: string;
      toolCalls: ChatToolCall[];
      inputTokens: number;
      outputTokens: number;
    }
  /** The gateway refuses: the budget is used up (`budget_spent`), or the request is wrong. Asking again cannot help. */
  | { status: "refused"; code?: string; message: string }
  /** No usable answer, after every retry. */
  | { status: "unreachable"; message: string };

export type AskModel = (messages: readonly ChatMessage[], tools: readonly ChatTool[]) => Promise<ModelAnswer>;

/** What a call asks for beside its messages. */
export interface CallWishes {
  temperature?: number;
  topP?: number;
  /** The model has to call a tool; with one tool that is the one. */
  mustUseTool?: boolean;
}

export interface ModelPlace {
  url: string;
  token: string;
  model: string;
}

const MAX_TRIES = 4;
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

/** The model of this trial by its role; null when the run named none. */
export function modelPlace(environment: NodeJS.ProcessEnv, role?: string): ModelPlace | null {
  const own = role === undefined ? undefined : environment[roleVariable(role)];
  const { MLEBENCH_MODEL_URL: url, MLEBENCH_MODEL_TOKEN: token, MLEBENCH_MODEL: main } = environment;
  const model = own ?? main;
  return url && token && model ? { url, token, model } : null;
}

/** No time limit of its own: a model may think for an hour, and the trial's deadline ends everything. */
export function modelClient({ url, token, model }: ModelPlace, wishes: CallWishes = {}): AskModel {
  const { temperature, topP, mustUseTool = false } = wishes;
  return async (messages, tools) => {
    const body = JSON.stringify({
      model,
      messages,
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined ? {} : { top_p: topP }),
      ...(mustUseTool && tools.length > 0 ? { tool_choice: "required" } : {}),
      ...(tools.length > 0 ? { tools: tools.map((tool) => ({ type: "function", function: tool })) } : {}),
    });
    let message = "";
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      if (tries > 1) await wait(2 ** tries * 500);
      try {
        const { status, text } = await post(`${url}/v1/chat/completions`, token, body);
        if (status === 200) return readAnswer(text);
        const error = errorIn(text);
        message = `status ${status}: ${error.message}`;
        if (status < 500 && status !== 408 && status !== 429)
          return { status: "refused", ...(error.code === null ? {} : { code: error.code }), message };
      } catch (error) {
        message = (error as Error).message;
      }
    }
    return { status: "unreachable", message };
  };
}

function post(url: string, token: string, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
      "content-length": Buffer.byteLength(body),
    };
    const request = http.request(url, { method: "POST", headers }, (response) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      response.on("data", (piece: Buffer) => {
        pieces.push(piece);
        bytes += piece.length;
        if (bytes > MAX_REPLY_BYTES) response.destroy(new Error("the model's reply is over 64 MiB"));
      });
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() }),
      );
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** Whatever came back: a model's reply is hostile until it is parsed. */
function readAnswer(text: string): ModelAnswer {
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch {
    return { status: "unreachable", message: "the reply is not JSON" };
  }
  const { id, choices, usage } = (reply ?? {}) as {
    id?: unknown;
    choices?: unknown;
    usage?: Record<string, unknown>;
  };
  const message = (Array.isArray(choices) ? choices[0]?.message : null) as Record<string, unknown> | null;
  if (!message) return { status: "unreachable", message: "the reply has no message" };
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const count = (value: unknown) => (Number.isFinite(value) ? Number(value) : 0);
  return {
    status: "answered",
    ...(typeof id === "string" ? { id } : {}),
    text: typeof message.content === "string" ? message.content : "",
    toolCalls: calls.flatMap(toolCallOf),
    inputTokens: count(usage?.prompt_tokens),
    outputTokens: count(usage?.completion_tokens),
  };
}

function toolCallOf(
  call: { id?: unknown; function?: { name?: unknown; arguments?: unknown } } | null,
): ChatToolCall[] {
  const name = call?.function?.name;
  if (typeof name !== "string") return [];
  const given = call?.function?.arguments;
  const id = typeof call?.id === "string" && call.id !== "" ? call.id : `call_${name}`;
  return [{ id, type: "function", function: { name, arguments: typeof given === "string" ? given : "{}" } }];
}

function errorIn(text: string): { message: string; code: string | null } {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown; code?: unknown } };
    const code = typeof error?.code === "string" ? error.code : null;
    if (typeof error?.message === "string") return { message: error.message, code };
  } catch {
    // Not every error is JSON.
  }
  return { message: text.slice(0, 300), code: null };
}
