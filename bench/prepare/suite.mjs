// What preparing costs: a taxi file of 1 and of 5.5 million rows, beside pandas and scikit-learn doing the same split. With --huge
// instead: the whole command on the largest data there are; tens of gigabytes of disk and many minutes.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { bundlePrograms } from "../../scripts/bundle-program.mjs";
import { measure, measureNode } from "../measure.mjs";
import { readOptions } from "../options.mjs";
import { hasPython, PYTHON } from "../python.mjs";
import { describeMachine } from "../report.mjs";
import { HUGE } from "./huge-data.mjs";
import { makeTaxiData } from "./taxi-data.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const SIZES = { full: [1_000_000, 5_500_000], quick: [100_000, 550_000] };
const FASTER = 3;
/** Peak memory at the larger size by that at the smaller one: what does not grow may still differ by noise. */
const MAX_GROWTH = 1.1;
const MAX_HUGE_MB = 1.5e9 / 2 ** 20;
const FILES = { "public/labels.csv": "labels.csv", "private/test.csv": "answers.csv" };

/** Exit code 0: every target met; 1: one is missed. */
export async function run(argv) {
  const options = readOptions(argv, { huge: { type: "boolean", default: false } });
  const folder = path.join(root, ".bench/prepare");
  fs.mkdirSync(folder, { recursive: true });
  if (options.huge) return runHuge(folder, options);
  const python = !options["no-python"] && hasPython();
  const program = await bundle(folder);
  const runs = options.quick ? 1 : 2;
  const results = SIZES[options.quick ? "quick" : "full"].map((rows) => {
    if (!options.json) process.stderr.write(`${rows.toLocaleString("en")} rows …\n`);
    return prepareTaxi({ rows, folder, program, python, runs });
  });
  const [small, large] = results;
  const growth = large.peakMB / small.peakMB;
  const report = {
    schema: "mlebench/bench-prepare",
    version: 2,
    machine: describeMachine(),
    python,
    results,
    memoryGrowth: growth,
    met: growth <= MAX_GROWTH && (!large.python || large.python.timesFaster >= FASTER),
  };
  if (options.json) console.log(JSON.stringify(report, null, 2));
  else printReport(report);
  return report.met ? 0 : 1;
}

function prepareTaxi({ rows, folder, program, python, runs }) {
  const raw = makeTaxiData(folder, rows);
  const out = path.join(folder, "out");
  fs.rmSync(out, { recursive: true, force: true });
  const ours = measureNode([program, raw, out], { folder, runs });
  const result = { rows, megabytes: fs.statSync(path.join(raw, "train.csv")).size / 2 ** 20, ...costs(ours) };
  if (!python) return result;
  const theirs = path.join(folder, "out-python");
  const script = path.join(root, "bench/python/prepare_taxi.py");
  const other = measure([PYTHON, script, raw, theirs], { folder, runs: 1 });
  for (const [mine, other] of Object.entries(FILES)) {
    const same = md5(path.join(out, mine)) === md5(path.join(theirs, other));
    if (!same) throw new Error(`${mine} differs from what pandas writes: the two do not do the same work`);
  }
  return { ...result, python: { ...costs(other), timesFaster: other.wall / ours.wall } };
}

function costs({ cpu, wall, peakMB }) {
  return { cpu, wall, peakMB };
}

function md5(file) {
  return createHash("md5").update(fs.readFileSync(file)).digest("hex");
}

async function bundle(folder) {
  await bundlePrograms([path.join(import.meta.dirname, "run-taxi.ts")], folder);
  return path.join(folder, "run-taxi.mjs");
}

function printReport({ machine, results, memoryGrowth, met }) {
  console.log(`${machine.date} · ${machine.cpu}, ${machine.cores} cores · Node ${machine.node}\n`);
  for (const { rows, megabytes, cpu, wall, peakMB, python: other } of results) {
    const line = `${rows.toLocaleString("en")} rows (${megabytes.toFixed(0)} MB): ${wall.toFixed(1)} s wall, ${cpu.toFixed(1)} s CPU, ${peakMB.toFixed(0)} MB`;
    const beside = other
      ? ` · pandas + scikit-learn ${other.wall.toFixed(1)} s wall, ${other.cpu.toFixed(1)} s CPU, ${other.peakMB.toFixed(0)} MB · ${other.timesFaster.toFixed(1)}× faster (target ≥ ${FASTER}×)`
      : "";
    console.log(line + beside);
  }
  console.log(
    `peak memory grows ${memoryGrowth.toFixed(2)}-fold (target ≤ ${MAX_GROWTH}: not at all, but for noise)`,
  );
  console.log(met ? "pass" : "FAIL");
}

/** Through the command line, everything included: raw folder in, audited data out. One at a time, each removed before the next. */
function runHuge(folder, { json, only }) {
  const results = [];
  for (const [id, { what, make }] of Object.entries(HUGE)) {
    if (!id.includes(only)) continue;
    const raw = path.join(folder, "huge-raw");
    const data = path.join(folder, "huge-data");
    for (const old of [raw, data]) fs.rmSync(old, { recursive: true, force: true });
    try {
      if (!json) process.stderr.write(`${id}, ${what} …\n`);
      fs.mkdirSync(raw, { recursive: true });
      make(raw, folder);
      const command = [path.join(root, "dist/cli/main.js"), "prepare", "-c", id, "--raw", raw];
      const cost = measureNode([...command, "--data-dir", data, "--skip-verification"], { folder, runs: 1 });
      results.push({ id, what, ...costs(cost), met: cost.peakMB <= MAX_HUGE_MB });
    } finally {
      for (const used of [raw, data]) fs.rmSync(used, { recursive: true, force: true });
    }
  }
  const met = results.every((result) => result.met);
  const report = {
    schema: "mlebench/bench-prepare-huge",
    version: 1,
    machine: describeMachine(),
    results,
    met,
  };
  if (json) console.log(JSON.stringify(report, null, 2));
  else {
    for (const { id, what, wall, cpu, peakMB } of results)
      console.log(
        `${id}, ${what}: ${wall.toFixed(0)} s wall, ${cpu.toFixed(0)} s CPU, ${peakMB.toFixed(0)} MB (target ≤ ${MAX_HUGE_MB.toFixed(0)})`,
      );
    console.log(met ? "pass" : "FAIL");
  }
  return met ? 0 : 1;
}
