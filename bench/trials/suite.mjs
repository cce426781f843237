// What a trial costs beyond the agent's own work, and whether a long run stays steady. Needs the built package and
// bubblewrap. `--quick` runs fewer trials.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";

const ROOT = path.resolve(import.meta.dirname, "../..");
const MAIN = path.join(ROOT, "dist/cli/main.js");
const COMPETITION = "spooky-author-identification";
const MAX_OVERHEAD_MS = 300;
/** A quarter of the run may be that much slower than the fastest one, on a machine that does other things too. */
const STEADY = 2;
const MEMORY_GROWTH = 1.3;

const AGENTS = {
  nothing: "exit 0\n",
  sample: 'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"\n',
};

export async function run(options) {
  const quick = options.includes("--quick");
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-bench-"));
  try {
    layOut(folder);
    const nothing = await runGroup(folder, "nothing", { trials: quick ? 10 : 40, workers: 1 });
    const sample = await runGroup(folder, "sample", { trials: quick ? 40 : 200, workers: 2 });
    const result = { overhead: overheadOf(nothing), steadiness: steadinessOf(sample) };
    if (options.includes("--json")) console.log(JSON.stringify(result, null, 2));
    else print(result);
    return result.overhead.medianMs <= MAX_OVERHEAD_MS && result.steadiness.steady && result.steadiness.flat
      ? 0
      : 1;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function layOut(folder) {
  const prepared = path.join(folder, "data", COMPETITION, "prepared");
  fs.cpSync(path.join(ROOT, "tests/golden/vectors/prepare", COMPETITION, "expected"), prepared, {
    recursive: true,
  });
  for (const [name, script] of Object.entries(AGENTS)) {
    const place = path.join(folder, "agents", name);
    fs.mkdirSync(place, { recursive: true });
    fs.writeFileSync(
      path.join(place, "config.yaml"),
      JSON.stringify({ [`bench-${name}`]: { command: ["sh", "/home/agent/start.sh"] } }),
    );
    fs.writeFileSync(path.join(place, "start.sh"), script);
  }
}

/** Runs a group and notes when each trial started and ended, and the harness's memory at each end. */
async function runGroup(folder, agent, { trials, workers }) {
  const child = spawn(
    process.execPath,
    [
      ...[MAIN, "run", "--agent", `bench-${agent}`, "--agents-dir", path.join(folder, "agents"), "--json"],
      ...["--data-dir", path.join(folder, "data"), "--runs-dir", path.join(folder, "runs")],
      ...["-c", COMPETITION, "--seeds", String(trials), "--workers", String(workers)],
      ...["--sandbox", "bubblewrap", "--time-limit", "60s"],
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += chunk));
  const startedAt = new Map();
  const ends = [];
  for await (const line of readline.createInterface({ input: child.stdout })) {
    const event = JSON.parse(line);
    const now = performance.now();
    if (event.event === "start") startedAt.set(event.id, now);
    if (event.event === "end")
      ends.push({ at: now, milliseconds: now - startedAt.get(event.id), memoryMB: memoryOf(child.pid) });
  }
  if (ends.length !== trials)
    throw new Error(`${ends.length} of ${trials} trials ended:\n${errors.slice(-2000)}`);
  return ends;
}

function memoryOf(pid) {
  const status = fs.readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}

/** The first trial also warms the harness up. */
function overheadOf(ends) {
  const sorted = ends
    .slice(1)
    .map(({ milliseconds }) => milliseconds)
    .sort((a, b) => a - b);
  const at = (share) => Math.round(sorted[Math.floor(share * (sorted.length - 1))]);
  return { trials: ends.length, medianMs: at(0.5), slowestTenthMs: at(0.9), targetMs: MAX_OVERHEAD_MS };
}

function steadinessOf(ends) {
  const size = ends.length / 4;
  const quarters = [0, 1, 2, 3].map((i) => ends.slice(i * size, (i + 1) * size));
  const seconds = quarters.map(
    (part, i) => (part.at(-1).at - (i === 0 ? part[0].at : quarters[i - 1].at(-1).at)) / 1000,
  );
  const perSecond = quarters.map((part, i) => Number((part.length / seconds[i]).toFixed(2)));
  const memoryMB = quarters.map((part) => Math.round(Math.max(...part.map((end) => end.memoryMB))));
  return {
    trials: ends.length,
    perSecond,
    memoryMB,
    steady: Math.max(...perSecond) <= STEADY * Math.min(...perSecond),
    flat: memoryMB[3] <= MEMORY_GROWTH * memoryMB[1],
  };
}

function print({ overhead, steadiness }) {
  const { medianMs, slowestTenthMs, targetMs } = overhead;
  console.log(
    `a trial that does nothing: ${medianMs} ms (a tenth take over ${slowestTenthMs} ms; wanted: ${targetMs} ms)`,
  );
  console.log(`${steadiness.trials} trials on 2 workers, by quarters:`);
  console.log(`  a second: ${steadiness.perSecond.join(", ")}${steadiness.steady ? "" : "  NOT STEADY"}`);
  console.log(`  memory:   ${steadiness.memoryMB.join(", ")} MB${steadiness.flat ? "" : "  NOT FLAT"}`);
}
