// full: the official SDKs solve a starter competition inside a sandbox without a network
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProtocolName } from "../../../src/models/call.ts";
import { readLedger } from "../../../src/models/ledger/ledger.ts";
import { NAMES } from "../../unit/models/protocols/made-up.ts";
import { type Running, startProvider } from "../../unit/models/protocols/pairs/door.ts";
import { ANSWER, providers, SAID } from "../../unit/models/protocols/pairs/providers.ts";
import { mlebench, startMlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { KIND } from "../trials/kinds.ts";

/** What an agent is without any of our own client code: an SDK, one tool, a loop. */
const SHELL = `
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
const task = fs.readFileSync(path.join(path.dirname(process.env.AGENT_DIR), "instructions.txt"), "utf8");
const model = process.env.MLEBENCH_MODEL;
const about = "Runs a command.";
const schema = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };
function bash(command) {
  const env = { ...process.env, PATH: process.env.PATH + ":" + path.dirname(process.execPath) };
  const { stdout, stderr } = spawnSync("sh", ["-c", command], { encoding: "utf8", maxBuffer: 2 ** 26, env, cwd: process.env.CODE_DIR });
  return (stdout + stderr).slice(-20000);
}
`;

const AGENTS = {
  openai: `import OpenAI from "openai";
const client = new OpenAI();
const messages = [{ role: "user", content: task }];
for (let turn = 0; turn < 20; turn++) {
  const tools = [{ type: "function", function: { name: "bash", description: about, parameters: schema } }];
  const { choices: [{ message }] } = await client.chat.completions.create({ model, messages, tools });
  messages.push(message);
  if (!message.tool_calls?.length) break;
  for (const call of message.tool_calls)
    messages.push({ role: "tool", tool_call_id: call.id, content: bash(JSON.parse(call.function.arguments).command) });
}`,
  anthropic: `import Anthropic from "@anthropic-ai/sdk";
const client = new Anthropic();
const messages = [{ role: "user", content: task }];
for (let turn = 0; turn < 20; turn++) {
  const tools = [{ name: "bash", description: about, input_schema: schema }];
  const reply = await client.messages.stream({ model, max_tokens: 8000, messages, tools }).finalMessage();
  messages.push({ role: "assistant", content: reply.content });
  const uses = reply.content.filter((part) => part.type === "tool_use");
  if (uses.length === 0) break;
  messages.push({ role: "user", content: uses.map(({ id, input }) => ({ type: "tool_result", tool_use_id: id, content: bash(input.command) })) });
}`,
  gemini: `import { GoogleGenAI } from "@google/genai";
const client = new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY, httpOptions: { baseUrl: process.env.GOOGLE_GEMINI_BASE_URL } });
const contents = [{ role: "user", parts: [{ text: task }] }];
for (let turn = 0; turn < 20; turn++) {
  const tools = [{ functionDeclarations: [{ name: "bash", description: about, parametersJsonSchema: schema }] }];
  const reply = await client.models.generateContent({ model, contents, config: { tools } });
  const content = reply.candidates[0].content;
  contents.push(content);
  const calls = content.parts.filter((part) => part.functionCall);
  if (calls.length === 0) break;
  contents.push({ role: "user", parts: calls.map(({ functionCall: { id, name, args } }) => ({ functionResponse: { id, name, response: { output: bash(args.command) } } })) });
}`,
} as const;

/** Every client with every provider, by the names of their protocols. */
const PAIRS = `import { clients } from ${JSON.stringify(path.resolve("tests/unit/models/protocols/pairs/clients.ts"))};
const told = [];
const url = process.env.MLEBENCH_MODEL_URL;
for (const client of Object.keys(clients))
  for (const provider of Object.keys(clients))
    for (const stream of [false, true]) {
      const asking = { model: provider, token: process.env.MLEBENCH_MODEL_TOKEN };
      const conversation = clients[client](url, stream, asking);
      const first = await conversation.ask("what is here?");
      const second = await conversation.result("a.csv");
      const failure = await clients[client](url, stream, asking).ask("please fail").then(() => null, ({ status, message }) => ({ status, message }));
      told.push({ client, provider, stream, first, second, failure });
    }
const outside = await fetch(process.env.OUTSIDE, { method: "POST", body: "{}", signal: AbortSignal.timeout(5000) }).then(() => true, () => false);
const files = { "pairs.json": JSON.stringify({ told, outside }) };
for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(process.env.LOGS_DIR, name), text);
fs.copyFileSync(path.join(process.env.DATA_DIR, "sample_submission.csv"), path.join(process.env.SUBMISSION_DIR, "submission.csv"));
`;

const root = temporaryFolder();
const agents = path.join(root, "agents");
const data = path.join(root, "data");

let outside: Running;
afterAll(() => outside.close());

beforeAll(async () => {
  // What no sandbox may reach.
  outside = await startProvider(providers.chat, 100);
  expect(mlebench(["prepare", "-c", "starter-spam", "--data-dir", data]).code).toBe(0);
  for (const [name, code] of Object.entries({ ...AGENTS, pairs: PAIRS })) {
    const imports = /^import .*$/m.exec(code)![0];
    const [, ...rest] = code.split("\n");
    // All that enters the sandbox is this one file: the SDK as its makers wrote it.
    await build({
      stdin: {
        contents: `${imports}\n${SHELL}\n${rest.join("\n")}`,
        resolveDir: path.resolve("."),
        loader: "js",
      },
      outfile: path.join(agents, name, "agent.mjs"),
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      logLevel: "error",
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
      },
    });
    const entry = {
      runtime: "node",
      command: ["/home/agent/agent.mjs"],
      needs_model: true,
      env_vars: { OUTSIDE: outside.url },
    };
    writeText(agents, `${name}/config.yaml`, JSON.stringify({ [`sdk-${name}`]: entry }));
  }
}, 180_000);

