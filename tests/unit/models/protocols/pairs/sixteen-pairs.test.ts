import { afterEach, describe, expect, test } from "vitest";
import type { JsonValue } from "../../../../../src/models/call.ts";
import { NAMES } from "../made-up.ts";
import { clients } from "./clients.ts";
import { type Running, startDoor, startProvider } from "./door.ts";
import { ANSWER, providers, SAID } from "./providers.ts";

const running: Running[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

const TOOL_STOP = { chat: "tool_calls", responses: "completed", messages: "tool_use", gemini: "STOP" };
const END_STOP = { chat: "stop", responses: "completed", messages: "end_turn", gemini: "STOP" };

const PAIRS = NAMES.flatMap((client) => NAMES.map((provider) => ({ client, provider })));

describe.each(PAIRS)("a client of $client and a provider of $provider", ({ client, provider }) => {
  test.each([
    ["whole", false, 0],
    ["streamed", true, 1000],
    ["streamed in pieces of 7 bytes", true, 7],
  ])("text, a tool call and its result, %s", async (_, stream, chunk) => {
    const { door, upstream } = await start(provider, chunk || 1000);
    const conversation = clients[client](door.url, stream);

    const first = await conversation.ask("what is here?");
    expect(first).toMatchObject({ text: SAID, inputTokens: 30, outputTokens: 12, stop: TOOL_STOP[client] });
    expect(first.calls).toEqual([{ id: expect.any(String), name: "bash", input: { command: "ls" } }]);
    expect(first.calls[0]!.id).not.toBe("");

    const second = await conversation.result("a.csv");
    expect(second).toMatchObject({ text: ANSWER, calls: [], stop: END_STOP[client] });

    const sent = JSON.stringify(upstream.requests[1]!.body);
    const id = first.calls[0]!.id;
    expect(containing(upstream.requests[1]!.body, providers[provider].result(id))).toBe(true);
    // What a provider thought comes back to it, whatever the client speaks; Chat Completions has no place for it.
    const { secret } = providers[provider];
    if (secret !== null && client !== "chat") expect(sent).toContain(secret);
    else if (client !== provider) expect(sent).not.toContain("SECRET");
    expect(sent).not.toContain("mlebench:");
  });

  test.each([
    ["whole", false],
    ["streamed", true],
  ])("an error of the provider, %s", async (_, stream) => {
    const { door } = await start(provider, 1000);
    const failure = await clients[client](door.url, stream)
      .ask("please fail")
      .then(
        () => null,
        (error: Error & { status?: number }) => error,
      );
    expect(failure).toMatchObject({
      status: 400,
      message: expect.stringContaining("the model does not like this"),
    });
  });
});

async function start(provider: keyof typeof providers, chunk: number) {
  const upstream = await startProvider(providers[provider], chunk);
  const door = await startDoor(upstream.url, provider);
  running.push(door, upstream);
  return { door, upstream };
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
