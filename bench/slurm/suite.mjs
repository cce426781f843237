// What a trial costs beside Slurm's own scheduling, and how often its controller is asked: tasks that do nothing, one
// after the other, by Slurm alone and as trials. On a machine that does something else the time by the clock says little:
// the processor time of the trials is counted, too. Needs root, scripts/install-slurm.sh, bubblewrap and the built package.
// `--quick` runs fewer.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const ROOT = path.resolve(import.meta.dirname, "../..");
const MAIN = path.join(ROOT, "dist/cli/main.js");
const SCRIPT = path.join(ROOT, "scripts/slurm-cluster.sh");
const COMPETITION = "spooky-author-identification";
const MAX_OVERHEAD_MS = 1000;
/** What asks the controller something. */
const PROGRAMS = ["sbatch", "squeue", "sinfo", "scontrol", "scancel", "sacct"];

export async function run(options) {
  const tasks = options.includes("--quick") ? 10 : 40;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlb-"));
  const cluster = path.join(folder, "c");
  const env = { ...process.env, SLURM_CONF: path.join(cluster, "slurm.conf") };
  const script = (verb) =>
    execFileSync("bash", [SCRIPT, verb, cluster], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, SLURM_CLUSTER_OWNER: String(process.pid) },
    });
  script("start");
  try {
    const alone = await slurmAlone(folder, tasks, env);
    const { ends, calls, processorMs } = trials(folder, tasks, env);
    const result = {
      tasks,
      slurmMs: medianStep(alone),
      trialMs: medianStep(ends),
      overheadMs: medianStep(ends) - medianStep(alone),
      processorMs,
      load: os.loadavg()[0],
      targetMs: MAX_OVERHEAD_MS,
      calls,
    };
    if (options.includes("--json")) console.log(JSON.stringify(result, null, 2));
    else print(result);
    // Where others wait for the processors, what the trials themselves took of them counts; else the clock does.
    const isBusy = result.load > 2 * os.cpus().length;
    const counted = isBusy ? Math.min(result.overheadMs, result.processorMs) : result.overheadMs;
    return counted <= MAX_OVERHEAD_MS ? 0 : 1;
  } finally {
    script("stop");
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** When each task of an array ended that runs one at a time and does nothing. */
async function slurmAlone(folder, tasks, env) {
  const file = path.join(folder, "ends");
  const command = `date +%s%3N >> ${file}`;
  const array = `--array=0-${tasks - 1}%1`;
  execFileSync("sbatch", [array, "--mem=200M", "-o", "/dev/null", "--wrap", command], { env });
  for (;;) {
    const ends = fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : [];
    if (ends.length === tasks) return ends.map(Number);
    await wait(500);
  }
}

/** The same as trials of an agent that does nothing, and the driver's calls by program. */
function trials(folder, tasks, env) {
  const prepared = path.join(folder, "data", COMPETITION, "prepared");
  fs.cpSync(path.join(ROOT, "tests/golden/vectors/prepare", COMPETITION, "expected"), prepared, {
    recursive: true,
  });
  const agent = path.join(folder, "agents/nothing");
  fs.mkdirSync(agent, { recursive: true });
  fs.writeFileSync(path.join(agent, "config.yaml"), JSON.stringify({ nothing: { command: ["true"] } }));
  const counted = countingPrograms(folder);
  const ran = spawnSync(
    process.execPath,
    [
      ...[MAIN, "run", "--agent", "nothing", "--agents-dir", path.join(folder, "agents"), "--name", "g"],
      ...["--data-dir", path.join(folder, "data"), "--runs-dir", path.join(folder, "runs")],
      ...["-c", COMPETITION, "--seeds", String(tasks), "--workers", "1", "--executor", "slurm"],
      ...["--sandbox", "bubblewrap", "--time-limit", "60s", "--cpus", "1", "--memory", "200MiB"],
    ],
    {
      env: { ...env, PATH: `${counted.folder}:${env.PATH}`, MLEBENCH_PROGRAM: timedProgram(folder) },
      encoding: "utf8",
    },
  );
  const group = path.join(folder, "runs/g");
  const ends = fs
    .readdirSync(group)
    .map((name) => path.join(group, name, "certificate.json"))
    .filter((file) => fs.existsSync(file))
    .map((file) => fs.statSync(file).mtimeMs);
  if (ends.length !== tasks)
    throw new Error(`${ends.length} of ${tasks} trials ended:\n${ran.stderr.slice(-2000)}`);
  return { ends, calls: counted.read(), processorMs: processorTime(folder, tasks) };
}

/** What a task runs: the same program, behind which the shell writes down what it and its children took. */
function timedProgram(folder) {
  const program = path.join(folder, "timed.mjs");
  const shell = `"$0" "$@"; code=$?; times >> ${path.join(folder, "times")}; exit $code`;
  fs.writeFileSync(
    program,
    `import { spawnSync } from "node:child_process";
const command = ["-c", ${JSON.stringify(shell)}, process.execPath, ${JSON.stringify(MAIN)}, ...process.argv.slice(2)];
process.exitCode = spawnSync("bash", command, { stdio: "inherit" }).status ?? 1;
`,
  );
  return program;
}

/** The mean over the tasks, of lines such as "0m0.512s 0m0.101s": one for the shell, one for what it ran. */
function processorTime(folder, tasks) {
  const text = fs.readFileSync(path.join(folder, "times"), "utf8");
  const parts = [...text.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => minutes * 60 + Number(seconds),
  );
  return Math.round((parts.reduce((sum, part) => sum + part, 0) * 1000) / tasks);
}

/** Slurm's programs, each of which writes down that it was called. */
function countingPrograms(folder) {
  const place = path.join(folder, "programs");
  const file = path.join(folder, "calls");
  fs.mkdirSync(place);
  for (const name of PROGRAMS) {
    const real = execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
    fs.writeFileSync(path.join(place, name), `#!/bin/sh\necho ${name} >> ${file}\nexec ${real} "$@"\n`, {
      mode: 0o755,
    });
  }
  return {
    folder: place,
    read: () => {
      const names = fs.readFileSync(file, "utf8").trim().split("\n");
      return Object.fromEntries(
        [...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]),
      );
    },
  };
}

/** The median time from one end to the next. */
function medianStep(ends) {
  const sorted = ends.toSorted((a, b) => a - b);
  const steps = sorted.slice(1).map((end, i) => end - sorted[i]);
  return Math.round(steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)]);
}

function print({ tasks, slurmMs, trialMs, overheadMs, processorMs, load, targetMs, calls }) {
  console.log(
    `${tasks} tasks one after the other: ${slurmMs} ms each by Slurm alone, ${trialMs} ms each as trials`,
  );
  console.log(
    `overhead of a trial: ${overheadMs} ms by the clock, ${processorMs} ms of processor time (wanted: ${targetMs} ms; load ${load.toFixed(1)})`,
  );
  console.log(
    `the driver's calls: ${Object.entries(calls)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ")}`,
  );
}
