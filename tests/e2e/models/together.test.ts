// full: several processes spend from one budget
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { thisMachineId } from "../../../src/files/process-identity.ts";
import { readLedger } from "../../../src/models/ledger/ledger.ts";
import { startMlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { plan, scene } from "../trials/setting.ts";
import { endsWithTest } from "./ends-with-test.ts";
import { JSON_HEADERS, message, type ProviderAnswer, startProvider } from "./fake-provider.ts";
import { ask, openSetting, openTrial, post, type SettingRequest } from "./gateway-setting.ts";

/** 12 cents a call. */
const DEAR = message("x", { input_tokens: 100, output_tokens: 100 });
const PRICE = { input: 2, output: 1200 };
const TWELVE_CENTS: ProviderAnswer = { headers: JSON_HEADERS, body: [30, DEAR] };

interface Provider {
  url: string;
  close(): Promise<void>;
}

async function opened(provider: Provider, more: Partial<SettingRequest> & { limits?: object }) {
  const models = { m: { model: "anthropic:claude-real", base_url: provider.url, price: PRICE } };
  const setting = await openSetting({
    folder: temporaryFolder(),
    roles: { default: "m" },
    file: { models, providers: { anthropic: more.limits ?? {} } },
    ...more,
  });
  endsWithTest(setting.gateway);
  return { ...setting, url: `${setting.gateway.url}/v1/messages` };
}

async function provided(answer: Parameters<typeof startProvider>[0]) {
  const provider = await startProvider(answer);
  endsWithTest(provider);
  return provider;
}

const CENTS_50 = { settings: { groupLimits: { cost: 0.5 } } };

test.each(["trialLimits", "groupLimits"])(
  "a call that waits for what is left of %s and is given up holds nothing of it",
  async (limits) => {
    const [open, wait] = gate();
    const provider = await provided((_, number) => ({
      headers: JSON_HEADERS,
      body: number === 1 ? [wait, message("x")] : [message("x")],
    }));
    const { url, ledger } = await opened(provider, { settings: { [limits]: { cost: 0.5 } } });
    const dear = ask("claude-real", "x", { max_tokens: 1000 });
    const running = post(url, dear);
    await expect.poll(() => provider.seen.length, { timeout: 10_000 }).toBe(1);
    await Promise.all([1, 2, 3].map(() => post(url, dear, {}, { abortAfterMs: 100 })));
    await expect.poll(() => ledger().length, { timeout: 10_000 }).toBe(3);
    open();
    await running;
    for (let i = 0; i < 3; i++) expect((await post(url, dear)).status).toBe(200);
    expect(ledger().filter(({ outcome }) => outcome === "cancelled")).toHaveLength(3);
  },
);

test("processes of one group go over its $0.50 by one call at most, and each knows what all have spent", async () => {
  const together = { folder: temporaryFolder(), paces: false };
  const provider = await provided(() => TWELVE_CENTS);
  const all = await Promise.all([1, 2, 3].map(() => opened(provider, { ...CENTS_50, together })));
  await Promise.all(Array.from({ length: 30 }, (_, i) => post(all[i % 3].url, ask("claude-real"))));
  expect(provider.seen).toHaveLength(5);
  for (const { gateway } of all) {
    const left = await post(`${gateway.url}/budget`, "", {}, { method: "GET" });
    expect(JSON.parse(left.body.toString())).toMatchObject({
      left: { cost: 0 },
      used: expect.closeTo(1.2, 1),
    });
  }
  const late = await opened(provider, { ...CENTS_50, together });
  expect((await post(late.url, ask("claude-real"))).status).toBe(400);
});

test("what a dead process held is given back, and what it has spent is not", async () => {
  const folder = temporaryFolder();
  const provider = await provided(() => TWELVE_CENTS);
  const first = await opened(provider, { ...CENTS_50, together: { folder, paces: true } });
  expect((await post(first.url, ask("claude-real"))).status).toBe(200);
  const dead = { host: os.hostname(), pid: 2 ** 22 + 1, started: "1", machine: thisMachineId() };
  const accounts = {
    spent: { cost: 0.37, tokens: 10, calls: 1 },
    reserved: { cost: 100, tokens: 100, calls: 1 },
  };
  const entry = { schema: "mlebench/spending", version: 1, ...dead, moves: 3, ...accounts };
  writeText(folder, "spending/dead.json", JSON.stringify(entry));
  writeText(folder, "spending/garbage.json", "{");
  const [paces] = fs.readdirSync(path.join(folder, "paces"));
  const lock = { schema: "mlebench/pace-lock", version: 1, ...dead, token: "x", beat: "0000000001" };
  for (let i = 0; i < 8; i++) writeText(folder, `paces/${paces}/slot-${i}.lock`, `${JSON.stringify(lock)}\n`);
  expect((await post(first.url, ask("claude-real"))).status).toBe(200);
  expect((await post(first.url, ask("claude-real"))).status).toBe(400);
});

test("processes of one group ask a provider no more often at a time, or in a minute, than it allows", async () => {
  const together = { folder: temporaryFolder(), paces: true };
  let running = 0;
  let most = 0;
  const starts: number[] = [];
  const provider = await provided(async () => {
    starts.push(performance.now());
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 130));
    running--;
    return { headers: JSON_HEADERS, body: [message("x")] };
  });
  const limits = { concurrency: 2, calls_per_minute: 1200 };
  const all = await Promise.all([1, 2, 3].map(() => opened(provider, { limits, together })));
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, i) => post(all[i % 3].url, ask("claude-real"))),
  );
  expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(most).toBe(2);
  // Eleven gaps of 50 ms.
  expect(starts.at(-1)! - starts[0]).toBeGreaterThan(500);
  const waited = all.map(({ ledger }) => ledger().reduce((sum, line) => sum + line.milliseconds.waiting, 0));
  expect(Math.max(...waited)).toBeGreaterThan(100);
});

