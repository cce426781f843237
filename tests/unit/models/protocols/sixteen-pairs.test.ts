import { afterEach, describe, test } from "vitest";
import { NAMES } from "./made-up.ts";
import { converse, expectBroken, expectFailure } from "./pairs/conversation.ts";
import { type Running, startDoor, startProvider } from "./pairs/door.ts";
import { providers } from "./pairs/providers.ts";

const running: Running[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

const PAIRS = NAMES.flatMap((client) => NAMES.map((provider) => ({ client, provider })));

describe.each(PAIRS)("a client of $client and a provider of $provider", (pair) => {
  test.each([
    ["whole", false, 1000],
    ["streamed", true, 1000],
    ["streamed in pieces of 7 bytes", true, 7],
  ])("text, a tool call and its result, %s", async (_, stream, chunk) => {
    const { door, upstream } = await start(pair.provider, chunk);
    await converse(door.url, pair, stream, upstream.requests);
  });

  test.each([
    ["whole", false],
    ["streamed", true],
  ])("an error of the provider, %s", async (_, stream) => {
    const { door } = await start(pair.provider, 1000);
    await expectFailure(door.url, pair, stream);
  });

  test.skipIf(pair.client === pair.provider)("half a stream of the provider", async () => {
    const { door } = await start(pair.provider, 1000);
    await expectBroken(door.url, pair);
  });
});

async function start(provider: keyof typeof providers, chunk: number) {
  const upstream = await startProvider(providers[provider], chunk);
  const door = await startDoor(upstream.url, provider);
  running.push(door, upstream);
  return { door, upstream };
}
