// What grading costs: start-up, a batch of golden submissions, and million-row files, each as a process of its own.
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { measure, measureNode } from "../measure.mjs";
import { readOptions } from "../options.mjs";
import { hasPython, PYTHON } from "../python.mjs";
import { describeMachine } from "../report.mjs";
import { DATA, makeData } from "./data.mjs";
import { layOutGoldenBatch } from "./golden-batch.mjs";
import { printTable } from "./report.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const CLI = path.join(root, "dist/cli/main.js");
const PYTHON_SCRIPT = path.join(root, "bench/python/grade.py");
const COMPETITIONS = path.join(root, "bench/competitions");
const QUICK_ROWS = 100_000;
const FULL_ROWS = 1_000_000;
/** Against pandas and scikit-learn: this many times less CPU, and this share of the memory. */
const FASTER = 5;
const LEANER = 0.5;
/**
 * A twelfth of the 4.03 s of CPU that the original took for one submission of each of its 82 competitions, measured where
 * it could be run. Here it cannot; what Python takes to read and sort the same files, without any metric, is shown beside it.
 */
const BATCH_SECONDS = 4.03 / 12;
/** Seconds of CPU after which Python is not run again, so that decoding a million masks is waited for once. */
const PYTHON_PATIENCE = 12;

/** Exit code 0: every target met; 1: one is missed; 2: nothing to measure. */
export async function run(argv) {
  const options = readOptions(argv);
  if (!fs.existsSync(CLI)) {
    console.error("dist/ is missing. Build it: npm run build");
    return 2;
  }
  const rows = options.quick ? QUICK_ROWS : FULL_ROWS;
  const folder = path.join(root, ".bench", `grade-${rows}`);
  fs.mkdirSync(folder, { recursive: true });
  const python = !options["no-python"] && hasPython("pandas, sklearn, Levenshtein");
  const context = { folder, rows, python, runs: options.quick ? 2 : 5, quick: options.quick };
  const cases = [...(await smallCases(context)), ...largeCases(context), await alignmentCase(context)];
  const results = [];
  for (const { name, run: runCase } of cases) {
    if (!name.includes(options.only)) continue;
    if (!options.json) process.stderr.write(`${name} …\n`);
    results.push({ name, ...runCase() });
  }
  const report = {
    schema: "mlebench/bench-grade",
    version: 1,
    machine: describeMachine(),
    rows,
    python,
    results,
  };
  if (options.json) console.log(JSON.stringify(report, null, 2));
  else printTable(report);
  return results.some(({ met }) => met === false) ? 1 : 0;
}

async function smallCases({ folder, runs, python }) {
  const { competitions } = await import(path.join(root, "dist/public/index.js"));
  const vectors = path.join(root, "tests/golden/vectors/grade");
  const known = (await competitions()).filter(({ id }) => fs.existsSync(path.join(vectors, id)));
  const batch = layOutGoldenBatch(vectors, known, folder);
  const sample = makeData(path.join(folder, "sample"), DATA.auc, 1000);
  const settings = { folder, runs: runs * 2 };
  return [
    { name: "--help", run: () => withTarget(measureNode([CLI, "--help"], settings), { cpu: 0.15 }) },
    {
      name: "grade-sample, 1,000 rows",
      run: () =>
        withTarget(
          measureNode(
            [CLI, ...gradeSample(path.join(folder, "sample"), DATA.auc.competition, sample)],
            settings,
          ),
          { cpu: 0.3 },
        ),
    },
    {
      name: `grade, ${batch.count} golden submissions`,
      run() {
        const output = path.join(folder, "reports");
        const args = ["grade", "--submission", batch.list, "--output-dir", output, "--data-dir", batch.data];
        const script = path.join(root, "bench/python/batch.py");
        const { ours, theirs } = sideBySide(
          [CLI, ...args],
          python ? [PYTHON, script, batch.pairs] : null,
          settings,
        );
        fs.rmSync(output, { recursive: true });
        return { ...withTarget(ours, { cpu: BATCH_SECONDS }), python: theirs && comparison(ours, theirs) };
      },
    },
  ];
}

function largeCases(context) {
  const thousands = (context.rows / 1000).toLocaleString("en");
  const named = (text) => `${text}, ${thousands}k rows`;
  return [
    largeCase(
      named("AUC, numbered ids, answers with other columns"),
      DATA.aucTabular,
      "auc-tabular",
      {},
      context,
    ),
    largeCase(named("log loss, 10 classes"), DATA.logLoss, "log-loss", {}, context),
    largeCase(named("RMSE"), DATA.regression, "rmse", {}, context),
    largeCase(named("MAP@5"), DATA.ranking, "map-at-5", {}, context),
    largeCase(named("run-length Dice"), DATA.masks, "dice", {}, context),
    largeCase(named("AUC, text ids"), DATA.aucShuffled, "auc", null, context),
    largeCase(named("AUC, text ids, sorted"), DATA.auc, "auc", null, context),
    largeCase(named("AUC, 17 digits"), DATA.aucLongDigits, "auc", null, context),
    largeCase(named("accuracy"), DATA.accuracy, "accuracy", null, context),
    largeCase(named("Levenshtein"), DATA.levenshtein, "levenshtein", null, context),
  ];
}

