import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { FULL } from "../../full.ts";
import { json, mlebench, startMlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { killAndResume } from "./kill-and-resume.ts";
import { KIND } from "./kinds.ts";
import { COMPETITION, layOutPrepared, shellAgent } from "./setting.ts";

const OTHER = "leaf-classification";
const root = temporaryFolder();
const dataDir = layOutPrepared(path.join(root, "data"), [COMPETITION, OTHER]);
const runsDir = path.join(root, "runs");
const agentsDir = shellAgent(path.join(root, "agents"), `sleep 30`, "slow");
const PROBE = path.resolve("tests/agents");
const PLACES = ["--data-dir", dataDir, "--runs-dir", runsDir];
const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

function readJson(...names: string[]) {
  return JSON.parse(fs.readFileSync(path.join(runsDir, ...names), "utf8"));
}

describe("a run group", () => {
  beforeAll(() => {
    const set = writeText(root, "set.txt", `${COMPETITION}\n\n${OTHER}\n`);
    // The original's spellings.
    const result = mlebench([
      ...["run", "--agent-id", "trial-probe", "--agents-dir", PROBE, "--competition-set", set, ...PLACES],
      ...["--n-seeds", "2", "--n-workers", "2", "--name", "first", "--json", "--sandbox", KIND],
    ]);
    expect(result.stderr).toContain(`4 trials of trial-probe, 2 at a time, sandbox ${KIND}`);
    expect(result.stderr).toMatch(KIND === "process" ? /^network: the host's own/m : /^network: none$/m);
    expect(result.code).toBe(0);
    const events = result.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.filter(({ event }) => event === "end")).toHaveLength(4);
    expect(events.at(-1)).toMatchObject({ event: "summary", exitCode: 0, unfinished: [] });
  });

  test("is laid out as the original lays it out, with seeds in the outer loop", () => {
    const { run_group: name, runs } = readJson("first", "metadata.json");
    expect(name).toBe("first");
    expect(Object.keys(runs).map((id) => id.split("_")[0])).toEqual([COMPETITION, OTHER, COMPETITION, OTHER]);
    expect(Object.values(runs).map((run) => (run as { seed: number }).seed)).toEqual([0, 0, 1, 1]);
    for (const id of Object.keys(runs))
      for (const file of ["run.log", "submission/submission.csv", "logs/agent.log", "code/train.py"])
        expect(fs.existsSync(path.join(runsDir, "first", id, file)), file).toBe(true);
  });

  test("gives a submissions file that grades like the group itself", () => {
    const output = path.join(root, "submission.jsonl");
    const made = mlebench([
      "make-submission",
      "--metadata",
      path.join(runsDir, "first/metadata.json"),
      "--output",
      output,
    ]);
    expect(made.code).toBe(0);
    expect(fs.readFileSync(output, "utf8")).toBe(
      fs.readFileSync(path.join(runsDir, "first/submission.jsonl"), "utf8"),
    );
    const listed = mlebench([
      "grade",
      "--submission",
      output,
      "--output-dir",
      root,
      "--data-dir",
      dataDir,
      "--json",
    ]);
    const grouped = mlebench(["grade", "first", "--runs-dir", runsDir, "--json"]);
    expect([listed.code, grouped.code]).toEqual([0, 0]);
    const scores = (result: typeof listed) =>
      (json(result) as { competition_reports: { score: number }[] }).competition_reports.map(
        ({ score }) => score,
      );
    expect(scores(grouped)).toEqual(scores(listed));
    expect(scores(grouped)).toEqual([1.10986, 4.59512, 1.10986, 4.59512]);
    expect(fs.readdirSync(path.join(runsDir, "first/hourly"))).toEqual([
      "grading_report_0.json",
      "grading_report_1.json",
    ]);
    expect(readJson("first/hourly/grading_report_0.json").total_runs_with_submissions).toBe(0);
    expect(readJson("first/hourly/grading_report_1.json").total_valid_submissions).toBe(4);
  });

  test("keeps one report however often it is graded, and still verifies", () => {
    expect(mlebench(["grade", "first", "--runs-dir", runsDir]).code).toBe(0);
    const reports = fs
      .readdirSync(path.join(runsDir, "first"))
      .filter((name) => name.includes("grading_report"));
    expect(reports).toHaveLength(1);
    const verified = mlebench(["verify", "first", ...PLACES]);
    expect(verified.code).toBe(0);
    expect(verified.stdout).toContain("consistent, but unsigned");
    expect(mlebench(["verify", "first", ...PLACES, "--require-signature"]).code).toBe(1);
  });

  test("has nothing left to resume", () => {
    const before = readJson("first/group.json").trials.map(({ id }: { id: string }) =>
      fs.readFileSync(path.join(runsDir, "first", id, "trial.json"), "utf8"),
    );
    const resumed = mlebench(["resume", "first", "--runs-dir", runsDir]);
    expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining("4 of 4 trials finished")]);
    const after = readJson("first/group.json").trials.map(({ id }: { id: string }) =>
      fs.readFileSync(path.join(runsDir, "first", id, "trial.json"), "utf8"),
    );
    expect(after).toEqual(before);
  });

  test("shows its state and its logs", () => {
    const status = json(mlebench(["status", "--runs-dir", runsDir, "--json"])) as {
      groups: { runGroup: string; trials: { state: string; id: string }[] }[];
    };
    const group = status.groups.find(({ runGroup }) => runGroup === "first")!;
    expect(group.trials.map(({ state }) => state)).toEqual(Array(4).fill("finished"));
    const logs = mlebench(["logs", group.trials[0].id.slice(0, -4), "--runs-dir", runsDir]);
    expect(logs.stdout).toContain(`[Container] seed 0 on ${COMPETITION}`);
    expect(mlebench(["cancel", group.trials[0].id, "--runs-dir", runsDir]).code).toBe(3);
  });
});

