// full: waits for deadlines and grace periods in each sandbox; lifecycle.test.ts has the short form
import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { readEvents } from "../../../src/trials/trial/events.ts";
import { readTrial, trialPaths } from "../../../src/trials/trial/folder.ts";
import { ISOLATES, KIND, KINDS } from "./kinds.ts";
import { COMPETITION, control, plan, runPlanned, runScript, scene } from "./setting.ts";

const SUBMIT = `cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"`;

function typesOf(folder: string): string[] {
  return readEvents(trialPaths(folder).events).events.map(({ type }) => type);
}

describe.each(KINDS)("in a %s sandbox", (sandbox) => {
  test("at the deadline what stands there counts, and what is written in the grace period is refused", async () => {
    const script = `${SUBMIT}
trap 'echo late > "$SUBMISSION_DIR/submission.csv"; sleep 0.2; exit 0' TERM
while :; do sleep 0.1; done`;
    const { trial, trialFolder } = await runScript(script, { sandbox, timeSeconds: 1, graceSeconds: 2 });
    expect(trial.outcome).toMatchObject({ stopReason: "timeout", blame: "budget" });
    const sample = fs.readFileSync(
      `tests/golden/vectors/prepare/${COMPETITION}/expected/public/sample_submission.csv`,
    );
    expect(fs.readFileSync(path.join(trialFolder, "submission/submission.csv"))).toEqual(sample);
    expect(typesOf(trialFolder)).toContain("late-write-refused");
    expect(trial.submissions).toHaveLength(1);
    expect(fs.readdirSync(path.join(trialFolder, "submissions"))).toHaveLength(1);
  });

  test("an agent that ignores SIGTERM is killed after the grace period", async () => {
    const script = `${SUBMIT}\ntrap '' TERM\nwhile :; do sleep 0.1; done`;
    const { trial } = await runScript(script, { sandbox, timeSeconds: 1, graceSeconds: 0.5 });
    expect(trial.outcome?.stopReason).toBe("timeout");
    expect(trial.final?.sha256).not.toBeNull();
    expect(trial.measurements?.wallSeconds).toBeLessThan(5);
  });

  test("an agent that crashes after a good submission has failed, and its submission counts", async () => {
    const { trial, trialFolder } = await runScript(`${SUBMIT}\nexit 7`, { sandbox });
    expect(trial.outcome).toMatchObject({ stopReason: "failed", blame: "agent", exitCode: 7 });
    expect(fs.existsSync(path.join(trialFolder, "submission/submission.csv"))).toBe(true);
  });

  test("a submission that is a symbolic link is refused and never followed", async () => {
    const { trial, trialFolder } = await runScript(`ln -s /etc/passwd "$SUBMISSION_DIR/submission.csv"`, {
      sandbox,
    });
    expect(trial.final).toEqual({
      sha256: null,
      why: "what stood there at the end was refused: it is a symbolic link",
    });
    expect(typesOf(trialFolder)).toContain("submission-refused");
    expect(fs.readdirSync(path.join(trialFolder, "submission"))).toEqual([]);
    expect(trial.notes).toEqual(["submission: submission.csv is a symbolic link and was not kept"]);
  });

  test("an agent that deletes its folders ends with an empty result, and what it had submitted is kept", async () => {
    const script = `${SUBMIT}\nsleep 1\nrm -rf "$SUBMISSION_DIR" "$LOGS_DIR" "$CODE_DIR" "$AGENT_DIR" 2>/dev/null\nexit 0`;
    const { trial, trialFolder } = await runScript(script, { sandbox });
    expect(trial.status).toBe("finished");
    expect(trial.final).toEqual({ sha256: null, why: "the agent had removed it at the end" });
    expect(fs.readdirSync(path.join(trialFolder, "submissions"))).toEqual([
      `${trial.submissions[0].sha256}.csv`,
    ]);
  });

  test("every version that stays for a moment is kept, each content once", async () => {
    const script = `for n in 1 2 1 3; do echo "id,$n" > "$SUBMISSION_DIR/submission.csv"; sleep 0.7; done`;
    const { trial, trialFolder } = await runScript(script, { sandbox });
    expect(trial.submissions).toHaveLength(4);
    expect(fs.readdirSync(path.join(trialFolder, "submissions"))).toHaveLength(3);
    expect(trial.submissions[0].sha256).toBe(trial.submissions[2].sha256);
    expect(trial.final?.sha256).toBe(trial.submissions[3].sha256);
  });

  test("a process that was left in the background does not outlive the trial", async () => {
    const marker = `mlebench-survivor-${process.pid}-${sandbox}`;
    const script = `${SUBMIT}\n(setsid sh -c 'exec sleep 987.${process.pid}' ${marker} >/dev/null 2>&1 &)\nexit 0`;
    const { trial } = await runScript(script, { sandbox });
    expect(trial.outcome?.stopReason).toBe("exited");
    const running = fs
      .readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => commandLine(pid).includes(`987.${process.pid}`));
    expect(running).toEqual([]);
  });

  test("a cancelled trial is finished, with what stood there", async () => {
    const folder = await plan(scene(`${SUBMIT}\nsleep 60`), { sandbox });
    const running = runPlanned(folder, {
      onProgress: ({ trialId, submissions }) => {
        if (submissions > 0) fs.writeFileSync(trialPaths(path.join(folder, trialId)).cancel, "");
      },
    });
    const { trial, trialFolder } = await running;
    expect(trial).toMatchObject({ status: "finished", outcome: { stopReason: "cancelled", blame: "user" } });
    expect(fs.existsSync(path.join(trialFolder, "submission/submission.csv"))).toBe(true);
    expect(fs.existsSync(trialPaths(trialFolder).cancel)).toBe(false);
  });

  test("an interrupted trial is collected, and starts again as a new attempt with resume", async () => {
    const folder = await plan(scene(`${SUBMIT}\nsleep 0.8`), { sandbox });
    const stop = new AbortController();
    const first = await runPlanned(folder, {
      interrupted: stop.signal,
      onTrialStart: () => void wait(400).then(() => stop.abort()),
    });
    expect(first.outcome).toMatchObject({ finished: [], unfinished: [first.trial.id] });
    expect(first.trial).toMatchObject({ status: "interrupted", outcome: { stopReason: "cancelled" } });
    expect(fs.existsSync(trialPaths(first.trialFolder).certificate)).toBe(false);
    const second = await runPlanned(folder);
    expect(second.trial).toMatchObject({ status: "finished", attempt: 2, outcome: { stopReason: "exited" } });
    const earlier = path.join(second.trialFolder, "attempts/1");
    expect(readTrial(earlier)).toMatchObject({ status: "interrupted", attempt: 1 });
    expect(fs.existsSync(path.join(earlier, "submission/submission.csv"))).toBe(true);
    const certificate = fs.readFileSync(trialPaths(second.trialFolder).certificate, "utf8");
    await runPlanned(folder);
    expect(fs.readFileSync(trialPaths(second.trialFolder).certificate, "utf8")).toBe(certificate);
  });
});

