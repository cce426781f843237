import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import readline from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { isOwnGroup } from "../../../src/trials/group/register.ts";
import { json, mlebench, startMlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";
import { completion, type FakeProvider, JSON_HEADERS, startProvider } from "./fake-provider.ts";
import { post } from "./gateway-setting.ts";

const root = temporaryFolder();
const dataDir = layOutPrepared(path.join(root, "data"));
const runsDir = path.join(root, "runs");
const agentsDir = path.join(root, "agents");
const script = path.join(root, "script.yaml");
const modelsFile = path.join(root, "models.yaml");
let provider: FakeProvider;

beforeAll(async () => {
  provider = await startProvider(({ method }) => ({
    headers: JSON_HEADERS,
    body: [method === "GET" ? JSON.stringify({ data: [{ id: "m" }] }) : completion("OK")],
  }));
  writeText(
    root,
    "script.yaml",
    stringify({
      replies: [{ reply: { text: "take 42" }, usage: { input: 1000, output: 50 }, repeat: "forever" }],
    }),
  );
  writeText(
    root,
    "models.yaml",
    stringify({
      models: {
        mine: { model: "compatible:m", base_url: `${provider.url}/v1`, price: { input: 1, output: 2 } },
        priced: { model: `scripted:${script}`, price: { input: 100, output: 100 } },
      },
    }),
  );
  const entry = { runtime: "node", command: ["/home/agent/agent.mjs"], models: `scripted:${script}` };
  writeText(agentsDir, "asker/config.yaml", stringify({ asker: entry }));
  writeText(agentsDir, "asker/agent.mjs", fs.readFileSync("tests/agents/model-asker/agent.mjs"));
});
afterAll(() => provider.close());

function run(name: string, ...more: string[]) {
  return mlebench([
    ...["run", "--agent", "asker", "--agents-dir", agentsDir, "-c", COMPETITION, "--data-dir", dataDir],
    ...[
      "--runs-dir",
      runsDir,
      "--name",
      name,
      "--sandbox",
      "process",
      "--models-file",
      modelsFile,
      "--json",
      ...more,
    ],
  ]);
}

function trialOf(name: string): string {
  return path.join(
    runsDir,
    name,
    fs.readdirSync(path.join(runsDir, name)).find((entry) => entry.startsWith(COMPETITION))!,
  );
}

test("models are listed, shown and priced without asking anybody", () => {
  const listed = json(mlebench(["models", "list", "--json", "--models-file", modelsFile])) as Record<
    string,
    object[]
  >;
  expect(listed.models).toContainEqual({ name: "mine", model: "compatible:m" });
  expect(listed.providers.map((row) => (row as { provider: string }).provider)).toContain("openrouter");
  expect(json(mlebench(["models", "show", "openai:gpt-5", "--json"]))).toMatchObject({
    provider: "openai",
    price: { input: 1.25, output: 10 },
    priceSource: expect.stringContaining("2026-08-05"),
  });
  expect(json(mlebench(["models", "show", "openai:gpt-of-tomorrow", "--json"]))).toMatchObject({
    price: null,
  });
  expect(json(mlebench(["models", "prices", "--json"]))).toMatchObject({ asOf: "2026-08-05" });
  const bad = mlebench(["models", "show", "nonsense"]);
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining("BAD_MODEL")]);
});

test("a model that needs no network answers a check; a file that is wrong is named", () => {
  const checked = mlebench(["models", "check", "echo", "--json"]);
  expect(checked.code).toBe(0);
  expect(json(checked)).toMatchObject({ name: "echo", reply: "Say OK.", call: { outcome: "answered" } });
  const file = writeText(root, "wrong.yaml", "models: { x: { model: 5 } }");
  const wrong = mlebench(["models", "list", "--models-file", file]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("BAD_MODELS_FILE")]);
});

test("a models file that is named and missing is refused everywhere", () => {
  const gone = ["--models-file", path.join(root, "gone.yaml")];
  const commands = [["list"], ["show", "echo"], ["check", "echo"], ["prices"], ["serve", "--model", "echo"]];
  for (const words of commands) {
    const { code, stderr } = mlebench(["models", ...words, ...gone]);
    expect([words[0], code, stderr]).toEqual([words[0], 2, expect.stringContaining("BAD_MODELS_FILE")]);
  }
  const { code, stdout, stderr } = run("no-file", ...gone);
  expect([code, stdout + stderr]).toEqual([2, expect.stringContaining("BAD_MODELS_FILE")]);
  expect(fs.existsSync(path.join(runsDir, "no-file"))).toBe(false);
});