test("a signed run is verified by the key's public half, and by no other", () => {
  const keys = path.join(root, "keys");
  expect(mlebench(["keys", "create", "--folder", keys]).code).toBe(0);
  expect(mlebench(["keys", "create", "--folder", keys]).code).toBe(2);
  mlebench(["keys", "create", "--folder", keys, "--name", "other"]);
  const run = mlebench([
    ...[
      "run",
      "--agent",
      "trial-probe",
      "--agents-dir",
      PROBE,
      "-c",
      COMPETITION,
      ...PLACES,
      "--name",
      "signed",
    ],
    ...["--sign", path.join(keys, "default.key"), "--sandbox", KIND],
  ]);
  expect(run.code).toBe(0);
  const verify = (key: string) =>
    mlebench(["verify", "signed", ...PLACES, "--require-signature", "--key", path.join(keys, key)]);
  expect(verify("default.pub").code).toBe(0);
  expect(verify("other.pub").code).toBe(1);
});

test("Ctrl-C stops gently, leaves a resumable group and ends with 130", async () => {
  const child = startMlebench([
    ...["run", "--agent", "slow", "--agents-dir", agentsDir, "-c", COMPETITION, ...PLACES],
    ...["--name", "stopped", "--grace", "1s", "--json", "--sandbox", KIND],
  ]);
  child.stdout!.once("data", () => setTimeout(() => child.kill("SIGINT"), 500));
  const [code] = await once(child, "exit");
  expect(code).toBe(130);
  const { trials } = readJson("stopped/group.json");
  expect(readJson("stopped", trials[0].id, "trial.json")).toMatchObject({
    status: "interrupted",
    outcome: { stopReason: "cancelled" },
  });
  expect(mlebench(["status", "stopped", "--runs-dir", runsDir]).stdout).toContain("0 of 1 finished, stopped");
  expect(mlebench(["cancel", trials[0].id, "--runs-dir", runsDir]).code).toBe(0);
  expect(mlebench(["resume", "stopped", "--runs-dir", runsDir]).code).toBe(0);
  expect(readJson("stopped", trials[0].id, "trial.json")).toMatchObject({
    status: "finished",
    attempt: 2,
    outcome: { stopReason: "cancelled" },
  });
});

