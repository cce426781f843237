import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { FULL } from "../../full.ts";
import { type CliResult, json, mlebench, startMlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared, shellAgent } from "../trials/setting.ts";

const root = temporaryFolder();
const dataDir = layOutPrepared(path.join(root, "data"));
const runsDir = path.join(root, "runs");
const agents = path.join(root, "agents");
shellAgent(agents, 'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"', "copier");
shellAgent(agents, "true", "idler");

const MATRIX = {
  name: "matrix",
  competitions: [COMPETITION],
  seeds: 2,
  agentsDir: "agents",
  defaults: { grace: "1s", time: "1h" },
  agents: ["copier", { id: "idler", name: "does-nothing" }],
  budgets: [{ name: "short", time: "20s" }, { name: "long" }],
};
const file = writeText(root, "matrix.yaml", stringify(MATRIX));
const CELLS = ["copier_short", "copier_long", "does-nothing_short", "does-nothing_long"];

function experiment(action: "run" | "report", yaml: string, ...args: string[]): CliResult {
  const data = action === "run" ? ["--data-dir", dataDir, "--sandbox", "process"] : [];
  return mlebench(["experiment", action, yaml, "--runs-dir", runsDir, ...data, ...args]);
}

interface Report {
  cells: { name: string; aggregate: { seeds: number; published: { valid: number } } }[];
  comparisons: { factor: string; a: string; b: string; result: { medalRate: { withinNoise: boolean } } }[];
}

test("a file that asks for no isolation is refused with the flag that can ask for it", () => {
  const bare = writeText(
    root,
    "bare.yaml",
    stringify({ ...MATRIX, name: "bare", defaults: { sandbox: "process" } }),
  );
  const { code, stderr } = mlebench([
    ...["experiment", "run", bare, "--runs-dir", runsDir, "--data-dir", dataDir],
  ]);
  expect(code).toBe(2);
  expect(stderr).toContain("NOT_ISOLATED");
  expect(stderr).toContain("--sandbox process");
  expect(fs.existsSync(path.join(runsDir, "bare"))).toBe(false);
});

test("an agent that comes with mlebench runs wherever `run` would run it, also where no sandbox works", () => {
  const yaml = writeText(
    root,
    "ours.yaml",
    stringify({ ...MATRIX, name: "ours", seeds: 1, agents: ["sample"], budgets: undefined }),
  );
  const where = ["--runs-dir", runsDir, "--data-dir", dataDir];
  const { code, stderr } = mlebench(["experiment", "run", yaml, ...where]);
  expect(code, stderr).toBe(0);
  const { sandbox } = JSON.parse(
    fs.readFileSync(path.join(runsDir, "ours/sample/group.json"), "utf8"),
  ).settings;
  expect(sandbox === "process").toBe(stderr.includes("runs without isolation, which its record says"));
});

