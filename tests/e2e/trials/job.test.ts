// full: whole trials in other processes, users and namespaces take twenty seconds; trials of one process are tested beside it
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Heartbeat } from "../../../src/trials/state/heartbeat.ts";
import { startRun } from "../../../src/workflows/run/run.ts";
import { json, mlebench, startMlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { KIND } from "./kinds.ts";
import { COMPETITION, layOutPrepared, plan, scene, shellAgent } from "./setting.ts";

const COPY = 'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"';

interface PlannedGroup {
  trials: { id: string }[];
}

function groupOf(folder: string): PlannedGroup {
  return JSON.parse(fs.readFileSync(path.join(folder, "group.json"), "utf8"));
}

function readJson(...names: string[]) {
  return JSON.parse(fs.readFileSync(path.join(...names), "utf8"));
}

test("one trial of a planned group is run by its id alone, and the group's own files follow", async () => {
  const folder = await plan(scene(COPY), { sandbox: "process" }, { seeds: 2 });
  const [first, second] = groupOf(folder).trials.map(({ id }) => id);
  const ran = mlebench(["trial", folder, second, "--job-id", "4711_2", "--json"]);
  expect(ran.stderr).not.toContain("error");
  expect(ran.code).toBe(0);
  expect(readJson(folder, second, "trial.json")).toMatchObject({
    status: "finished",
    attempt: 1,
    host: { name: expect.any(String) },
    executor: { name: "local", jobId: "4711_2" },
  });
  for (const name of ["trial.lock", "heartbeat.json"])
    expect(fs.existsSync(path.join(folder, second, name)), name).toBe(false);
  expect(readJson(folder, "metadata.json")).toMatchObject({ unfinished: [first] });
  const repeated = mlebench(["trial", folder, second]);
  expect([repeated.code, repeated.stdout]).toEqual([0, expect.stringContaining("was finished before")]);
  expect(mlebench(["resume", folder]).code).toBe(0);
  expect(readJson(folder, second, "trial.json").attempt).toBe(1);
  expect(Object.keys(readJson(folder, "metadata.json").runs)).toEqual([first, second]);
  expect(mlebench(["verify", folder]).code).toBe(0);
});

test("another process sees how far a trial is, reads its log, and ends it", async () => {
  const folder = await plan(scene(`${COPY}; echo still here; sleep 120`), { sandbox: KIND });
  const [{ id }] = groupOf(folder).trials;
  const child = startMlebench(["trial", folder, id, "--json"]);
  const heartbeat = path.join(folder, id, "heartbeat.json");
  await expect.poll(() => fs.existsSync(heartbeat), { timeout: 30_000 }).toBe(true);
  const status = () =>
    json(mlebench(["status", folder, "--json"])) as {
      groups: { trials: { state: string; heartbeat: unknown; silent: boolean }[] }[];
    };
  await expect
    .poll(() => Heartbeat.parse(readJson(heartbeat)).submissions, { timeout: 30_000 })
    .toBeGreaterThan(0);
  const [trial] = status().groups[0].trials;
  expect(trial).toMatchObject({ state: "running", silent: false });
  const { beat, pid } = Heartbeat.parse(trial.heartbeat);
  expect(pid).toBe(child.pid);
  await expect
    .poll(() => Heartbeat.parse(readJson(heartbeat)).beat, { timeout: 30_000 })
    .toBeGreaterThan(beat);
  expect(mlebench(["status", folder]).stdout).toMatch(/0 of 1 finished, running\n/);
  expect(mlebench(["logs", path.join(folder, id)]).stdout).toContain("still here");
  const busy = mlebench(["trial", folder, id]);
  expect([busy.code, busy.stderr]).toEqual([3, expect.stringContaining("TRIAL_BUSY")]);
  expect(mlebench(["cancel", path.join(folder, id)]).code).toBe(0);
  expect((await once(child, "exit"))[0]).toBe(0);
  expect(readJson(folder, id, "trial.json").outcome.stopReason).toBe("cancelled");
});

test("a trial whose process was killed starts again with a new attempt, wherever it is asked for", async () => {
  const folder = await plan(scene(`${COPY}; sleep 5`), { sandbox: KIND });
  const [{ id }] = groupOf(folder).trials;
  const child = startMlebench(["trial", folder, id, "--json"]);
  await expect
    .poll(() => fs.existsSync(path.join(folder, id, "heartbeat.json")), { timeout: 30_000 })
    .toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(mlebench(["status", folder]).stdout).toContain("0 of 1 finished, stopped");
  expect(mlebench(["trial", folder, id]).code).toBe(0);
  expect(readJson(folder, id, "trial.json")).toMatchObject({ status: "finished", attempt: 2 });
  expect(fs.readdirSync(path.join(folder, id, "attempts"))).toEqual(["1"]);
  expect(mlebench(["verify", folder]).code).toBe(0);
});

test("whoever was taken for dead notices it, ends its agent and writes nothing more", async () => {
  const folder = await plan(scene(`${COPY}; sleep 120`), { sandbox: KIND });
  const [{ id }] = groupOf(folder).trials;
  const child = startMlebench(["trial", folder, id, "--json"]);
  const place = (name: string) => path.join(folder, id, name);
  await expect.poll(() => fs.existsSync(place("heartbeat.json")), { timeout: 30_000 }).toBe(true);
  const before = fs.readFileSync(place("trial.json"), "utf8");
  const lock = { schema: "mlebench/trial-lock", version: 1, host: "far-away", pid: 1, started: null };
  const theirs = { ...lock, machine: "another", token: "theirs", beat: "0000000001" };
  fs.writeFileSync(place("theirs"), JSON.stringify(theirs));
  fs.renameSync(place("theirs"), place("trial.lock"));
  expect((await once(child, "exit"))[0]).toBe(1);
  expect(fs.readFileSync(place("trial.json"), "utf8")).toBe(before);
  expect(readJson(place("trial.lock"))).toMatchObject({ token: "theirs" });
  expect(fs.existsSync(place("certificate.json"))).toBe(false);
  const status = json(mlebench(["status", folder, "--json"])) as {
    groups: { trials: { state: string; silent: boolean }[] }[];
  };
  expect(status.groups[0].trials).toMatchObject([{ state: "running", silent: true }]);
});

test("a place that cannot be written to is an outcome of the library, too", async () => {
  const root = temporaryFolder();
  const dataDir = layOutPrepared(path.join(root, "data"));
  fs.writeFileSync(path.join(root, "file"), "");
  const request = { agent: "sample", competitions: [COMPETITION], dataDir, sandbox: "process" as const };
  const outcome = await startRun({ ...request, runsDir: path.join(root, "file", "runs") });
  expect(outcome).toMatchObject({ status: "refused", problem: { code: "NOT_WRITABLE", stage: "usage" } });
});

test("a group that names an executor of a later version is refused with a sentence", async () => {
  const folder = await plan(scene(COPY), { sandbox: "process", executor: "starship" });
  const refused = mlebench(["resume", folder]);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('no executor "starship"')]);
});