test("a place that cannot be recorded to, or holds a recording, is refused before the start; so is a damaged cassette", () => {
  const file = writeText(root, "file", "x");
  const kept = writeText(root, "kept.jsonl", "an earlier recording\n");
  for (const [place, cause] of [
    [root, "it is a folder"],
    [path.join(file, "below.jsonl"), "cannot be recorded to"],
    ["/proc/nowhere/run.jsonl", "cannot be recorded to"],
    [kept, "it exists already"],
  ]) {
    const { code, stdout, stderr } = run("no-record", "--record", place);
    expect([code, stdout + stderr]).toEqual([2, expect.stringContaining(cause)]);
    const served = mlebench(["models", "serve", "--model", "echo", "--record", place]);
    expect([served.code, served.stderr]).toEqual([2, expect.stringContaining(cause)]);
  }
  expect(fs.readFileSync(kept, "utf8")).toBe("an earlier recording\n");
  expect(fs.existsSync(path.join(runsDir, "no-record"))).toBe(false);

  const cassette = path.join(root, "new", "run.jsonl");
  expect(run("recorded", "--record", cassette).code).toBe(0);
  const lines = fs.readFileSync(cassette, "utf8").split("\n");
  fs.writeFileSync(cassette, [...lines.slice(0, 2), lines[2].slice(0, 40), ...lines.slice(3)].join("\n"));
  const { code, stdout, stderr } = run("damaged", "--model", `recorded:${cassette}`);
  expect([code, stdout + stderr]).toEqual([2, expect.stringContaining("its line 3 is damaged")]);
  expect(fs.existsSync(path.join(runsDir, "damaged"))).toBe(false);
});

test("no login that stands in an address is shown", () => {
  const address = "http://somebody:opensesame@127.0.0.1:9/v1";
  const file = writeText(
    root,
    "login.yaml",
    stringify({
      models: {
        a: { model: "compatible:m", base_url: address },
        b: { model: `compatible:m@${address}` },
      },
    }),
  );
  const commands = [["show", "a"], ["show", "a", "--json"], ["show", "b"], ["list"], ["list", "--json"]];
  for (const words of [...commands, ["show", `compatible:m@${address}`]]) {
    const shown = mlebench(["models", ...words, "--models-file", file]);
    expect([shown.code, shown.stdout + shown.stderr]).toEqual([0, expect.not.stringContaining("opensesame")]);
  }
});