describe("a matrix of two agents and two budgets", () => {
  beforeAll(() => {
    const result = experiment("run", file, "--json");
    expect(result.stderr).not.toContain("error");
    expect(result.code).toBe(0);
    const events = result.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.filter(({ event }) => event === "end")).toHaveLength(8);
  });

  test("is a run group for every cell, with the cell's own limits", () => {
    const folders = fs.readdirSync(path.join(runsDir, "matrix"), { withFileTypes: true });
    expect(folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)).toEqual(CELLS.toSorted());
    const seconds = CELLS.map(
      (cell) =>
        JSON.parse(fs.readFileSync(path.join(runsDir, "matrix", cell, "group.json"), "utf8")).settings
          .timeSeconds,
    );
    expect(seconds).toEqual([20, 3600, 20, 3600]);
  });

  test("is aggregated by cell, and compared where cells differ in one thing alone", () => {
    const result = experiment("report", file, "--json");
    expect(result.code).toBe(0);
    const { cells, comparisons } = json(result) as Report;
    expect(cells.map(({ name, aggregate }) => [name, aggregate.seeds, aggregate.published.valid])).toEqual([
      ["copier_short", 2, 100],
      ["copier_long", 2, 100],
      ["does-nothing_short", 2, 0],
      ["does-nothing_long", 2, 0],
    ]);
    expect(comparisons.map(({ factor, a, b }) => [factor, a, b])).toEqual([
      ["budget", "copier_short", "copier_long"],
      ["agent", "copier_short", "does-nothing_short"],
      ["agent", "copier_long", "does-nothing_long"],
      ["budget", "does-nothing_short", "does-nothing_long"],
    ]);
    expect(comparisons[0].result.medalRate.withinNoise).toBe(true);
  });

  test("with `against`, compared with the cells of that name alone, what the change brought before the minus", () => {
    const yaml = writeText(root, "against.yaml", stringify({ ...MATRIX, against: "copier" }));
    const { comparisons } = json(experiment("report", yaml, "--json")) as Report;
    expect(comparisons.map(({ factor, a, b }) => [factor, a, b])).toEqual([
      ["agent", "does-nothing_short", "copier_short"],
      ["agent", "does-nothing_long", "copier_long"],
    ]);
  });

  test("is read by people, too", () => {
    const { stdout } = experiment("report", file);
    expect(stdout).toMatch(/^cell +seeds +any medal % +95 % over seeds +percentile/m);
    for (const part of ["matrix: 1 competition,", "copier_short − copier_long", "too few", "p (Holm)"])
      expect(stdout).toContain(part);
  });

  test("done once, nothing is repeated, and its cells can be aggregated by their names", () => {
    const again = experiment("run", file, "--json");
    expect([again.code, again.stdout]).toEqual([0, ""]);
    const split = writeText(root, "split.txt", COMPETITION);
    const folder = path.join(runsDir, "matrix");
    const aggregated = mlebench([
      ...["aggregate", "--experiment-id", "copier_long", "--runs-dir", folder, "--split", split, "--json"],
    ]);
    expect(json(aggregated)).toMatchObject({ seeds: 2 });
  });

  test("a cell cannot be changed once it was started; cells may be added, and show as missing until they are run", () => {
    const changed = writeText(root, "changed.yaml", stringify({ ...MATRIX, seeds: 3 }));
    const refused = experiment("run", changed);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("EXPERIMENT_CHANGED")]);
    const budgets = [...MATRIX.budgets, { name: "tiny", time: "5s" }];
    const more = writeText(root, "more.yaml", stringify({ ...MATRIX, budgets }));
    const report = experiment("report", more, "--json");
    expect(report.code).toBe(1);
    expect(json(report)).toMatchObject({
      missing: [{ cell: "copier_tiny" }, { cell: "does-nothing_tiny" }],
    });
  });
});

test.runIf(FULL)(
  "interrupted in the middle of a cell, the same command goes on with it and with the cells behind it",
  async () => {
    shellAgent(
      agents,
      'sleep 3; cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"',
      "slow",
    );
    const yaml = writeText(
      root,
      "slow.yaml",
      stringify({ ...MATRIX, name: "slow", seeds: 1, agents: ["slow"] }),
    );
    const child = startMlebench([
      ...["experiment", "run", yaml, "--runs-dir", runsDir, "--data-dir", dataDir, "--json"],
      ...["--sandbox", "process"],
    ]);
    await once(child.stdout!, "data");
    child.kill("SIGINT");
    expect((await once(child, "exit"))[0]).toBe(130);
    expect(fs.existsSync(path.join(runsDir, "slow", "slow_long"))).toBe(false);
    expect(experiment("run", yaml).code).toBe(0);
    const { cells } = json(experiment("report", yaml, "--json")) as Report;
    expect(cells.map(({ aggregate }) => aggregate.published.valid)).toEqual([100, 100]);
  },
);

test.each([
  ["a file that is not there", null, "does not exist"],
  ["broken YAML", "name: [", "cannot be read"],
  ["a misspelled key", stringify({ ...MATRIX, budget: [] }), "budget"],
  ["a time that is none", stringify({ ...MATRIX, budgets: [{ name: "a", time: "soon" }] }), "budgets.0.time"],
  ["competitions and a split", stringify({ ...MATRIX, split: "low" }), "either competitions or a split"],
  ["an unknown split", stringify({ ...MATRIX, competitions: undefined, split: "none" }), "UNKNOWN_SPLIT"],
  ["an unknown agent", stringify({ ...MATRIX, name: "b", agents: ["nobody"] }), "nobody"],
  ["an unknown competition", stringify({ ...MATRIX, name: "b", competitions: ["x"] }), '"x"'],
  ["a comparison with nobody", stringify({ ...MATRIX, name: "b", against: "whole" }), "names no agent"],
  ["the same cell twice", stringify({ ...MATRIX, name: "b", agents: ["copier", "copier"] }), "Two cells"],
])("%s is refused before anything starts", (_, content, message) => {
  const yaml = content === null ? "nowhere.yaml" : writeText(root, "bad.yaml", content);
  const result = experiment("run", yaml);
  expect([result.code, result.stdout, result.stderr]).toEqual([2, "", expect.stringContaining(message)]);
  expect(fs.existsSync(path.join(runsDir, "b"))).toBe(false);
});

test("a report of what was never run says so", () => {
  const yaml = writeText(root, "never.yaml", stringify({ ...MATRIX, name: "never" }));
  const result = experiment("report", yaml);
  expect([result.code, result.stderr]).toEqual([3, expect.stringContaining("NO_RESULTS")]);
});
