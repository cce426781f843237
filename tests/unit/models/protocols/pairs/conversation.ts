import { expect } from "vitest";
import type { JsonValue, ProtocolName } from "../../../../../src/models/call.ts";
import { clients } from "./clients.ts";
import { ANSWER, providers, SAID } from "./providers.ts";

const TOOL_STOP = { chat: "tool_calls", responses: "completed", messages: "tool_use", gemini: "STOP" };
const END_STOP = { chat: "stop", responses: "completed", messages: "end_turn", gemini: "STOP" };

export interface Pair {
  client: ProtocolName;
  provider: ProtocolName;
}

/** Two turns of an official client with a provider, wherever they meet: text, a tool call, its result. */
export async function converse(
  url: string,
  { client, provider }: Pair,
  stream: boolean,
  requests: { body: JsonValue }[],
): Promise<void> {
  const conversation = clients[client](url, stream);
  const first = await conversation.ask("what is here?");
  expect(first).toMatchObject({ text: SAID, inputTokens: 30, outputTokens: 12, stop: TOOL_STOP[client] });
  expect(first.calls).toEqual([{ id: expect.any(String), name: "bash", input: { command: "ls" } }]);
  expect(first.calls[0]!.id).not.toBe("");

  const second = await conversation.result("a.csv");
  expect(second).toMatchObject({ text: ANSWER, calls: [], stop: END_STOP[client] });

  const { body } = requests[1]!;
  const sent = JSON.stringify(body);
  expect(containing(body, providers[provider].result(first.calls[0]!.id))).toBe(true);
  // What a provider thought comes back to it, whatever the client speaks; Chat Completions has no place for it.
  const { secret } = providers[provider];
  if (secret !== null && client !== "chat") expect(sent).toContain(secret);
  else if (client !== provider) expect(sent).not.toContain("SECRET");
  expect(sent).not.toContain(Buffer.from("mlebench:").toString("base64"));
}

export async function expectFailure(url: string, { client }: Pair, stream: boolean): Promise<void> {
  const failure = await clients[client](url, stream)
    .ask("please fail")
    .then(
      () => null,
      (error: Error & { status?: number }) => error,
    );
  expect(failure).toMatchObject({
    status: 400,
    message: expect.stringContaining("the model does not like this"),
  });
}

/** A stream that breaks off is an error to the client, not a short answer. */
export async function expectBroken(url: string, { client }: Pair): Promise<void> {
  const outcome = await clients[client](url, true)
    .ask("please break")
    .then(
      () => "answered",
      (error: Error) => error.message,
    );
  expect(outcome).toMatch(/stream ended before the reply was complete/);
}

/** Whether some object inside a value has all fields of another one. */
function containing(value: JsonValue, wanted: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  try {
    expect(value).toMatchObject(wanted as object);
    return true;
  } catch {
    return Object.values(value).some((inner) => containing(inner as JsonValue, wanted));
  }
}
