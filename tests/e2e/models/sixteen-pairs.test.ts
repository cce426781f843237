import { describe, expect, test } from "vitest";
import type { ProtocolName } from "../../../src/models/call.ts";
import { NAMES } from "../../unit/models/protocols/made-up.ts";
import { converse, expectFailure } from "../../unit/models/protocols/pairs/conversation.ts";
import { type Running, startProvider } from "../../unit/models/protocols/pairs/door.ts";
import { providers } from "../../unit/models/protocols/pairs/providers.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { endsWithTest } from "./ends-with-test.ts";
import { openSetting, post, type Setting } from "./gateway-setting.ts";

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

const DATA = "iVBORw0KGgo=";
const URL_OF_IT = `data:image/png;base64,${DATA}`;
const BASE64 = { type: "base64", media_type: "image/png", data: DATA };

/** A picture as each protocol has it: where it is asked, a call with it, and the part alone. */
const PICTURES: Record<ProtocolName, { path: string; body(model: string): object; part: object }> = {
  chat: picture("/v1/chat/completions", { type: "image_url", image_url: { url: URL_OF_IT } }),
  responses: {
    ...picture("/v1/responses", { type: "input_image", image_url: URL_OF_IT }),
    body: (model) => ({
      model,
      input: [{ role: "user", content: [{ type: "input_image", image_url: URL_OF_IT }] }],
    }),
  },
  messages: picture("/v1/messages", { type: "image", source: BASE64 }),
  gemini: {
    ...picture("/v1beta/models/MODEL:generateContent", {}),
    part: { inlineData: { mimeType: "image/png", data: DATA } },
    body: () => ({
      contents: [{ role: "user", parts: [{ inlineData: { mimeType: "image/png", data: DATA } }] }],
    }),
  },
};

function picture(path: string, part: object) {
  const messages = [{ role: "user", content: [part] }];
  return { path, part, body: (model: string) => ({ model, max_tokens: 50, messages }) };
}

test("a picture of each client reaches each provider as its own", async () => {
  const upstreams = Object.fromEntries(
    await Promise.all(NAMES.map(async (name) => [name, await startProvider(providers[name], 100)])),
  ) as Record<ProtocolName, Running>;
  endsWithTest(...Object.values(upstreams));
  const models = Object.fromEntries(NAMES.map((name) => [name, remote(name, upstreams[name].url)]));
  const setting = await openSetting({
    folder: temporaryFolder(),
    roles: Object.fromEntries(NAMES.map((name) => [name, name])),
    file: { models },
  });
  endsWithTest({ close: () => setting.gateway.close() });
  for (const { client, provider } of PAIRS) {
    const { path, body } = PICTURES[client];
    const url = `${setting.gateway.url}${path.replace("MODEL", provider)}`;
    const { status } = await post(url, JSON.stringify(body(provider)));
    expect([client, provider, status]).toEqual([client, provider, 200]);
    const [{ body: sent }] = upstreams[provider].requests.splice(0);
    const parts = allObjects(sent).filter((one) => JSON.stringify(one).includes(DATA));
    expect(parts, `${client} to ${provider}`).toContainEqual(
      expect.objectContaining(PICTURES[provider].part),
    );
  }
});

function allObjects(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(allObjects)];
}

function remote(provider: ProtocolName, url: string) {
  return {
    model: MODELS[provider],
    base_url: `${url}${provider === "chat" ? "/v1" : ""}`,
    protocols: [provider],
  };
}

async function start(provider: ProtocolName): Promise<{ url: string; setting: Setting; upstream: Running }> {
  const upstream = await startProvider(providers[provider], 100);
  endsWithTest(upstream);
  const setting = await openSetting({
    folder: temporaryFolder(),
    roles: { default: "m" },
    file: { models: { m: remote(provider, upstream.url) } },
  });
  endsWithTest({ close: () => setting.gateway.close() });
  return { url: setting.gateway.url!, setting, upstream };
}
