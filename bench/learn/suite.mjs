// Our boosted trees beside scikit-learn's HistGradientBoosting: same data, same folds, same settings.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { readOptions } from "../options.mjs";
import { hasPython, PYTHON } from "../python.mjs";
import { describeMachine } from "../report.mjs";
import { makeDataSets, readNumbers } from "./data.mjs";
import { compareQuality, meanLoss } from "./quality.mjs";
import { printTable } from "./report.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const PYTHON_SCRIPT = path.join(root, "bench/python/learn_boost.py");
/** Against scikit-learn: CPU with one thread each, wall time with two. */
const MAX_CPU = 2.5;
const MAX_WALL = 1.5;

/** Exit code 0: every target met; 1: one is missed. */
export async function run(argv) {
  const options = readOptions(argv);
  const folder = path.join(root, ".bench/learn");
  fs.mkdirSync(folder, { recursive: true });
  const python = !options["no-python"] && hasPython();
  const bundle = await bundleLearners(folder);
  const repeats = options.quick ? 1 : 3;
  const results = [];
  for (const set of makeDataSets(folder, python ? PYTHON : null)) {
    if (!set.name.includes(options.only)) continue;
    if (!options.json) process.stderr.write(`${set.name} …\n`);
    results.push(compare(set, bundle, python, repeats));
  }
  const report = {
    schema: "mlebench/bench-learn",
    version: 1,
    machine: describeMachine(),
    python,
    repeats,
    results,
  };
  if (options.json) console.log(JSON.stringify(report, null, 2));
  else printTable(report);
  return results.some(({ met }) => met === false) ? 1 : 0;
}

function compare(set, bundle, python, repeats) {
  const { folder, ...about } = set;
  const one = runOurs(bundle, folder, 1, repeats);
  const alone = fs.readFileSync(path.join(folder, "ours.f64"));
  const two = runOurs(bundle, folder, 2, repeats);
  if (!alone.equals(fs.readFileSync(path.join(folder, "ours.f64")))) {
    throw new Error(`${about.name}: two threads give other predictions than one`);
  }
  const ours = { cpu: one.cpu, wall: two.wall };
  const [target, fold, predictions] = ["target.f64", "fold.f64", "ours.f64"].map((name) =>
    readNumbers(folder, name),
  );
  if (!python)
    return { ...about, ours, quality: { ours: meanLoss(about, target, fold, predictions) }, met: null };
  const theirs = { cpu: runTheirs(folder, 1, repeats).cpu, wall: runTheirs(folder, 2, repeats).wall };
  const quality = compareQuality(about, target, fold, predictions, readNumbers(folder, "sklearn.f64"));
  const [cpuRatio, wallRatio] = [ours.cpu / theirs.cpu, ours.wall / theirs.wall];
  const met = quality.within && cpuRatio <= MAX_CPU && wallRatio <= MAX_WALL;
  return { ...about, ours, theirs, cpuRatio, wallRatio, quality, met };
}

function runOurs(bundle, folder, threads, repeats) {
  const script = path.join(import.meta.dirname, "fit.mjs");
  return runJson(process.execPath, [script, bundle, folder, threads, repeats], {});
}

function runTheirs(folder, threads, repeats) {
  // A waiting OpenMP thread that spins would be counted as work.
  const env = { OMP_NUM_THREADS: String(threads), OMP_WAIT_POLICY: "passive" };
  return runJson(PYTHON, [PYTHON_SCRIPT, folder, repeats], env);
}

function runJson(command, args, env) {
  const child = spawnSync(command, args.map(String), { encoding: "utf8", env: { ...process.env, ...env } });
  if (child.status !== 0) throw new Error(`${args[0]} ended with ${child.status}:\n${child.stderr}`);
  return JSON.parse(child.stdout);
}

async function bundleLearners(folder) {
  const outfile = path.join(folder, "learning.mjs");
  const files = ["boosting/bins.ts", "boosting/boost.ts", "boosting/team.ts", "matrix.ts"];
  await build({
    stdin: {
      contents: files.map((file) => `export * from "./${file}";`).join("\n"),
      resolveDir: path.join(root, "src/learning"),
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  return outfile;
}