test("a run that nobody reads any more stops like with Ctrl-C, and leaves no agent behind", async () => {
  const child = startMlebench([
    ...["run", "--agent", "slow", "--agents-dir", agentsDir, "-c", COMPETITION, ...PLACES],
    ...["--name", "unread", "--grace", "1s", "--json", "--sandbox", KIND],
  ]);
  child.stdout!.once("data", () => {
    child.stdout!.destroy();
    child.stderr!.destroy();
  });
  const [code] = await once(child, "exit");
  expect(code).toBe(130);
  const { trials } = readJson("unread/group.json");
  expect(readJson("unread", trials[0].id, "trial.json")).toMatchObject({
    status: "interrupted",
    outcome: { stopReason: "cancelled" },
  });
});

test("a second process does not work on the same group", async () => {
  const child = startMlebench([
    ...[
      "run",
      "--agent",
      "slow",
      "--agents-dir",
      agentsDir,
      "-c",
      COMPETITION,
      ...PLACES,
      "--name",
      "busy",
      "--sandbox",
      KIND,
      "--json",
    ],
  ]);
  await once(child.stdout!, "data");
  expect(readJson("busy/group.lock")).toMatchObject({ schema: "mlebench/group-lock", pid: child.pid });
  const second = mlebench(["resume", "busy", "--runs-dir", runsDir]);
  expect([second.code, second.stderr]).toEqual([3, expect.stringContaining("GROUP_BUSY")]);
  child.kill("SIGINT");
  child.kill("SIGINT");
  await once(child, "exit");
});

test("resume refuses data that have changed since the start, and says so in the record when told to go on", async () => {
  const ownData = layOutPrepared(path.join(root, "changing-data"));
  const child = startMlebench([
    ...["run", "--agent", "slow", "--agents-dir", agentsDir, "-c", COMPETITION, "--runs-dir", runsDir],
    ...["--data-dir", ownData, "--name", "changing", "--grace", "1s", "--json", "--sandbox", KIND],
  ]);
  await once(child.stdout!, "data");
  child.kill("SIGINT");
  await once(child, "exit");
  fs.appendFileSync(path.join(ownData, COMPETITION, "prepared/public/train.csv"), "\n");
  const refused = mlebench(["resume", "changing", "--runs-dir", runsDir]);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("DATA_CHANGED")]);
  expect(refused.stderr).toContain("--accept-changed-data");
  const [{ id }] = readJson("changing/group.json").trials;
  mlebench(["cancel", id, "--runs-dir", runsDir]);
  expect(mlebench(["resume", "changing", "--runs-dir", runsDir, "--accept-changed-data"]).code).toBe(0);
  const trial = readJson("changing", id, "trial.json");
  expect(trial.notes).toContain("The prepared data are not those this group was started with.");
  expect(trial.competition.data).not.toEqual(readJson("changing/group.json").data[COMPETITION]);
  // Nothing is left to run on other data.
  expect(mlebench(["resume", "changing", "--runs-dir", runsDir]).code).toBe(0);
});

test("an agent that asks for privileges needs consent, gets none, and its certificate says so", () => {
  const folder = shellAgent(path.join(root, "privileged"), "true", "mighty");
  const definition = { command: ["sh", "/home/agent/start.sh"], privileged: true };
  writeText(folder, "mighty/config.yaml", JSON.stringify({ mighty: definition }));
  const args = ["run", "--agent", "mighty", "--agents-dir", folder, "-c", COMPETITION, ...PLACES];
  const run = (env: Record<string, string>) =>
    mlebench([...args, "--name", "mighty", "--sandbox", KIND], env);
  const refused = run({});
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining("I_ACCEPT_RUNNING_PRIVILEGED_CONTAINERS=true"),
  ]);
  const ran = run({ I_ACCEPT_RUNNING_PRIVILEGED_CONTAINERS: "true" });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain("mighty asks for a privileged container; it runs without any privilege");
  const [{ id }] = readJson("mighty/group.json").trials;
  expect(readJson("mighty", id, "certificate.json").record.content.agent.privilegesDenied).toBe(true);
  expect(mlebench(["verify", "mighty", ...PLACES]).stdout).toContain("ran without privileges");
});

