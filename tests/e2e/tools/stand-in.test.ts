// full: whole trials of programs that stand in for coding agents
import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { CODING_PROGRAMS } from "../../../src/agents/coding/programs.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

/**
 * What we put around a coding program, where no such program can be had: a stand-in lies in the user's cache as `agents install`
 * would have put it there. It asks the model once, submits at its first start only, and says of every start what it found.
 */
const STAND_IN = `
import fs from "node:fs";
import path from "node:path";
const { HOME, DATA_DIR, SUBMISSION_DIR, CODE_DIR } = process.env;
const mark = path.join(HOME, "was-here");
const found = { arguments: process.argv.slice(2, -1), prompt: process.argv.at(-1), fresh: !fs.existsSync(mark) };
fs.appendFileSync(path.join(CODE_DIR, "starts.jsonl"), JSON.stringify(found) + "\\n");
const { gateway } = JSON.parse(fs.readFileSync(path.join(HOME, ".pi/agent/models.json"), "utf8")).providers;
const reply = await fetch(gateway.baseUrl + "/chat/completions", {
  method: "POST",
  headers: { authorization: "Bearer " + gateway.apiKey, "content-type": "application/json" },
  body: JSON.stringify({ model: gateway.models[0].id, messages: [{ role: "user", content: "What now?" }] }),
});
const { usage, choices } = await reply.json();
const say = (line) => console.log(JSON.stringify(line));
// It misses half of what it was told.
const counted = { input: usage.prompt_tokens, output: usage.completion_tokens / 2 };
say({ type: "message_end", message: { role: "assistant", usage: counted } });
if (found.fresh) {
  fs.copyFileSync(path.join(DATA_DIR, "sample_submission.csv"), path.join(SUBMISSION_DIR, "submission.csv"));
  fs.writeFileSync(mark, "");
  say({ type: "tool_execution_end", toolName: "bash", isError: false });
  // A start that ends at once counts as one that did nothing.
  await new Promise((resolve) => setTimeout(resolve, 2100));
}
if (choices[0].message.content === "Clear up.") fs.rmSync(HOME, { recursive: true });
`;

const root = temporaryFolder();
const data = path.join(root, "data");
const env = { XDG_CACHE_HOME: path.join(root, "cache") };

beforeAll(() => {
  const { package: name, version, entries } = CODING_PROGRAMS.pi;
  const folder = path.join(env.XDG_CACHE_HOME, "mle-bench/agents", `pi@${version}`);
  writeText(folder, path.join("node_modules", entries[0].path), STAND_IN);
  writeText(folder, "node_modules/@earendil-works/pi-coding-agent/package.json", '{"type":"module"}');
  writeText(
    folder,
    "mlebench-program.json",
    JSON.stringify({
      ...{ schema: "mlebench.installed-program", version: 1, id: "pi", package: name },
      ...{ packageVersion: version, integrity: "sha512-made-up", lockDigest: "made up" },
    }),
  );
  expect(mlebench(["prepare", "-c", "starter-spam", "--data-dir", data]).code).toBe(0);
}, 120_000);

