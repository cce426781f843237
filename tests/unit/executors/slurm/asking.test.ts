import path from "node:path";
import { expect, test } from "vitest";
import { arrayStore } from "../../../../src/executors/slurm/arrays.ts";
import { gpuCount, impossibleOn, parseTime } from "../../../../src/executors/slurm/cluster.ts";
import { excludedNodes } from "../../../../src/executors/slurm/drive.ts";
import { argumentProblem, sbatchArguments } from "../../../../src/executors/slurm/sbatch-arguments.ts";
import { SlurmSettings } from "../../../../src/executors/slurm/schema.ts";
import { temporaryFolder } from "../../../e2e/temporary-folder.ts";

test.each([
  ["gpu:2(S:0)", 2],
  ["gpu:a100:4(S:0-1),gpu:v100:2", 6],
  ["gpu", 1],
  ["gpu:a100", 1],
  ["(null)", 0],
  ["mps:200,shard:8", 0],
])("Slurm's %s are GPUs", (gres, count) => {
  expect(gpuCount(gres)).toBe(count);
});

test.each([
  ["2-00:00:00", 172_800],
  ["30:00", 1800],
  ["1:00:00", 3600],
  ["infinite", null],
])("a time limit of %s", (text, seconds) => {
  expect(parseTime(text)).toBe(seconds);
});

const NEEDS = { cpus: 3.5, memoryBytes: 4 * 2 ** 30, gpus: 1, seconds: 24 * 3600 + 30 };

test("an array asks for what a trial and the harness need, and for time to collect", () => {
  const args = sbatchArguments(
    {
      key: "k",
      tasks: 60,
      throttle: 8,
      needs: NEEDS,
      script: "/g/task.sh",
      log: "/g/%a.log",
      excluded: ["n4"],
    },
    { partition: "gpu", account: "lab", args: ["--comment=mine"] },
    ["n9"],
  );
  expect(args).toEqual(
    expect.arrayContaining([
      "--array=0-59%8",
      "--cpus-per-task=4",
      "--mem=5120M",
      "--gres=gpu:1",
      // A day, half a minute of grace, and a quarter of an hour.
      "--time=1456",
      "--requeue",
      "--partition=gpu",
      "--account=lab",
      "--exclude=n9,n4",
    ]),
  );
  expect(args.slice(-2)).toEqual(["--comment=mine", "/g/task.sh"]);
});

test("options that mlebench sets itself, and what is not an option, are not passed on", () => {
  for (const bad of ["--array=1-5", "--output", "--wrap=id", "-n4", "whoami", "--nodes=2"])
    expect(argumentProblem(bad), bad).not.toBeNull();
  for (const good of ["--reservation=mlebench", "--exclusive", "--mail-type=END"])
    expect(argumentProblem(good), good).toBeNull();
});

test.each([
  ["constraint", "[rack1|rack2]", true],
  ["constraint", "(intel&gpu)|amd*2", true],
  ["constraint", "!old", true],
  ["nodes", "n[1-3,7]", true],
  ["partition", "gpu,long", true],
  ["nodes", "-h", false],
  ["account", "lab --wrap=id", false],
  ["partition", "", false],
])("%s %s: could be Slurm's %s", (name, value, good) => {
  expect(SlurmSettings.safeParse({ [name]: value }).success).toBe(good);
});

test("a node is known by the name that its host calls itself, in full or in short", () => {
  const nodes = ["n1", "n2.cluster", "n3"];
  const broken = new Map([
    ["n1.cluster.lab", 2],
    ["n1", 1],
    ["n2.cluster", 3],
    ["n3", 2],
    ["elsewhere", 9],
  ]);
  expect(excludedNodes(nodes, broken)).toEqual(["n1", "n2.cluster"]);
  expect(excludedNodes(["n1"], broken)).toEqual([]);
});

test("Slurm reads nothing of its own into a folder's name", () => {
  const group = path.join(temporaryFolder(), "100%done");
  expect(arrayStore(group).logOf("k")).toBe(
    path.join(path.dirname(group), "100%%done", "slurm", "logs", "k_%a.log"),
  );
});

test("what no node can give, or no partition allows, is said beforehand", () => {
  const node = { name: "n1", cpus: 8, memoryBytes: 16 * 2 ** 30, gpus: 2 };
  const cluster = { partition: "main", nodes: [node], outside: [], maxTasks: 1000, maxSeconds: 2 * 86_400 };
  expect(impossibleOn(cluster, NEEDS)).toBeNull();
  expect(impossibleOn(cluster, { ...NEEDS, gpus: 4 })).toContain("no node of the partition main");
  expect(impossibleOn(cluster, { ...NEEDS, memoryBytes: 16 * 2 ** 30 })).toContain("MiB of memory");
  expect(impossibleOn(cluster, { ...NEEDS, seconds: 2 * 86_400 })).toContain("allows 2880");
});
