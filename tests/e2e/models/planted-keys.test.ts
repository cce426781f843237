// full: a trial that tells its secrets, and every report and export searched for them
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { extractArchive } from "../../../src/archive/extract.ts";
import { readTranscripts } from "../../../src/models/transcripts/read.ts";
import { startRun } from "../../../src/workflows/run/run.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { KIND } from "../trials/kinds.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";
import { type FakeProvider, JSON_HEADERS, message, startProvider } from "./fake-provider.ts";
import { filesBelow } from "./files-below.ts";

/** The provider's key stays outside; the agent's own secret is given to it, and it tells everybody. */
const KEY = "sk-planted-provider-key-0815";
const SECRET = "own-planted-secret-4711-abcdef";

const TALKER = `
import fs from "node:fs";
import http from "node:http";
const { DATA_DIR, SUBMISSION_DIR, LOGS_DIR, CODE_DIR, OWN_SECRET, MLEBENCH_MODEL, MLEBENCH_MODEL_URL, MLEBENCH_MODEL_TOKEN } = process.env;
const ask = (content) => new Promise((resolve) => {
  const headers = { "content-type": "application/json", "x-api-key": MLEBENCH_MODEL_TOKEN };
  const request = http.request(MLEBENCH_MODEL_URL + "/v1/messages", { method: "POST", headers }, async (response) => {
    let text = "";
    for await (const chunk of response) text += chunk;
    resolve(text);
  });
  request.end(JSON.stringify({ model: MLEBENCH_MODEL, max_tokens: 100, messages: [{ role: "user", content }] }));
});
const reply = await ask("My secret is " + OWN_SECRET + ", say it again.");
process.stdout.write("found: " + OWN_SECRET.slice(0, 9));
await new Promise((resolve) => setTimeout(resolve, 300));
process.stdout.write(OWN_SECRET.slice(9) + "\\n");
console.error("Error: no access with " + OWN_SECRET);
for (const folder of [LOGS_DIR, CODE_DIR]) {
  fs.writeFileSync(folder + "/told.txt", OWN_SECRET + "\\n" + reply + "\\n");
  fs.writeFileSync(folder + "/told.py", "key = \\"" + OWN_SECRET + "\\"\\n");
}
const summary = { schema: "mlebench.coding-agent", version: 1, program: OWN_SECRET, continuations: 0, turns: 1, toolCalls: 0, failedCommands: 0, ownTokens: null };
fs.writeFileSync(LOGS_DIR + "/coding-agent.json", JSON.stringify(summary));
fs.writeFileSync(LOGS_DIR + "/turns.jsonl", JSON.stringify({ time: Date.now(), run: 0, turns: 1, error: OWN_SECRET }) + "\\n");
fs.copyFileSync(DATA_DIR + "/sample_submission.csv", SUBMISSION_DIR + "/submission.csv");
process.exit(3);
`;

const root = temporaryFolder();
const runsDir = path.join(root, "runs");
const cassette = path.join(root, "told.jsonl");
let provider: FakeProvider;
let group = "";
let trial = "";

beforeAll(async () => {
  // The worst there is: it says the key and everything else again, in the reply and in its headers.
  provider = await startProvider(({ headers, body }) => ({
    headers: { ...JSON_HEADERS, "request-id": `req ${headers["x-api-key"]}` },
    body: [message(`You sent ${headers["x-api-key"]} and ${body.toString()}`)],
  }));
  process.env.ANTHROPIC_API_KEY = KEY;
  process.env.OWN_SECRET = SECRET;
  const agentsDir = path.join(root, "agents");
  const entry = {
    runtime: "node",
    command: ["/home/agent/agent.mjs"],
    env_vars: { OWN_SECRET: ["$", "{{ secrets.OWN_SECRET }}"].join("") },
  };
  writeText(agentsDir, "talker/config.yaml", stringify({ talker: entry }));
  writeText(agentsDir, "talker/agent.mjs", TALKER);
  const modelsFile = path.join(root, "models.yaml");
  const clever = { model: "anthropic:claude-real", base_url: provider.url, price: { input: 2, output: 10 } };
  fs.writeFileSync(modelsFile, stringify({ models: { clever } }));
  const outcome = await startRun({
    agent: "talker",
    competitions: [COMPETITION],
    runsDir,
    name: "told",
    agentFolders: [agentsDir],
    dataDir: layOutPrepared(path.join(root, "data")),
    sandbox: KIND,
    rootFolder: null,
    timeSeconds: 60,
    graceSeconds: 1,
    models: { default: "clever" },
    modelAccess: { modelsFile, record: cassette },
    grade: true,
  });
  if (outcome.status === "refused") throw new Error(outcome.problem.message);
  group = outcome.folder;
  trial = path.join(group, outcome.group.trials[0].id);
}, 120_000);
afterAll(() => provider.close());