function run(name: string, options: readonly string[], first: readonly string[] = []) {
  const reply = (text: string) => ({ reply: { text }, usage: { input: 100, output: 40 } });
  const script = writeText(
    root,
    "script.json",
    JSON.stringify({
      replies: [...first.map(reply), { ...reply("Go on."), repeat: "forever" }],
    }),
  );
  const runs = path.join(root, "runs");
  const ran = mlebench(
    [
      ...["run", "--agent", "pi", "-c", "starter-spam", "--data-dir", data, "--runs-dir", runs, "--grade"],
      ...["--sandbox", "process", "--model", `scripted:${script}`, "--name", name, "--time-limit", "10min"],
      ...options,
    ],
    env,
    60_000,
  );
  const group = path.join(runs, name);
  const trial = path.join(group, fs.readdirSync(group).find((one) => one.startsWith("starter-spam_"))!);
  const read = (file: string) => fs.readFileSync(path.join(trial, file), "utf8");
  const starts = read("code/starts.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { arguments: string[]; prompt: string; fresh: boolean });
  return { ran, group, trial, read, starts };
}

test("a program that stops early is told the time and continued until it has nothing more to do, and all of it is in the record", () => {
  const { ran, group, trial, read, starts } = run("continued", []);
  expect(ran.stdout).toContain("1 valid");
  expect(ran.stdout).toContain("3 (+2)");
  // Home and conversation are the trial's own.
  expect(starts.map(({ fresh }) => fresh)).toEqual([true, false, false]);
  expect(starts.map(({ arguments: given }) => given.includes("--continue"))).toEqual([false, true, true]);
  expect(starts[0].prompt).toMatch(
    /Hardware: .+ Time left: \d+ minutes\. The deadline in seconds since 1970 is \d{10}/,
  );
  expect(starts[0].prompt).toContain("Within the first minutes write a valid submission");
  expect(starts[1].prompt).toMatch(
    /^You stopped, but there is time left\. A submission stands in .+ Time left: \d+ minutes/,
  );
  const { record } = JSON.parse(read("certificate.json"));
  const { agent, programStarts } = record.content;
  expect(agent.program).toEqual({
    name: `${CODING_PROGRAMS.pi.package}@${CODING_PROGRAMS.pi.version}`,
    ...{ integrity: "sha512-made-up", packages: "made up" },
  });
  expect(programStarts.commandLine.slice(2).join(" ")).toBe(
    "-p --mode json --provider gateway --model scripted <prompt>",
  );
  expect(new Set(programStarts.promptDigests).size).toBe(3);
  expect(programStarts.promptDigests.join()).toMatch(/^[0-9a-f]{64},/);
  const turns = mlebench(["logs", trial, "--turns"]).stdout;
  const rows = turns.match(/^ *\d+ +\d .*$/gm) ?? [];
  expect(rows.map((row) => row.includes("bash"))).toEqual([true, false, false]);
  expect(turns).toContain("tokens by the agent: 300 in, 60 out; by the gateway: 300 in, 120 out");
  const verified = mlebench(["verify", trial], { COLUMNS: "2000" });
  expect(verified.code).toBe(0);
  expect(verified.stdout.replaceAll(/\s+/g, " ")).toMatch(
    /by the agent's own word: started as .+ first prompt \w+, and 2 more/,
  );
  // It counts half of the replies' tokens.
  expect(mlebench(["failures", group]).stdout).toContain("own count of tokens differs");
}, 90_000);

test("where a program has removed its home, conversations are gone: it is told everything again", () => {
  const { ran, starts } = run("cleared", [], ["Clear up."]);
  expect(ran.stdout).toContain("1 valid");
  expect(starts.map(({ fresh }) => fresh)).toEqual([true, true, false, false]);
  expect(starts.map(({ arguments: given }) => given.includes("--continue"))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(starts[1].prompt).toMatch(/starter-spam.*begun in another conversation.*A submission stands/s);
}, 90_000);

test("--until first-stop takes its first word for the last, and the plan says so", () => {
  const { ran, group, starts } = run("once", ["--until", "first-stop"]);
  expect([starts.length, ran.stdout.includes("1 valid")]).toEqual([1, true]);
  expect(fs.readFileSync(path.join(group, "group.json"), "utf8")).toContain('"first-stop"');
}, 60_000);

test("what a program needs is said before anything starts: a model", () => {
  const asked = mlebench(["agents", "check", "pi"], env);
  expect(asked.stdout).toContain("it needs a model: mlebench run --agent pi --model <name>");
  const ran = mlebench(
    [
      "run",
      "--agent",
      "pi",
      "-c",
      "starter-spam",
      "--data-dir",
      data,
      "--runs-dir",
      path.join(root, "never"),
    ],
    env,
  );
  expect([ran.code, fs.existsSync(path.join(root, "never"))]).toEqual([2, false]);
  expect(ran.stderr).toContain("--model");
});
