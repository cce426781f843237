import { afterEach, describe, expect, test } from "vitest";
import type { ProtocolName } from "../../../src/models/call.ts";
import { NAMES } from "../../unit/models/protocols/made-up.ts";
import { converse, expectFailure } from "../../unit/models/protocols/pairs/conversation.ts";
import { type Running, startProvider } from "../../unit/models/protocols/pairs/door.ts";
import { providers } from "../../unit/models/protocols/pairs/providers.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { openSetting, type Setting } from "./gateway-setting.ts";

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const MODELS: Record<ProtocolName, string> = {
  chat: "compatible:m",
  responses: "openai:m",
  messages: "anthropic:m",
  gemini: "gemini:m",
};
const PAIRS = NAMES.flatMap((client) => NAMES.map((provider) => ({ client, provider })));
const USAGE = { inputUncached: 20, cacheRead: 10, cacheWrite: 0, output: 12, reasoning: 0 };

describe.each(PAIRS)("through the gateway, a client of $client and a provider of $provider", (pair) => {
  test.each([
    ["whole", false],
    ["streamed", true],
  ])("text, a tool call, its result and an error, %s, and each call in the ledger", async (_, stream) => {
    const { url, setting, upstream } = await start(pair.provider);
    await converse(url, pair, stream, upstream.requests);
    await expectFailure(url, pair, stream);
    const lines = await setting.end();
    const line = { protocolIn: pair.client, protocolOut: pair.provider, outcome: "answered", usage: USAGE };
    expect(lines).toMatchObject([
      { ...line, stopReason: "tools", modelAnswered: "m-served" },
      { ...line, stopReason: "end" },
      { outcome: "failed", blame: "agent", usage: null },
    ]);
  });
});

async function start(provider: ProtocolName): Promise<{ url: string; setting: Setting; upstream: Running }> {
  const upstream = await startProvider(providers[provider], 100);
  open.push(upstream);
  const model = {
    model: MODELS[provider],
    base_url: `${upstream.url}${provider === "chat" ? "/v1" : ""}`,
    protocols: [provider],
  };
  const setting = await openSetting({
    folder: temporaryFolder(),
    roles: { default: "m" },
    file: { models: { m: model } },
  });
  open.push({ close: () => setting.gateway.close() });
  return { url: setting.gateway.url!, setting, upstream };
}