/** Nothing that was planted, in plain bytes, as JSON spells it, or in Base64. */
function expectClean(name: string, bytes: Buffer | string): void {
  const text = Buffer.from(bytes).toString("latin1");
  for (const planted of [KEY, SECRET]) {
    const spelled = [
      planted,
      Buffer.from(planted).toString("base64").replace(/=+$/, ""),
      encodeURIComponent(planted),
    ];
    for (const one of spelled) expect([name, text.includes(one)]).toEqual([name, false]);
  }
}

test("the provider did see the key, and the agent did tell its secret", () => {
  expect(provider.seen[0].headers["x-api-key"]).toBe(KEY);
  expect(provider.seen[0].body.toString()).toContain(SECRET);
  expect(fs.readFileSync(path.join(trial, "run.log"), "utf8")).toContain("found: ***");
});

test("no file of the group holds what was planted, transcripts unpacked and the cassette included", () => {
  const files = filesBelow(group);
  expect(files.length).toBeGreaterThan(15);
  for (const file of [...files, cassette]) expectClean(file, fs.readFileSync(file));
  const kept = [...readTranscripts(path.join(trial, "model"))];
  expect(kept).toHaveLength(1);
  for (const { request, reply } of kept) {
    expect(request!.toString()).toContain("My secret is ***");
    for (const body of [request!, reply!]) expectClean("transcript", body);
  }
});

test.each([
  ["logs", (place: string) => ["logs", place]],
  ["the conversation", (place: string) => ["logs", place, "--model"]],
  ["the conversation as JSON", (place: string) => ["logs", place, "--model", "--json"]],
  ["turns", (place: string) => ["logs", place, "--turns"]],
  ["status", () => ["status", group, "--json"]],
  ["failures", () => ["failures", group, "--json"]],
  ["rules", () => ["rules", group, "--json"]],
  ...["markdown", "json", "junit", "github", "jsonl"].map(
    (format) => [`the ${format} report`, () => ["report", group, "--format", format]] as const,
  ),
] as [string, (place: string) => string[]][])("none of it is in %s", (name, args) => {
  const { stdout, stderr } = mlebench(args(trial));
  expect(stdout.length).toBeGreaterThan(20);
  expectClean(name, stdout + stderr);
});

test.each([
  ["the HTML report", (to: string) => ["report", group, "-o", `${to}/report.html`]],
  [
    "the viewer's pages",
    (to: string) => ["view", "--runs-dir", runsDir, "--export", `${to}/pages`, "--transcripts"],
  ],
  ["trajectories", (to: string) => ["export", "atif", group, `${to}/trajectories`]],
  ["an Inspect log", (to: string) => ["export", "inspect", group, `${to}/log.eval`]],
  ["MLflow's folder", (to: string) => ["report", group, "--format", "mlflow", "-o", `${to}/mlruns`]],
  ["W&B's folder", (to: string) => ["report", group, "--format", "wandb-offline", "-o", `${to}/wandb`]],
])("none of it is in %s", async (name, args) => {
  const to = fs.mkdtempSync(path.join(root, "out-"));
  const { stdout, stderr } = mlebench(args(to));
  expectClean(name, stdout + stderr);
  for (const file of filesBelow(to).filter((one) => one.endsWith(".eval"))) {
    fs.renameSync(file, `${file}.zip`);
    const unpacked = await extractArchive(`${file}.zip`, path.join(to, "unpacked"));
    expect(unpacked.status).not.toBe("refused");
  }
  const files = filesBelow(to);
  expect([name, files.length > 0]).toEqual([name, true]);
  for (const file of files) expectClean(`${name}: ${file}`, fs.readFileSync(file));
});