test.runIf(ISOLATES)("an agent over its memory is killed and marked, and still collected", async () => {
  const script = `${SUBMIT}\nsleep 0.3\nperl -e 'my $x = "x" x (400 * 1024 * 1024); sleep 5'`;
  const { trial } = await runScript(script, {
    sandbox: "bubblewrap",
    memoryBytes: { value: 100 * 2 ** 20, required: true },
  });
  expect(trial.outcome).toMatchObject({ stopReason: "memory", blame: "budget" });
  expect(trial.final?.sha256).not.toBeNull();
});

test("a limit that cannot be enforced refuses the trial, which stays unfinished", async () => {
  const folder = await plan(scene(SUBMIT), {
    sandbox: "process",
    diskBytes: { value: 2 ** 20, required: true },
  });
  const { outcome, trial } = await runPlanned(folder);
  expect(outcome.refusal).toMatchObject({ code: "LIMIT_NOT_ENFORCEABLE" });
  expect(outcome.unfinished).toHaveLength(1);
  expect(trial).toMatchObject({ status: "interrupted", outcome: { stopReason: "harness error" } });
});

test("when the harness itself fails, what the agent left is kept and the trial can be resumed", async () => {
  const folder = await plan(scene(`${SUBMIT}\nsleep 1.5`), { sandbox: "process" });
  const first = await runPlanned(folder, {
    onProgress: ({ trialId }) => {
      const { submissions } = trialPaths(path.join(folder, trialId));
      fs.rmSync(submissions, { recursive: true, force: true });
      fs.writeFileSync(submissions, "in the way");
    },
  });
  expect(first.trial).toMatchObject({
    status: "interrupted",
    outcome: { stopReason: "harness error", blame: "harness" },
  });
  expect(fs.existsSync(path.join(first.trialFolder, "submission/submission.csv"))).toBe(true);
  const second = await runPlanned(folder);
  expect(second.trial).toMatchObject({ status: "finished", attempt: 2 });
  expect(fs.existsSync(path.join(second.trialFolder, "attempts/1/submission/submission.csv"))).toBe(true);
});

