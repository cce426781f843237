// full: whole trials of agents that lie
import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

/**
 * Agents that say of their own work what is not so, in the files in which coding agents say it: what the gateway saw stands
 * beside it, and nothing that they write keeps a command from showing the rest.
 */
const ASK = `
await fetch(process.env.MLEBENCH_MODEL_URL + "/v1/chat/completions", {
  method: "POST",
  headers: { authorization: "Bearer " + process.env.MLEBENCH_MODEL_TOKEN, "content-type": "application/json" },
  body: JSON.stringify({ model: process.env.MLEBENCH_MODEL, messages: [{ role: "user", content: "What now?" }] }),
});`;
const SUBMIT = `
import fs from "node:fs";
const { DATA_DIR, SUBMISSION_DIR, LOGS_DIR } = process.env;
const rows = fs.readFileSync(DATA_DIR + "/sample_submission.csv", "utf8").trim().split("\\n");
fs.writeFileSync(SUBMISSION_DIR + "/submission.csv", rows.map((row, i) => (i === 0 ? row : row.split(",")[0] + ",0.25")).join("\\n") + "\\n");
const say = (turns, input, output) =>
  fs.writeFileSync(LOGS_DIR + "/coding-agent.json", JSON.stringify({
    schema: "mlebench.coding-agent", version: 1, program: "mine", continuations: 0, turns, toolCalls: turns,
    failedCommands: 0, ownTokens: { input, output },
  }));`;
/** Lines that are hardly turns: times beyond every calendar, names that are none, texts of megabytes. */
const TURNS = `
const line = (turn) => fs.appendFileSync(LOGS_DIR + "/turns.jsonl", JSON.stringify(turn) + "\\n");
line({ time: 1e300, run: 0, turns: 1 });
line({ time: -1, run: 0, turns: 1 });
line({ time: 5, run: 0, turns: 1, tools: [{ name: "__proto__", exitCode: 1e300 }] });
line({ time: 6, run: 0, turns: 1, tools: [{ name: "\\u001b[2Jconstructor".repeat(100000), exitCode: 3 }] });
line({ time: 6, run: 0, turns: 1, tools: Array(100000).fill({ name: "x", exitCode: 3 }) });
line([1]);
line(null);
fs.appendFileSync(LOGS_DIR + "/turns.jsonl", "{".repeat(1000000) + "\\n" + '{"time":7,"run":0,"turns":1}');`;

const AGENTS: Record<string, string> = {
  boaster: `${SUBMIT}${TURNS}\nsay(1000, 5000000, 70000);`,
  denier: `${SUBMIT}${ASK}\nsay(7, 0, 0);`,
  honest: `${SUBMIT}${ASK}\nsay(1, 1000, 40);`,
};

const root = temporaryFolder();
const data = path.join(root, "data");
const agents = path.join(root, "agents");

beforeAll(() => {
  for (const [id, program] of Object.entries(AGENTS)) {
    writeText(agents, `${id}/agent.mjs`, program);
    const entry = { runtime: "node", command: ["/home/agent/agent.mjs"], needs_model: true };
    writeText(agents, `${id}/config.yaml`, JSON.stringify({ [id]: entry }));
  }
  expect(mlebench(["prepare", "-c", "starter-spam", "--data-dir", data]).code).toBe(0);
}, 120_000);

function run(agent: string) {
  const usage = { input: 1000, output: 40 };
  const script = { replies: [{ reply: { text: "Go on." }, usage, repeat: "forever" }] };
  const model = writeText(root, "script.json", JSON.stringify(script));
  const ran = mlebench(
    [
      ...["run", "--agent", agent, "--agents-dir", agents, "-c", "starter-spam", "--data-dir", data],
      ...["--runs-dir", path.join(root, "runs"), "--name", agent, "--sandbox", "process", "--grade"],
      ...["--model", `scripted:${model}`, "--time-limit", "60s"],
    ],
    {},
    60_000,
  );
  expect([ran.code, ran.stdout.match(/\d valid/)?.[0]]).toEqual([0, "1 valid"]);
  const group = path.join(root, "runs", agent);
  const report = fs.readdirSync(group).find((file) => file.endsWith("_grading_report.json"))!;
  const [{ turns }] = JSON.parse(fs.readFileSync(path.join(group, report), "utf8")).competition_reports;
  const trial = fs.readdirSync(group).find((file) => file.startsWith("starter-spam_"))!;
  return { turns, told: foundIn(group), group, trial: path.join(group, trial) };
}

/** What is found about an agent's own sums. */
function foundIn(group: string): string {
  const { failed } = json(mlebench(["failures", group, "--json"])) as {
    failed: { findings: { class: string; evidence: { text: string }[] }[] }[];
  };
  const findings = failed.flatMap((one) => one.findings).filter((one) => one.class === "own-sums");
  return findings.flatMap(({ evidence }) => evidence.map(({ text }) => text)).join();
}

let denied: ReturnType<typeof run> | null = null;
const denier = () => (denied ??= run("denier"));

test("an agent that counts what its gateway never saw is found, its turns are not believed, and its odd lines harm nobody", () => {
  const { turns, told, trial, group } = run("boaster");
  expect([turns, told]).toEqual([0, expect.stringContaining("5,000,000 tokens in and 70,000 out")]);
  const shown = mlebench(["logs", trial, "--turns"], { COLUMNS: "120" });
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain("constructor");
  expect(shown.stdout).not.toContain("\u001b");
  expect(shown.stdout.split("\n").every((line) => line.length < 1000)).toBe(true);
  expect(mlebench(["verify", group]).code).toBe(0);
  expect(mlebench(["report", group, "-o", path.join(root, "report.html")]).code).toBe(0);
}, 120_000);

test("an agent that says it asked for nothing is found; one that says what is so is not", () => {
  const { turns, told } = denier();
  expect([turns, told]).toEqual([1, expect.stringContaining("counted 0 tokens in and 0 out")]);
  expect(run("honest")).toMatchObject({ turns: 1, told: "" });
}, 120_000);

test("where the provider does not say what a call took, nobody is held to an estimate", () => {
  const { group, trial } = denier();
  const ledger = path.join(trial, "model/ledger.jsonl");
  fs.writeFileSync(
    ledger,
    fs.readFileSync(ledger, "utf8").replace('"usageSource":"reported"', '"usageSource":"estimated"'),
  );
  expect(foundIn(group)).toBe("");
});
