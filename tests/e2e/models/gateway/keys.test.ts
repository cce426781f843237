import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readTranscripts } from "../../../../src/models/transcripts/read.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { JSON_HEADERS, message, messageStream, STREAM_HEADERS } from "../fake-provider.ts";
import { filesBelow } from "../files-below.ts";
import { ask, post, REAL_KEY } from "../gateway-setting.ts";
import { setting } from "./setting.ts";

test("the key stands in no file, and a secret of the agent in no transcript", async () => {
  const secret = "agents-own-secret-42";
  const { url, folder, end } = await setting(
    () => ({ headers: JSON_HEADERS, body: [message(`you said ${secret}`)] }),
    {
      withToken: true,
      secrets: [secret],
    },
  );
  await post(url, ask("claude-real", `my secret is ${secret}`), { "x-api-key": "wrong" });
  await end();
  for (const file of filesBelow(path.dirname(folder))) {
    expect(fs.readFileSync(file).includes(REAL_KEY), file).toBe(false);
    if (file.includes("bodies")) continue;
    expect(fs.readFileSync(file).includes(secret), file).toBe(false);
  }
});

test("a key that the provider says again is masked for the agent and in ledger, transcript and cassette", async () => {
  const folder = temporaryFolder();
  const cassette = path.join(folder, "run.jsonl");
  const echoing = message(`your key is ${REAL_KEY}`)
    .replace("msg_1", REAL_KEY)
    .replace("claude-real", REAL_KEY);
  // In two pieces, with a pause between them.
  const events = messageStream("hi").flatMap((event) => {
    const text = event.replace("msg_1", REAL_KEY);
    const at = text.indexOf(REAL_KEY) + 9;
    return text.includes(REAL_KEY) ? [text.slice(0, at), 20, text.slice(at)] : [text];
  });
  const headers = { "request-id": `req ${REAL_KEY}`, "anthropic-echo": REAL_KEY };
  const { url, gateway, end } = await setting(
    ({ body }) => {
      const { stream, system } = JSON.parse(body.toString()) as { stream?: boolean; system?: string };
      if (system === "fail")
        return { status: 400, headers, body: [`{"error":{"message":"bad ${REAL_KEY}"}}`] };
      if (system === "break")
        return { status: 500, headers, body: [`{"error":{"message":"bad ${REAL_KEY}"}}`] };
      return stream
        ? { headers: { ...STREAM_HEADERS, ...headers }, body: events }
        : { headers: { ...JSON_HEADERS, ...headers }, body: [echoing] };
    },
    { folder, settings: { record: cassette } },
  );
  const chat = `${gateway.url}/v1/chat/completions`;
  const system = [
    { role: "system", content: "x" },
    { role: "user", content: "x" },
  ];
  const replies = [
    await post(url, ask("claude-real")),
    await post(url, ask("claude-real", "x", { stream: true })),
    await post(url, ask("claude-real", "x", { system: "fail" })),
    await post(url, ask("claude-real", "x", { system: "break" })),
    await post(chat, ask("claude-real", "x", { messages: system })),
    await post(chat, ask("claude-real", "x", { messages: system, stream: true })),
  ];
  for (const { body, headers } of replies) {
    expect(body.toString()).not.toContain(REAL_KEY);
    expect(JSON.stringify(headers)).not.toContain(REAL_KEY);
  }
  expect(replies[0].body.toString()).toContain("your key is ***");
  const lines = await end();
  expect(lines[0]).toMatchObject({ outcome: "answered", requestId: "req ***", modelAnswered: "***" });
  for (const file of filesBelow(folder)) {
    expect(fs.readFileSync(file).includes(REAL_KEY), file).toBe(false);
  }
  for (const { reply } of readTranscripts(path.join(folder, "model")))
    expect(reply!.toString()).not.toContain(REAL_KEY);
  expect(fs.readFileSync(cassette, "utf8")).toContain("your key is ***");
});