test("a trial that asks for many calls at once does not hold up another one's only call", async () => {
  const order: string[] = [];
  const provider = await provided(({ body }) => {
    order.push(JSON.parse(body.toString()).messages[0].content);
    return { headers: JSON_HEADERS, body: [20, message("x")] };
  });
  const { models, url, folder } = await opened(provider, { limits: { concurrency: 2 } });
  const other = await openTrial(models, { folder: path.join(folder, "other") });
  endsWithTest(other.gateway);
  const many = Array.from({ length: 40 }, () => post(url, ask("claude-real", "many")));
  await expect.poll(() => order.length, { timeout: 10_000 }).toBeGreaterThan(1);
  await post(`${other.gateway.url}/v1/messages`, ask("claude-real", "one"));
  await Promise.all(many);
  expect(order.indexOf("one")).toBeLessThan(30);
});

test("two trials of a group in processes of their own stop at the group's limit", async () => {
  const provider = await provided(() => ({ headers: JSON_HEADERS, body: [200, DEAR] }));
  const setting = scene("");
  const agent = { runtime: "node", command: ["/home/agent/agent.mjs"], env_vars: { ROUNDS: "50" } };
  writeText(setting.agentsDir, "asker/config.yaml", stringify({ asker: agent }));
  writeText(setting.agentsDir, "asker/agent.mjs", fs.readFileSync("tests/agents/model-asker/agent.mjs"));
  writeText(
    setting.root,
    "models.yaml",
    stringify({ models: { m: { model: "anthropic:claude-real", base_url: provider.url, price: PRICE } } }),
  );
  const folder = await plan(
    setting,
    {
      agentId: "asker",
      sandbox: "process",
      timeSeconds: 60,
      models: { default: "m" },
      modelAccess: {
        modelsFile: path.join(setting.root, "models.yaml"),
        trialLimits: {},
        groupLimits: { cost: 1 },
        providerTools: false,
        transcripts: "none",
        record: null,
      },
    },
    { seeds: 2 },
  );
  const { trials } = JSON.parse(fs.readFileSync(path.join(folder, "group.json"), "utf8"));
  const ids: string[] = trials.map(({ id }: { id: string }) => id);
  const environment = { ANTHROPIC_API_KEY: "sk-some-key-of-the-provider" };
  const children = ids.map((id) => startMlebench(["trial", folder, id, "--json"], environment));
  await Promise.all(children.map((child) => once(child, "exit")));
  const lines = ids.flatMap((id) => readLedger(path.join(folder, id, "model/ledger.jsonl")).lines);
  expect(lines.filter(({ outcome }) => outcome === "answered")).toHaveLength(9);
  expect(provider.seen).toHaveLength(9);
  for (const id of ids)
    expect(JSON.parse(fs.readFileSync(path.join(folder, id, "trial.json"), "utf8")).outcome).toMatchObject({
      stopReason: "budget",
    });
  expect(fs.existsSync(path.join(folder, "together/spending"))).toBe(false);
}, 120_000);

function gate(): [() => void, Promise<void>] {
  let open = () => {};
  const wait = new Promise<void>((resolve) => {
    open = resolve;
  });
  return [open, wait];
}
