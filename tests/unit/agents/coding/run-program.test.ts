import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { LineFacts } from "../../../../src/agents/coding/driver.ts";
import { pi } from "../../../../src/agents/coding/drivers/pi.ts";
import { runProgram } from "../../../../src/agents/coding/run-program.ts";
import { temporaryFolder } from "../../../e2e/temporary-folder.ts";

const root = temporaryFolder();

const TURN = JSON.stringify({
  type: "message_end",
  message: { role: "assistant", usage: { input: 7, output: 3 } },
});

async function run(script: string) {
  const transcript = path.join(fs.mkdtempSync(path.join(root, "run-")), "transcript.jsonl");
  const said: LineFacts[] = [];
  const ended = await runProgram({
    command: ["bash", "-c", script],
    cwd: root,
    env: { ...process.env, TURN },
    transcript,
    onFacts: (facts) => said.push(facts),
    driver: pi,
    before: { input: 0, output: 0 },
  });
  return { ...ended, said, transcript };
}

test("a program that leaves something running which holds its output has ended when it ended", async () => {
  const { status, facts, seconds } = await run('echo "$TURN"; sleep 60 & exit 3');
  expect([status, facts.turns, facts.inputTokens, facts.outputTokens]).toEqual([3, 1, 7, 3]);
  expect(seconds).toBeLessThan(40);
});

test("a line without end is cut, and what follows it is read", async () => {
  const { status, facts, transcript } = await run(
    'head -c 20000000 /dev/zero | tr \'\\0\' x; echo; echo "$TURN"; printf %s "$TURN"',
  );
  expect([status, facts.turns]).toEqual([0, 2]);
  expect(fs.statSync(transcript).size).toBeLessThan(9_000_000);
});

test("an error of megabytes is kept in short", async () => {
  const text = "x".repeat(3_000_000);
  const line = {
    type: "message_end",
    message: { role: "assistant", stopReason: "error", errorMessage: text },
  };
  const file = path.join(root, "error.json");
  fs.writeFileSync(file, JSON.stringify(line));
  const { error, said } = await run(`cat ${file}`);
  expect(error).toMatch(/^x{2000}$/);
  expect(JSON.stringify(said).length).toBeLessThan(3000);
});

test("a program that is not there is an outcome with its words", async () => {
  const ended = await runProgram({
    command: [path.join(root, "nowhere")],
    cwd: root,
    env: process.env,
    transcript: path.join(root, "none.jsonl"),
    onFacts: () => {},
    driver: pi,
    before: { input: 0, output: 0 },
  });
  expect(ended).toMatchObject({ status: null, error: expect.stringContaining("ENOENT") });
});
