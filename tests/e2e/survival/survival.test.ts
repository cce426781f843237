// full: a dozen harnesses, one after the other, each with something wrong around it
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SandboxKind } from "../../../src/sandbox/kind.ts";
import { readGroup } from "../../../src/trials/group/folder.ts";
import { readTrial } from "../../../src/trials/trial/folder.ts";
import { mlebench } from "../cli.ts";
import { type MinimalSystem, makeMinimalSystem } from "../hostile/minimal-system.ts";
import { canTest } from "../sandbox/sandbox-rig.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { ANY_SIGNAL, killAndResume } from "../trials/kill-and-resume.ts";
import { COMPETITION, layOutPrepared, shellAgent } from "../trials/setting.ts";
import { type Fault, runWithFault, type System, systemOptions } from "./faults.ts";

const MAIN = path.resolve("dist/cli/main.js");
const SUBMIT = `cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"`;

const KINDS = await Promise.all(
  (["process", "bubblewrap", "podman"] as const).map(async (kind) => ({ kind, can: await canTest(kind) })),
);
let minimal: MinimalSystem | null = null;
beforeAll(() => {
  if (KINDS.some(({ kind, can }) => kind === "podman" && can))
    minimal = makeMinimalSystem(path.join(temporaryFolder(), "system"), ["podman"]);
});
afterAll(() => minimal?.removeImage());

const systemOf = (kind: SandboxKind): System =>
  kind === "podman"
    ? { sandbox: kind, image: minimal?.settingsFor("podman").image as string }
    : { sandbox: kind };

const FAULTS: [string, Omit<Fault, "at">][] = [
  ["one write", { calls: "writes", kind: "once", code: "ENOSPC" }],
  ["half a write, and the next one", { calls: "writes", kind: "half", code: "ENOSPC" }],
  ["every write from then on", { calls: "writes", kind: "on", code: "ENOSPC" }],
  ["one file that is opened", { calls: "opens", kind: "once", code: "EMFILE" }],
];

for (const { kind, can } of KINDS) {
  describe.skipIf(!can)(
    `in ${kind}, a call of the harness that fails is a typed outcome, and resume finishes`,
    () => {
      test.each(FAULTS)("%s (all of them: npm run soak -- failing-writes)", async (_, fault) => {
        // The numbers of calls are about those that a run of two trials makes.
        const most = fault.calls === "writes" ? 270 : 450;
        const at = 1 + Math.floor(Math.random() * most);
        const { problems } = await runWithFault({ ...fault, at }, systemOf(kind), 2);
        expect(problems, `${fault.kind} ${at}`).toEqual([]);
      });
    },
  );
}

interface Place {
  args: string[];
  group: string;
  dataDir: string;
}

function place(system: System, script: string, ...more: string[]): Place {
  const root = temporaryFolder();
  const dataDir = layOutPrepared(path.join(root, "data"));
  const agents = shellAgent(path.join(root, "agents"), script);
  const runs = path.join(root, "runs");
  const where = ["--agents-dir", agents, "--data-dir", dataDir, "--runs-dir", runs, "-c", COMPETITION];
  const args = [
    "run",
    "--agent",
    "scripted",
    ...where,
    "--name",
    "g",
    "--json",
    ...systemOptions(system),
    ...more,
  ];
  return { args, group: path.join(runs, "g"), dataDir };
}

function trialsOf(group: string) {
  return readGroup(group)!.trials.map(({ id }) => readTrial(path.join(group, id))!);
}

/** Loading the program takes many descriptors for a moment: the limit is the first at which it starts at all. */
/** Trials that need more descriptors at once than loading our own code does; those of containers need fewer each. */
const crowdOf = (kind: string) => (kind === "podman" ? 16 : 12);

function runShortOfFiles(system: System, crowd: number) {
  for (let files = 110; files <= 200; files += 4) {
    const { args, group, dataDir } = place(
      system,
      // Long enough that all are there at once, however slowly they start.
      `${SUBMIT}\nsleep 3`,
      ...["--seeds", `${crowd}`, "--workers", `${crowd}`, "--time-limit", "60s"],
    );
    const limited = ["-c", `ulimit -n ${files}; exec "$0" "$@"`, process.execPath, MAIN, ...args];
    const ran = spawnSync("bash", limited, { encoding: "utf8" });
    expect(ran.stderr).not.toMatch(/INTERNAL|^ {4}at |Warning/m);
    if (readGroup(group) !== null) return { ran, group, dataDir };
    expect(ran.stderr).toContain("TOO_MANY_FILES");
  }
  throw new Error("it never started");
}

for (const { kind, can } of KINDS) {
  describe.skipIf(!can)(`in ${kind},`, () => {
    test("too few descriptors for all trials: those that got none blame the machine, the others are untouched", () => {
      const { ran, group, dataDir } = runShortOfFiles(systemOf(kind), crowdOf(kind));
      expect(ran.status).toBe(1);
      const ended = trialsOf(group).map(({ status, outcome }) => ({ status, ...outcome }));
      const short = ended.filter(({ status }) => status !== "finished");
      expect(short.length).toBeGreaterThan(0);
      expect(short.length).toBeLessThan(crowdOf(kind));
      const ofTheMachine = { status: "interrupted", stopReason: "harness error", blame: "host" };
      for (const outcome of short) expect(outcome).toMatchObject(ofTheMachine);
      for (const outcome of ended.filter(({ status }) => status === "finished"))
        expect(outcome).toMatchObject({ stopReason: "exited", blame: null });
      expect(mlebench(["resume", group]).code).toBe(0);
      expect(mlebench(["verify", group, "--data-dir", dataDir]).code).toBe(0);
    });

    test("a clock that is set an hour back and forth changes no deadline, no duration and no submission", async () => {
      const late = `trap 'echo late > "$SUBMISSION_DIR/submission.csv"' TERM\n${SUBMIT}\nsleep 60 & wait; sleep 60`;
      const { args, group, dataDir } = place(systemOf(kind), late, "--time-limit", "4s", "--grace", "1s");
      const env = { ...process.env, MLEBENCH_TEST_CLOCK: JSON.stringify({ afterMs: 700, byMs: 3_600_000 }) };
      const clock = path.resolve("tests/e2e/survival/jumping-clock.mjs");
      const child = spawn(process.execPath, ["--import", clock, MAIN, ...args], { env, stdio: "ignore" });
      // While it runs, nobody takes its locks, whatever the clock says.
      while (!fs.existsSync(path.join(group, "group.lock")) && child.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 100));
      expect(mlebench(["resume", group]).stderr).toContain("GROUP_BUSY");
      expect(await once(child, "close")).toEqual([0, null]);
      const [trial] = trialsOf(group);
      expect(trial).toMatchObject({ status: "finished", outcome: { stopReason: "timeout" } });
      expect(trial.measurements!.wallSeconds).toBeGreaterThanOrEqual(4);
      expect(trial.measurements!.wallSeconds).toBeLessThan(20);
      expect(trial.final).toEqual({ sha256: trial.submissions[0].sha256, why: expect.any(String) });
      expect(trial.submissions[0].elapsedSeconds).toBeLessThan(4);
      expect(mlebench(["verify", group, "--data-dir", dataDir]).code).toBe(0);
    });

    test("signals at random leave nothing half-written, and resume finishes", async () => {
      const { problems } = await killAndResume({
        main: MAIN,
        folder: temporaryFolder(),
        kills: 6,
        trials: 3,
        system: systemOf(kind),
        signals: ANY_SIGNAL,
        random: Math.random,
        log: () => {},
      });
      expect(problems).toEqual([]);
    });
  });
}