/** A null target: nobody has set one for this case, its figures are there to be looked at. */
function largeCase(name, data, metric, target, context) {
  return {
    name,
    run() {
      const files = makeData(context.folder, data, context.rows);
      const settings = { folder: context.folder, runs: context.runs };
      const { ours, theirs } = sideBySide(
        [CLI, ...gradeSample(context.folder, data.competition, files)],
        context.python ? [PYTHON, PYTHON_SCRIPT, metric, files.answers, files.submission] : null,
        settings,
      );
      const bytes = sizeOf(files);
      const reading = onlyRead("read", files, settings);
      if (theirs) requireSameScore(name, ours.output, theirs.output);
      const python = theirs && comparison(ours, theirs);
      const isCompared = python !== null && target !== null && !context.quick;
      const result = withTarget(ours, target ?? {});
      const ahead = isCompared ? python.timesFaster >= FASTER && python.shareOfMemory <= LEANER : true;
      return {
        ...result,
        megabytes: bytes / 1e6,
        megabytesPerSecond: bytes / 1e6 / ours.cpu,
        readingMegabytesPerSecond: bytes / 1e6 / reading.cpu,
        python,
        target: { ...target, ...(isCompared ? { timesFaster: FASTER, shareOfMemory: LEANER } : {}) },
        met: isCompared ? ahead && result.met !== false : result.met,
      };
    },
  };
}

function comparison(ours, theirs) {
  return {
    cpu: theirs.cpu,
    peakMB: theirs.peakMB,
    timesFaster: theirs.cpu / ours.cpu,
    shareOfMemory: ours.peakMB / theirs.peakMB,
  };
}

/** One after the other in turn, so that a busy hour strikes both alike; the medians of both. */
function sideBySide(nodeArguments, pythonCommand, settings) {
  const ours = [];
  const theirs = [];
  for (let run = 0; run < settings.runs; run++) {
    ours.push(measureNode(nodeArguments, { ...settings, runs: 1 }));
    const spent = theirs.reduce((sum, { cpu }) => sum + cpu, 0);
    if (pythonCommand !== null && spent < PYTHON_PATIENCE)
      theirs.push(measure(pythonCommand, { ...settings, runs: 1 }));
  }
  return { ours: medianOf(ours), theirs: theirs.length > 0 ? medianOf(theirs) : null };
}

function medianOf(costs) {
  return costs.toSorted((a, b) => a.cpu - b.cpu)[Math.floor(costs.length / 2)];
}

/** Reading and aligning against reading and splitting, both without the command around them. */
async function alignmentCase({ folder, rows, runs }) {
  const bundle = path.join(folder, "table.mjs");
  await build({
    stdin: {
      contents: `export { readCsvFile } from "./csv/reader.ts"; export { compareIds } from "./rows/align-ids.ts";`,
      resolveDir: path.join(root, "src/table"),
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: bundle,
  });
  return {
    name: "read and align, against readFileSync + split",
    run() {
      const files = makeData(folder, DATA.auc, rows);
      const settings = { folder, runs };
      const script = path.join(import.meta.dirname, "read-and-align.mjs");
      const cost = measureNode([script, bundle, "id", files.answers, files.submission], settings);
      const split = onlyRead("split", files, settings);
      const timesSplit = cost.cpu / split.cpu;
      const { output, ...numbers } = cost;
      return { ...numbers, timesSplit, target: { timesSplit: 4 }, met: timesSplit <= 4 };
    },
  };
}

function gradeSample(folder, competition, { submission }) {
  const data = path.join(folder, "data");
  return [
    "grade-sample",
    submission,
    competition,
    "--data-dir",
    data,
    "--competitions",
    COMPETITIONS,
    "--json",
  ];
}

function onlyRead(how, files, settings) {
  const script = path.join(import.meta.dirname, "only-read.mjs");
  return measureNode([script, how, files.answers, files.submission], settings);
}

function sizeOf(files) {
  return fs.statSync(files.answers).size + fs.statSync(files.submission).size;
}

function withTarget({ output, ...cost }, target) {
  const checks = Object.entries(target).map(([key, most]) => cost[key] <= most);
  return { ...cost, target, met: checks.length === 0 ? null : checks.every(Boolean) };
}

/** Being fast counts for nothing when the answer differs. */
function requireSameScore(name, ourOutput, theirOutput) {
  const ours = JSON.parse(ourOutput).score;
  const theirs = Number(theirOutput);
  if (Math.abs(ours - theirs) > 1e-5) throw new Error(`${name}: we score ${ours}, Python ${theirs}`);
}
