// full: programs that misbehave, each run as an agent runs it
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readRows } from "../../../src/agents/tree/evaluation/table.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { smallCompetition, treeSetting } from "./agent-setting.ts";
import { block, GOOD, honest, MISBEHAVING } from "./programs.ts";

const ARGS = [
  ...["agent.language=js", "agent.review=fallback", "agent.search.debug_prob=0"],
  ...["parts.endgame=true", "parts.endgame_top=2"],
];

/** A search of drafts alone, each of which is the next reply. */
async function searchOf(
  replies: readonly { text: string; repeat?: number }[],
  more: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const script = path.join(temporaryFolder(), "script.json");
  const steps = replies.map(({ text, repeat = 1 }) => ({ reply: { text }, repeat }));
  fs.writeFileSync(script, JSON.stringify({ replies: steps }));
  const setting = await treeSetting(`scripted:${script}`, smallCompetition(), environment);
  const count = [`agent.steps=${replies.length}`, `agent.search.num_drafts=${replies.length}`];
  const { code, output } = await setting.run([...count, ...ARGS, ...more]);
  expect([code, output]).toEqual([0, expect.stringContaining("ended: steps")]);
  const journal = await setting.journal();
  expect(journal.doubts).toEqual([]);
  const search = journal.steps.filter(({ phase }) => phase === "search");
  const submission = readRows(path.join(setting.folder, "submission/submission.csv"))!;
  expect(submission.rows).toHaveLength(60);
  await setting.end();
  return {
    search,
    kinds: search.map(({ buggy, why }) => (buggy ? why?.kind : GOOD)),
    submitted: submission.rows.map(([, value]) => Number(value)),
    folder: setting.folder,
  };
}

/** Processes whose command names this folder. */
function aliveBelow(folder: string): string[] {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
        return command.includes(folder) ? [command] : [];
      } catch {
        return [];
      }
    });
}

test("a search survives whatever programs do, and the best valid submission stands", async () => {
  // Without any program it is asked again, three times in all.
  const prose = { text: "Lorem ipsum, no program.", repeat: 3 };
  const { search, kinds, submitted } = await searchOf(
    [prose, ...MISBEHAVING.map(([, text]) => ({ text }))],
    ["exec.timeout=60"],
  );
  const named = [["prose", "", "no code"], ...MISBEHAVING];
  expect(kinds.map((kind, at) => [named[at][0], kind])).toEqual(named.map(([name, , kind]) => [name, kind]));
  expect(Math.max(...submitted)).toBeLessThan(90);
  expect(search.findLast(({ isBest }) => isBest)?.step).toBe(search.length - 1);
}, 240_000);

test("who sleeps is woken, who holds too much memory is ended, and nobody is left behind", async () => {
  const forever = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
  const child = `require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", process.cwd()], { detached: true, stdio: "ignore" }).unref();`;
  const { kinds, folder } = await searchOf(
    [
      block(`process.on("SIGINT", () => {});\n${child}\n${forever}\n`),
      block(`const held = []; for (;;) held.push(Buffer.alloc(2 ** 24, 1));\n`),
      block(
        `require("child_process").spawn(process.execPath, ["-e", "const held = []; setInterval(() => held.push(Buffer.alloc(2 ** 24, 1)), 5)"], { detached: true, stdio: "ignore" });\n${forever}\n`,
      ),
      block(honest(0.5, `${child}\n${child.replace("stdio:", "env: {}, stdio:")}`)),
    ].map((text) => ({ text })),
    ["exec.timeout=5"],
    { MEMORY_LIMIT_BYTES: String(768 * 2 ** 20) },
  );
  expect(kinds).toEqual(["timeout", "memory", "memory", GOOD]);
  expect(aliveBelow(folder)).toEqual([]);
}, 120_000);

test("whatever a model answers is read in a moment", async () => {
  const million = 2 ** 20;
  const odd = [
    "`".repeat(million),
    "```\n".repeat(million / 4),
    "{".repeat(million),
    "\n".repeat(million),
    `~~~\n${"x = 1\n".repeat(million / 2)}`,
    `Megabytes of code\n~~~js\n${"let x = 1; ".repeat(million / 2)}\n~~~\n`,
    "\u0000\ufffd\ud83d ".repeat(1000),
  ];
  const started = performance.now();
  const { kinds } = await searchOf(
    [...odd.map((text) => ({ text, repeat: 3 })), { text: block(honest(0.5)) }],
    ["exec.timeout=60"],
  );
  expect(kinds).toEqual([...odd.map(() => "no code"), GOOD]);
  expect(performance.now() - started).toBeLessThan(60_000);
}, 120_000);
