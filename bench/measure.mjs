// Cost of a whole process: CPU seconds (user + system, start-up and teardown included), wall seconds, peak memory.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const PEAK_HOOK = path.join(import.meta.dirname, "report-peak.cjs");

/** Runs `node <args>` and keeps the least CPU of several runs: what else the machine does can only add to it. */
export function measureNode(args, options) {
  return measure([process.execPath, "--require", PEAK_HOOK, ...args], options);
}

/**
 * The measured program itself writes its peak memory (kilobytes) to the file that BENCH_PEAK_FILE names. Once all runs
 * together have taken `patience` seconds of CPU, no further one is started.
 */
export function measure(command, { folder, runs = 3, exitCodes = [0], patience = Number.POSITIVE_INFINITY }) {
  const peakFile = path.join(folder, `peak-${process.pid}`);
  let best = null;
  let spent = 0;
  for (let run = 0; run < runs && spent < patience; run++) {
    const result = runOnce(command, peakFile, exitCodes);
    spent += result.cpu;
    if (best === null || result.cpu < best.cpu) {
      best = { ...result, peakMB: Math.min(result.peakMB, best?.peakMB ?? result.peakMB) };
    } else best.peakMB = Math.min(result.peakMB, best.peakMB);
  }
  fs.rmSync(peakFile, { force: true });
  return best;
}

function runOnce(command, peakFile, exitCodes) {
  // Node tells nobody what a child process has cost; the shell's own `time` does, to the millisecond. Standard error
  // of the command goes elsewhere, so that the three numbers stand alone.
  const script = `TIMEFORMAT='%U %S %R'; time "$@" 2>&1`;
  const child = spawnSync("bash", ["-c", script, "bash", ...command], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    env: { ...process.env, LC_ALL: "C", NO_COLOR: "1", BENCH_PEAK_FILE: peakFile },
  });
  if (child.error) throw child.error;
  if (!exitCodes.includes(child.status)) {
    throw new Error(
      `${command.slice(0, 6).join(" ")} … ended with ${child.status}:\n${child.stdout.slice(-2000)}`,
    );
  }
  const [user, system, wall] = child.stderr.trim().split(/\s+/).map(Number);
  const peakMB = Number(fs.readFileSync(peakFile, "utf8")) / 1024;
  return { cpu: user + system, wall, peakMB, output: child.stdout };
}
