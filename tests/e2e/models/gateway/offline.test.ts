import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { temporaryFolder } from "../../temporary-folder.ts";
import { endsWithTest } from "../ends-with-test.ts";
import { JSON_HEADERS, message } from "../fake-provider.ts";
import { ask, openSetting, post } from "../gateway-setting.ts";
import { setting } from "./setting.ts";

test("what a simulated model said is not a language model's result in a replay either", async () => {
  const answer = () => ({ headers: JSON_HEADERS, body: [message("hi")] });
  for (const [name, model, expected] of [
    ["anthropic-claude", "claude-real", true],
    ["echo", "echo", false],
  ] as const) {
    const record = path.join(temporaryFolder(), "run.jsonl");
    const made = await setting(answer, { roles: { default: name }, settings: { record } });
    expect((await post(made.url, ask(model))).status).toBe(200);
    await made.end();
    const replayed = await openSetting({
      folder: temporaryFolder(),
      roles: { default: `recorded:${record}` },
    });
    expect(replayed.gateway.record().roles).toMatchObject([{ languageModel: expected }]);
    await replayed.end();
  }
});

test("a script answers in order, checks what was asked and finds the client's shell", async () => {
  const folder = temporaryFolder();
  const script = path.join(folder, "script.yaml");
  fs.writeFileSync(
    script,
    stringify({
      replies: [
        {
          expect: { contains: "Hello" },
          reply: { shell: "ls /home/data" },
          usage: { input: 100, output: 7 },
        },
        { expect: { contains: "never said" }, reply: { text: "not reached" } },
      ],
      aside: "A title",
    }),
  );
  const { gateway, end } = await setting(() => ({ body: [] }), {
    folder,
    roles: { default: `scripted:${script}` },
  });
  const url = `${gateway.url}/v1/messages`;
  const tools = [
    {
      name: "Bash",
      input_schema: { type: "object", properties: { command: { type: "string" }, description: {} } },
    },
  ];
  const title = await post(url, ask("scripted", "Hello"));
  expect(JSON.parse(title.body.toString())).toMatchObject({ content: [{ text: "A title" }] });
  const first = await post(url, ask("scripted", "Hello", { tools }));
  expect(JSON.parse(first.body.toString())).toMatchObject({
    stop_reason: "tool_use",
    content: [{ type: "tool_use", name: "Bash", input: { command: "ls /home/data" } }],
    usage: { input_tokens: 100, output_tokens: 7 },
  });
  const second = await post(url, ask("scripted", "Hello", { tools }));
  expect(second.status).toBe(400);
  expect(second.body.toString()).toContain("never said");
  expect(gateway.leftovers()).toEqual(["default: 1 of 2 scripted replies were not asked for"]);
  await end();
});

test("a recording replays byte for byte with the same ledger, and a miss says what differs", async () => {
  const cassette = path.join(temporaryFolder(), "run.jsonl");
  let count = 0;
  const recorded = await setting(() => ({ headers: JSON_HEADERS, body: [message(`reply ${++count}`)] }), {
    roles: { default: "anthropic-claude" },
    settings: { record: cassette },
  });
  const listed = (time: string) => `drwxr-xr-x 7 agent agent 4096 ${time} ..`;
  const texts = [
    "first at 2026-11-18T08:00:00Z in /tmp/abc/x",
    `${listed("Nov 18 14:54")}, it is Wed Nov 18 15:40:03 UTC 2026, 15:40:03`,
    "again",
    "again",
  ];
  const before: string[] = [];
  for (const text of texts) before.push((await post(recorded.url, ask("claude-real", text))).body.toString());
  const originals = await recorded.end();
  await recorded.provider.close();

  const replayed = await openSetting({
    folder: temporaryFolder(),
    roles: { default: `recorded:${cassette}` },
  });
  endsWithTest({ close: async () => void (await replayed.end()) });
  expect(replayed.gateway.models[0].id).toBe("claude-real");
  const url = `${replayed.gateway.url}/v1/messages`;
  expect(replayed.gateway.leftovers()).toEqual(["default: 4 of 4 recorded replies were not asked for"]);
  const later = [
    "first at 2027-01-01T00:00:00Z in /tmp/other/y",
    `${listed("Jan  1  2027")}, it is Fri Jan  1 00:00:00 CET 2027, 00:00:59`,
    "again",
    "again",
  ];
  const after: string[] = [];
  for (const text of later) after.push((await post(url, ask("claude-real", text))).body.toString());
  expect(after).toEqual(before);
  expect(replayed.gateway.leftovers()).toEqual([]);
  const missed = await post(url, ask("claude-real", "never asked"));
  expect(missed.status).toBe(400);
  expect(missed.body.toString()).toMatch(/differs at \/messages\/0.*never asked/s);
  const copies = await replayed.end();
  const same = ({
    usage,
    cost,
    model,
    modelAnswered,
    stopReason,
    outcome,
    replySha256,
  }: (typeof copies)[number]) => ({
    ...{ usage, cost, model, modelAnswered, stopReason, outcome, replySha256 },
  });
  expect(copies.slice(0, 4).map(same)).toEqual(originals.map(same));
  expect(copies.every(({ replayed }, i) => replayed === i < 4)).toBe(true);
});
