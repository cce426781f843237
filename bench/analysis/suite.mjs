// What it costs to turn graded trials into results: aggregated, compared, classified and rendered, each command by
// itself and all of it by `report`. Needs the built package.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { bundlePrograms } from "../../scripts/bundle-program.mjs";
import { measureNode } from "../measure.mjs";
import { describeMachine } from "../report.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const MAIN = path.join(root, "dist/cli/main.js");
const CASES = [
  { agents: 3, competitions: 10, seeds: 5, seconds: 2, megabytes: 500 },
  { agents: 2, competitions: 50, seeds: 100, seconds: 10, megabytes: 500 },
];

/** Exit code 0: every target met; 1: one is missed. `--quick` leaves out the large case. */
export async function run(argv) {
  const { values: options } = parseArgs({
    args: argv,
    options: { json: { type: "boolean", default: false }, quick: { type: "boolean", default: false } },
  });
  const folder = path.join(root, ".bench/analysis");
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const program = await bundle(folder);
  const results = CASES.slice(0, options.quick ? 1 : undefined).map((one) =>
    measureCase(one, folder, program),
  );
  const met = results.every(({ steps, seconds, megabytes }) =>
    steps.every(({ cpu, peakMB }) => cpu < seconds && peakMB < megabytes),
  );
  const report = { schema: "mlebench/bench-analysis", version: 1, machine: describeMachine(), results, met };
  if (options.json) console.log(JSON.stringify(report, null, 2));
  else printReport(report);
  fs.rmSync(folder, { recursive: true, force: true });
  return met ? 0 : 1;
}

function measureCase(one, folder, program) {
  const { agents, competitions, seeds } = one;
  const runs = path.join(folder, `runs-${agents}-${competitions}-${seeds}`);
  const planted = spawnSync(process.execPath, [program, runs, agents, competitions, seeds].map(String), {
    cwd: root,
    encoding: "utf8",
  });
  if (planted.status !== 0) throw new Error(planted.stderr);
  const groups = planted.stdout.trim().split("\n");
  const split = path.join(folder, "split.txt");
  const ids = JSON.parse(fs.readFileSync(path.join(groups[0], "group.json"), "utf8")).trials;
  fs.writeFileSync(split, [...new Set(ids.map(({ competitionId }) => competitionId))].join("\n"));
  const steps = [
    ["aggregate", ["aggregate", "--runs", groups[0], "--split", split, "--json"]],
    ["compare", ["compare", groups[0], groups[1], "--json"]],
    ["failures", ["failures", ...groups, "--json"]],
    ["report (all of it)", ["report", ...groups, "-o", path.join(folder, "report.html")]],
  ].map(([name, args]) => {
    const { cpu, wall, peakMB } = measureNode([MAIN, ...args], {
      folder,
      runs: seeds > 10 ? 1 : 3,
      exitCodes: [0, 1],
    });
    return { name, cpu, wall, peakMB };
  });
  fs.rmSync(runs, { recursive: true, force: true });
  return { ...one, trials: agents * competitions * seeds, steps };
}

async function bundle(folder) {
  await bundlePrograms([path.join(import.meta.dirname, "plant.ts")], folder);
  return path.join(folder, "plant.mjs");
}

function printReport({ machine, results, met }) {
  console.log(`${machine.date} · ${machine.cpu}, ${machine.cores} cores · Node ${machine.node}\n`);
  for (const { agents, competitions, seeds, trials, seconds, megabytes, steps } of results) {
    console.log(
      `${agents} agents × ${competitions} competitions × ${seeds} seeds = ${trials.toLocaleString("en")} trials (target: ${seconds} s of CPU, ${megabytes} MB)`,
    );
    for (const { name, cpu, wall, peakMB } of steps)
      console.log(
        `  ${name.padEnd(20)} ${cpu.toFixed(2)} s CPU  ${wall.toFixed(2)} s wall  ${peakMB.toFixed(0)} MB`,
      );
  }
  console.log(met ? "pass" : "FAIL");
}