test.each([
  ["a group that is not there", (folder: string) => [`${folder}-not`, "x"], 2, "NO_GROUP"],
  ["a trial that is not there", (folder: string) => [folder, "nobody"], 2, "NO_TRIAL"],
])("%s is refused with a sentence", async (_, args, code, message) => {
  const folder = await plan(scene(COPY), { sandbox: "process" });
  const result = mlebench(["trial", ...args(folder)]);
  expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(message)]);
  expect(result.stderr).not.toContain("INTERNAL");
});

test("what is wrong with a run is told in one order: usage, competition, data, materials, machine, sandbox", () => {
  const root = temporaryFolder();
  const dataDir = layOutPrepared(path.join(root, "data"));
  const agentsDir = shellAgent(path.join(root, "agents"), "true", "idler");
  const wrong: [string, string[], string[]][] = [
    ["NO_AGENT", ["--agent", "nobody"], ["--agent", "idler"]],
    ["UNKNOWN_COMPETITION", ["-c", "nothing"], ["-c", "leaf-classification"]],
    ["NOT_PREPARED", [], ["--data-dir", dataDir]],
    ["NO_MATERIALS", ["--materials", path.join(root, "nowhere")], []],
    ["TOO_MUCH", ["--gpus", "99"], []],
    ["NETWORK_NOT_ENFORCEABLE", ["--sandbox", "process", "--network", "none"], []],
  ];
  for (let mended = 0; mended < wrong.length; mended++) {
    const args = wrong.flatMap(([code, bad, good], i) => {
      if (code === "NOT_PREPARED") return i < mended ? good : ["--data-dir", path.join(root, "empty")];
      if (code === "UNKNOWN_COMPETITION") return i < mended ? ["-c", COMPETITION] : bad;
      return i < mended ? good : bad;
    });
    const result = mlebench([
      "run",
      "--agents-dir",
      agentsDir,
      "--runs-dir",
      path.join(root, "runs"),
      ...args,
    ]);
    const [code] = wrong[mended];
    expect(result.stderr, code).toContain(`error  ${code} `);
    expect(result.code, code).toBe(mended < 4 ? 2 : 3);
    expect(fs.existsSync(path.join(root, "runs"))).toBe(false);
  }
});

test("a run may be graded in one go", () => {
  const root = temporaryFolder();
  const dataDir = layOutPrepared(path.join(root, "data"));
  const args = ["run", "--agent", "sample", "-c", COMPETITION, "--data-dir", dataDir, "--sandbox", KIND];
  const shown = mlebench([...args, "--runs-dir", path.join(root, "runs"), "--grade"]);
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining("1.10986")]);
  expect(shown.stdout).toContain("1 of 1 trials finished");
  const listed = mlebench([...args, "--runs-dir", path.join(root, "more"), "--grade", "--json"]);
  const events = listed.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events.find(({ event }) => event === "graded").report.competition_reports[0].score).toBe(1.10986);
  expect(fs.existsSync(events.at(-1).report)).toBe(true);
});
