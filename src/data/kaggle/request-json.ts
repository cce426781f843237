import type { z } from "zod";
import { isProblem, withRetries } from "./backoff.ts";
import type { KaggleClient } from "./client.ts";
import { type Call, exchange, readText } from "./exchange.ts";
import { type KaggleProblem, kaggleProblem } from "./messages.ts";

export type Json<T> = { status: "read"; value: T };

const longestAnswer = 128 * 1024 * 1024;

/** A JSON answer of the API in the shape the schema asks for, temporary failures retried. */
export function requestJson<T>(
  client: KaggleClient,
  call: Omit<Call, "signal">,
  schema: z.ZodType<T>,
  signal: AbortSignal | null,
): Promise<Json<T> | KaggleProblem> {
  async function attempt(): Promise<Json<T> | KaggleProblem> {
    const answer = await exchange(client, { ...call, signal });
    if (isProblem(answer)) return answer;
    const text = await readText(answer, { ...call, signal }, longestAnswer);
    if (typeof text !== "string") return text;
    const parsed = schema.safeParse(parseJson(text));
    if (parsed.success) return { status: "read", value: parsed.data };
    return kaggleProblem("UNEXPECTED_ANSWER", call.competition, "Kaggle's answer has an unknown shape");
  }
  return withRetries(attempt, { pace: client.pace, signal, onRetry: null });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