describe.each(Object.keys(AGENTS))("the SDK of %s", (name) => {
  test("solves starter-spam in a closed sandbox, through the gateway", () => {
    const ran = mlebench(
      [
        ...[
          "run",
          "--agent",
          `sdk-${name}`,
          "--agents-dir",
          agents,
          "-c",
          "starter-spam",
          "--data-dir",
          data,
        ],
        ...["--runs-dir", path.join(root, "runs"), "--name", name, "--sandbox", KIND, "--network", "none"],
        ...["--model", "simulated:steady", "--max-calls", "4", "--time-limit", "120s", "--grade"],
      ],
      {},
      150_000,
    );
    expect([ran.code, ran.stdout.match(/\d+ valid/)?.[0]]).toEqual([0, "1 valid"]);
    const folder = path.join(root, "runs", name);
    const trial = fs.readdirSync(folder).find((entry) => entry.startsWith("starter-spam_"))!;
    const record = JSON.parse(fs.readFileSync(path.join(folder, trial, "trial.json"), "utf8"));
    expect(record.modelTotals.answered).toBeGreaterThan(2);
    expect(mlebench(["verify", folder]).code).toBe(0);
  }, 200_000);
});

describe("all three SDKs, as clients of four protocols", () => {
  const open: Running[] = [];
  afterAll(() => Promise.all(open.map((one) => one.close())));

  test("hold a conversation with providers of all four from a closed sandbox", async () => {
    const models: Record<string, object> = {};
    const roles: string[] = [];
    for (const name of NAMES) {
      const upstream = await startProvider(providers[name], 100);
      open.push(upstream);
      models[name] = {
        model: REMOTE[name],
        base_url: `${upstream.url}${name === "chat" ? "/v1" : ""}`,
        protocols: [name],
      };
      roles.push("--model", `${name}=${name}`);
    }
    writeText(root, "models.yaml", JSON.stringify({ models }));
    const environment = {
      OPENAI_API_KEY: "sk-one-of-mine",
      ANTHROPIC_API_KEY: "sk-two-of-mine",
      GEMINI_API_KEY: "sk-three-of-mine",
    };
    const args = ["run", "--agent", "sdk-pairs", "--agents-dir", agents, "-c", "starter-spam"];
    const places = ["--data-dir", data, "--runs-dir", path.join(root, "runs"), "--name", "pairs"];
    const how = ["--sandbox", KIND, "--network", "none", "--time-limit", "120s"];
    const child = startMlebench(
      [...args, ...places, ...how, ...roles, "--models-file", path.join(root, "models.yaml"), "--json"],
      environment,
    );
    expect((await once(child, "exit"))[0]).toBe(0);
    const folder = path.join(root, "runs", "pairs");
    const trial = fs.readdirSync(folder).find((entry) => entry.startsWith("starter-spam_"))!;
    const read = (name: string) => fs.readFileSync(path.join(folder, trial, name), "utf8");
    const { told, outside } = JSON.parse(read("logs/pairs.json"));
    expect(told).toHaveLength(32);
    if (KIND !== "process") expect(outside).toBe(false);
    for (const one of told) {
      expect(one).toMatchObject({
        first: { text: SAID, calls: [{ name: "bash", input: { command: "ls" } }], outputTokens: 12 },
        second: { text: ANSWER, calls: [] },
        failure: { status: 400, message: expect.stringContaining("the model does not like this") },
      });
    }
    const { lines } = readLedger(path.join(folder, trial, "model/ledger.jsonl"));
    const pairs = new Set(lines.map((line) => `${line.protocolIn} ${line.protocolOut} ${line.streamed}`));
    expect([lines.length, pairs.size]).toEqual([96, 32]);
    expect(lines.filter(({ outcome }) => outcome === "answered")).toHaveLength(64);
  }, 150_000);
});

const REMOTE: Record<ProtocolName, string> = {
  chat: "compatible:m",
  responses: "openai:m",
  messages: "anthropic:m",
  gemini: "gemini:m",
};