test.each([
  ["an unknown agent", ["--agent", "nobody", "-c", COMPETITION], 2, "NO_AGENT"],
  ["no agent", ["-c", COMPETITION], 2, "NO_AGENT"],
  ["no competition", ["--agent", "slow"], 2, "NO_COMPETITION"],
  ["an unknown competition", ["--agent", "slow", "-c", "spooky"], 2, "UNKNOWN_COMPETITION"],
  ["data that are not prepared", ["--agent", "slow", "-c", "mlsp-2013-birds"], 2, "NOT_PREPARED"],
  [
    "materials that are not there",
    ["--agent", "slow", "-c", COMPETITION, "--materials", "/nonexistent"],
    2,
    "NO_MATERIALS",
  ],
  [
    "a limit that cannot be enforced",
    ["--agent", "slow", "-c", COMPETITION, "--sandbox", "process", "--disk", "1GB"],
    3,
    "LIMIT_NOT_ENFORCEABLE",
  ],
  [
    "a network that cannot be had",
    ["--agent", "slow", "-c", COMPETITION, "--sandbox", "process", "--network", "none"],
    3,
    "NETWORK_NOT_ENFORCEABLE",
  ],
  ["more than the machine has", ["--agent", "slow", "-c", COMPETITION, "--gpus", "99"], 3, "TOO_MUCH"],
])("%s is refused before anything starts", (_, args, code, message) => {
  const before = fs.existsSync(runsDir) ? fs.readdirSync(runsDir) : [];
  const result = mlebench(["run", "--agents-dir", agentsDir, ...PLACES, ...args]);
  expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(message)]);
  expect(fs.existsSync(runsDir) ? fs.readdirSync(runsDir) : []).toEqual(before);
});

test("of several reasons to refuse the first is told: usage, competition, data, materials, machine, sandbox", () => {
  const birds = "mlsp-2013-birds";
  const reasons: [option: string, wrong: string, right: string | null, code: string][] = [
    ["--name", "../up", "ordered", "BAD_NAME"],
    ["-c", "spooky", birds, "UNKNOWN_COMPETITION"],
    ["-c", birds, COMPETITION, "NOT_PREPARED"],
    ["--materials", "/nonexistent", agentsDir, "NO_MATERIALS"],
    ["--gpus", "99", "0", "TOO_MUCH"],
    ["--disk", "1GB", null, "LIMIT_NOT_ENFORCEABLE"],
  ];
  const options = new Map<string, string | null>(reasons.map(([option, wrong]) => [option, wrong]));
  options.set("-c", "spooky");
  for (const [option, , right, code] of reasons) {
    const given = [...options].flatMap(([name, value]) => (value === null ? [] : [name, value]));
    const args = ["run", "--agent", "slow", "--agents-dir", agentsDir, ...PLACES, "--sandbox", "process"];
    expect(mlebench([...args, ...given]).stderr).toContain(code);
    options.set(option, right);
  }
});

test.runIf(FULL)(
  "the harness killed five times and resumed each time finishes every trial exactly once",
  {
    timeout: 180_000,
  },
  async () => {
    const { problems } = await killAndResume({
      main: MAIN,
      folder: temporaryFolder(),
      kills: 5,
      trials: 6,
      system: { sandbox: KIND },
      random: Math.random,
      log: () => {},
    });
    expect(problems).toEqual([]);
  },
);