test("the gateway serves a person's own experiments, through a compatible server, until it is interrupted", async () => {
  const folder = path.join(root, "calls");
  const main = path.resolve("dist/cli/main.js");
  const options = [
    "--model",
    "mine",
    "--models-file",
    modelsFile,
    "--json",
    "--folder",
    folder,
    "--max-calls",
    "1",
  ];
  const child = spawn(process.execPath, [main, "models", "serve", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [line] = (await once(readline.createInterface(child.stdout), "line")) as [string];
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello" }] });
  const headers = { authorization: `Bearer ${token}` };
  expect((await post(`${url}/v1/chat/completions`, body, headers)).body.toString()).toBe(completion("OK"));
  expect((await post(`${url}/v1/chat/completions`, body, headers)).status).toBe(400);
  expect((await post(`${url}/v1/chat/completions`, body)).status).toBe(401);
  // The same server behind another protocol.
  child.kill("SIGINT");
  const [code] = (await once(child, "exit")) as [number];
  expect(code).toBe(0);
  expect(fs.readFileSync(path.join(folder, "ledger.jsonl"), "utf8").trim().split("\n")).toHaveLength(4);
});

test("an agent's own model is used, its calls are shown, and reports say that it is not a language model's result", () => {
  const ran = run("own", "--grade");
  expect(ran.code).toBe(0);
  const logs = mlebench(["logs", trialOf("own"), "--model"]);
  expect(logs.stdout).toContain("take 42");
  expect(logs.stdout).toContain("scripted:script.yaml");
  expect(json(mlebench(["logs", trialOf("own"), "--model", "--json"]))).toMatchObject({
    calls: [{ seq: 0 }, {}, {}, {}],
  });
  const page = path.join(root, "report.html");
  expect(
    mlebench(["report", path.join(runsDir, "own"), "--format", "html", "--output", page]).stderr,
  ).not.toContain("INTERNAL");
  const text = fs.readFileSync(page, "utf8");
  expect(text).toContain('id="models"');
  expect(text).toContain("not a language model");
  expect(text).toContain("incomplete");
});

test("an option wins over the agent's own model; a budget ends the trial and the report shows the cost", () => {
  // Each call costs 10.5 cents.
  const ran = run("priced", "--model", "priced", "--max-cost", "0.2", "--grade");
  expect(ran.code).toBe(0);
  const trial = JSON.parse(fs.readFileSync(path.join(trialOf("priced"), "trial.json"), "utf8"));
  expect(trial.outcome.stopReason).toBe("budget");
  expect(trial.cost).toBeCloseTo(0.21, 10);
  const file = path.join(root, "split.txt");
  fs.writeFileSync(file, `${COMPETITION}\n`);
  const lines = mlebench(["aggregate", "--runs", path.join(runsDir, "priced"), "--split", file]).stdout;
  expect(lines).toMatch(
    /models: scripted:script\.yaml: 2 calls, 2,100 tokens, \$0\.21 in 1 trial; 1 ended by their budget/,
  );
  const compared = mlebench([
    "compare",
    path.join(runsDir, "priced"),
    path.join(runsDir, "own"),
    "--names",
    "A",
    "B",
  ]);
  expect(compared.stdout).toContain("$0.21");
  expect(compared.stdout).toContain("cost unknown (incomplete)");
  const page = path.join(root, "cost.html");
  mlebench(["report", path.join(runsDir, "priced"), "--format", "html", "--output", page]);
  // With a point in it: where none has a known cost, the title stands there alone.
  expect(fs.readFileSync(page, "utf8")).toContain("against what its models cost, 1 trial");
});

test("a group from elsewhere cannot send our keys anywhere", () => {
  const copy = path.join(root, "foreign");
  fs.cpSync(path.join(runsDir, "own"), copy, { recursive: true });
  fs.rmSync(path.join(copy, path.basename(trialOf("own"))), { recursive: true });
  const plan = path.join(copy, "group.json");
  const group = JSON.parse(fs.readFileSync(plan, "utf8"));
  group.settings.models = { default: "compatible:m@http://127.0.0.1:1/v1" };
  fs.writeFileSync(plan, JSON.stringify(group));
  expect(isOwnGroup(copy)).toBe(false);
  const resumed = mlebench(["resume", copy]);
  expect(resumed.stderr).toContain("FOREIGN_MODELS");
  expect(resumed.code).not.toBe(0);
});

test.each([
  ["--max-cost", "nothing"],
  ["--max-cost", "-1"],
  ["--max-calls", "1.5"],
  ["--max-tokens", "group="],
  ["--transcripts", "some"],
  ["--model", ""],
])("%s %s is wrong usage", (option, value) => {
  expect(run("wrong", option, value).code).toBe(2);
});

test.each([
  [["echo", "--model", "simulated:steady"], 'The role "default" has echo already'],
  [["code=echo", "--model", "code=echo"], 'The role "code" has echo already'],
  [["code=echo", "--model", "CODE=echo"], "MLEBENCH_MODEL_CODE"],
  [["a-b=echo", "--model", "a_b=echo"], "MLEBENCH_MODEL_A_B"],
  // An agent would send its questions to "echo", not to its gateway.
  [["url=echo"], "MLEBENCH_MODEL_URL"],
  [["token=echo"], "MLEBENCH_MODEL_TOKEN"],
])("--model %j: a role means one model and has a variable of its own", (words, said) => {
  const { code, stdout, stderr } = run("roles", "--model", ...words);
  expect([code, stdout + stderr]).toEqual([2, expect.stringContaining(said)]);
});

test("models serve tells a port that is taken from a folder that cannot be written", async () => {
  const server = net.createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const serve = (...more: string[]) => mlebench(["models", "serve", "--model", "echo", ...more]);
  const taken = serve("--port", String(port));
  server.close();
  expect([taken.code, taken.stderr]).toEqual([2, expect.stringMatching(/NO_PORT.*--port/s)]);
  const file = writeText(root, "not-a-folder", "x");
  const refused = serve("--folder", file);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/NO_FOLDER.*--folder/s)]);
});

test("a check says that it waits where somebody listens and nobody answers", async () => {
  const server = net.createServer(() => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const child = startMlebench(["models", "check", `compatible:m@http://a:secret@127.0.0.1:${port}/v1`]);
  const [line] = (await once(readline.createInterface(child.stderr!), "line")) as [string];
  child.kill("SIGINT");
  await once(child, "exit");
  server.close();
  expect(line).toMatch(/has not answered yet; it has 120 s/);
  expect(line).not.toContain("secret");
});