test("an agent that submits thousands of times is followed without falling behind", async () => {
  const script = `i=0; while [ $i -lt 4000 ]; do i=$((i+1)); echo "id,$i" > "$SUBMISSION_DIR/submission.csv"; done`;
  const { trial, trialFolder } = await runScript(script, { sandbox: KIND });
  expect(trial.outcome?.stopReason).toBe("exited");
  expect(fs.readFileSync(path.join(trialFolder, "submission/submission.csv"), "utf8")).toBe("id,4000\n");
  expect(trial.submissions.at(-1)?.sha256).toBe(trial.final?.sha256);
});

test("an agent that leaves links, pipes and a deep tree is collected without them", async () => {
  const script = `${SUBMIT}
cd "$CODE_DIR"; ln -s /etc etc; mkfifo pipe; echo kept > train.py; chmod 000 train.py
d=.; for i in $(seq 60); do d=$d/deeper; mkdir $d; done; echo lost > $d/file
exit 0`;
  const { trial, trialFolder } = await runScript(script, { sandbox: KIND });
  expect(trial.notes).toContain("code: etc is a symbolic link and was not kept");
  expect(trial.notes).toContain("code: pipe is not a regular file and was not kept");
  expect(trial.notes.some((note) => note.includes("40 levels"))).toBe(true);
  expect(fs.readFileSync(path.join(trialFolder, "code/train.py"), "utf8")).toBe("kept\n");
  expect(fs.readdirSync(path.join(trialFolder, "code")).sort()).toEqual(["deeper", "train.py"]);
});

test.runIf(ISOLATES)("seeds and materials reach the agent, and materials mark the result", async () => {
  const setting = scene(`${SUBMIT}\ncat /home/materials/note.txt; echo "seed=$MLEBENCH_SEED"; exit 0`);
  const materials = path.join(setting.root, "materials");
  fs.mkdirSync(materials);
  fs.writeFileSync(path.join(materials, "note.txt"), "read me\n");
  const folder = await plan(setting, { sandbox: "bubblewrap", materials }, { seeds: 2 });
  const { outcome } = await runPlanned(folder, control());
  const [first, second] = outcome.group.trials.map(({ id }) => path.join(folder, id));
  expect(fs.readFileSync(path.join(first, "stdout.log"), "utf8")).toBe("read me\nseed=0\n");
  expect(fs.readFileSync(path.join(second, "stdout.log"), "utf8")).toBe("read me\nseed=1\n");
  expect(readTrial(first)).toMatchObject({ externalKnowledge: true });
});

function commandLine(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
