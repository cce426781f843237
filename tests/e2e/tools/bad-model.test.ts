// full: both tool agents with a model that behaves badly, in a real sandbox
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { mlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { KIND } from "../trials/kinds.ts";

const root = temporaryFolder();
const data = path.join(root, "data");
const agents = path.join(root, "agents");
const STEPS = 24;

beforeAll(() => {
  const { code, stderr } = mlebench(["prepare", "-c", "starter-spam", "--data-dir", data], {}, 120_000);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  fs.mkdirSync(agents);
  fs.writeFileSync(
    path.join(agents, "config.yaml"),
    stringify(
      Object.fromEntries(
        ["codeact", "mlab"].map((name) => [
          `impatient-${name}`,
          { extends: `tools/${name}`, kwargs: { command_seconds: 2, max_steps: STEPS } },
        ]),
      ),
    ),
  );
}, 120_000);

interface Told {
  role: string;
  content: string | null;
}

/** Runs the agent with a model that calls these tools in order and then says the same for ever. */
function run(agent: string, calls: readonly { name: string; input?: unknown }[]) {
  const runs = fs.mkdtempSync(path.join(root, "runs-"));
  const script = path.join(runs, "script.json");
  const replies = calls.map((call) => ({ reply: { calls: [call] } }));
  // The last call is repeated until the limit of steps.
  replies.push({ ...replies.pop()!, repeat: "forever" } as (typeof replies)[0]);
  fs.writeFileSync(script, JSON.stringify({ replies, aside: "No code here." }));
  const ran = mlebench(
    [
      ...["run", "--agent", agent, "--agents-dir", agents, "-c", "starter-spam", "--data-dir", data],
      ...["--runs-dir", runs, "--name", "group", "--sandbox", KIND, "--model", `scripted:${script}`],
      ...["--time-limit", "120s", "--max-calls", "100", "--grade"],
    ],
    {},
    150_000,
  );
  const group = path.join(runs, "group");
  const trial = path.join(group, fs.readdirSync(group).find((name) => name.startsWith("starter-spam_"))!);
  const read = (name: string) => fs.readFileSync(path.join(trial, name), "utf8");
  const told = read("logs/conversation.jsonl")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Told)
    .flatMap(({ role, content }) => (role === "tool" ? [content ?? ""] : []));
  return {
    ran,
    group,
    told,
    end: JSON.parse(read("logs/end.json")) as { why: string; steps: number },
    outcome: (JSON.parse(read("trial.json")) as { outcome: object }).outcome,
  };
}

/** What is the same for both scaffolds: it went on to the end, the first good submission counts, nothing is hidden. */
function expectSurvived({ ran, group, told, end, outcome }: ReturnType<typeof run>): void {
  expect(outcome).toMatchObject({ stopReason: "exited" });
  expect(end).toMatchObject({ why: "steps", steps: STEPS });
  expect(ran.stdout).toContain("1 valid");
  expect(ran.stdout).toContain("not a language model's result");
  expect(mlebench(["verify", group]).code).toBe(0);
  const page = path.join(group, "..", "report.html");
  mlebench(["report", group, "-o", page]);
  const rows = fs
    .readFileSync(page, "utf8")
    .matchAll(/<th scope="row"><bdi>starter-spam<\/bdi><\/th>(.*?)<\/tr>/g);
  const [, cells] = [...rows].at(-1)!;
  expect(cells).toContain(`>${STEPS}</td>`);
  expect(cells).toContain("cost unknown (incomplete)");
  const all = told.join("\n");
  expect(all).toMatch(/There is no tool "rm_rf"\. The tools are: /);
  expect(all).toContain("The arguments are not JSON");
  expect(all).toContain("The arguments must be a JSON object.");
  expect(all).toContain("is missing or is not a string");
  expect(all).toContain("[stopped: it did not end in time");
  expect(all).toContain("the last valid one was put back");
  expect(all).toContain("not a regular file");
  expect(all).toContain("three times");
  expect(all).toMatch(/\[time left: \d+ s; steps left: \d+; model calls left: \d+\]/);
  // Binary output is neither sent to the model nor kept as it is.
  expect(told.some((text) => /[\0\ufffd]/.test(text))).toBe(false);
  expect(Math.max(...told.map((text) => text.length))).toBeLessThan(14_000);
}

describe("a model that behaves badly is told so, the work goes on, and the submission that stood counts", () => {
  test("tools/codeact", () => {
    const bash = (command: string) => ({ name: "bash", input: { command } });
    const survived = run("impatient-codeact", [
      { name: "rm_rf", input: { path: "/" } },
      { name: "bash", input: "{not json" },
      { name: "bash", input: "[1]" },
      { name: "bash", input: {} },
      bash('cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"'),
      bash("head -c 200000 /dev/urandom"),
      bash("sleep 1000"),
      bash("while :; do echo flood; done"),
      bash("kill -9 $$"),
      bash(
        'mkfifo pipe; rm -rf "$LOGS_DIR/sessions"; cd /; rm -rf "$CODE_DIR"/* 2>/dev/null; mkfifo "$CODE_DIR/pipe"',
      ),
      { name: "view_file", input: { path: "pipe" } },
      { name: "edit_file", input: { path: "/dev/zero", old: "a", new: "b" } },
      bash('echo nonsense > "$SUBMISSION_DIR/submission.csv"'),
      bash('rm "$SUBMISSION_DIR/submission.csv"; mkdir -p "$SUBMISSION_DIR/submission.csv/deep"'),
      bash("echo the same"),
    ]);
    expectSurvived(survived);
    expect(survived.told.join("\n")).toContain("bash itself ended");
  }, 200_000);

  test("tools/mlab", () => {
    const write = (file_name: string, content: string) => ({
      name: "write_file",
      input: { file_name, content },
    });
    const execute = (script_name: string) => ({ name: "execute_script", input: { script_name } });
    const survived = run("impatient-mlab", [
      { name: "rm_rf", input: { path: "/" } },
      { name: "read_file", input: "{not json" },
      { name: "read_file", input: "[1]" },
      { name: "read_file", input: {} },
      write("good.sh", 'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"\n'),
      execute("good.sh"),
      write(
        "bad.sh",
        'head -c 200000 /dev/urandom; mkfifo pipe; echo nonsense > "$SUBMISSION_DIR/submission.csv"\n',
      ),
      execute("bad.sh"),
      { name: "read_file", input: { file_name: "pipe" } },
      { name: "append_file", input: { file_name: "pipe", content: "x" } },
      write("endless.sh", "while :; do echo flood; done\n"),
      execute("endless.sh"),
      {
        name: "edit_script",
        input: { script_name: "good.sh", edit_instruction: "better", save_name: "x.sh" },
      },
      { name: "undo_edit_script", input: { script_name: "never.sh" } },
      execute("missing.sh"),
    ]);
    expectSurvived(survived);
    expect(survived.told.join("\n")).toContain("answered without a code block");
  }, 200_000);
});
