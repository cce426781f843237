import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../../files/make-folder.ts";
import { MARKER_VARIABLE } from "../../../sandbox/host-environment.ts";
import { type AttemptResult, discard, freeze, keptFolder, markOf, mendAll } from "../execution/attempt.ts";
import { runScript } from "../execution/run-script.ts";
import type { Workshop } from "./workshop.ts";

/** Nobody listens there: the baseline then trusts its own check. The harness would refuse the hidden rows. */
const NOBODY = "http://127.0.0.1:9/validate";

/** Runs the baseline agent as it would run alone, on the data as scripts see them. */
export async function runBaseline(
  shop: Workshop,
  program: string | null,
  name: string,
  data = shop.data,
): Promise<AttemptResult> {
  const { place, clock, seed } = shop;
  const folder = path.join(place.scratch, name);
  fs.rmSync(folder, { recursive: true, force: true });
  const at = (part: string) => path.join(folder, part);
  for (const part of ["submission", "logs", "code", "agent"]) makeFolder(at(part));
  const seconds = clock.baselineSeconds();
  const outcome = await runScript({
    command: [process.execPath, program ?? at("missing")],
    cwd: folder,
    env: {
      ...passedOn("PATH", "LD_LIBRARY_PATH", MARKER_VARIABLE),
      COMPETITION_ID: "inside-tree",
      DATA_DIR: data,
      SUBMISSION_DIR: at("submission"),
      LOGS_DIR: at("logs"),
      CODE_DIR: at("code"),
      AGENT_DIR: at("agent"),
      MLEBENCH_SEED: String(seed),
      MLEBENCH_DEADLINE_EPOCH: String(Math.floor(Date.now() / 1000 + seconds)),
      TIME_LIMIT_SECS: String(Math.floor(seconds)),
      MLEBENCH_VALIDATE_URL: NOBODY,
      ...(Number.isFinite(clock.memoryBytes) ? { MEMORY_LIMIT_BYTES: String(clock.memoryBytes) } : {}),
    },
    timeoutSeconds: seconds + 5,
    memoryBytes: clock.memoryBytes,
    mark: markOf(folder),
  });
  const predictions = freeze(at("submission/submission.csv"), keptFolder(place, name));
  const output = ownWords(outcome.output, at("submission/metrics.json"));
  discard(folder);
  mendAll(place, name);
  return { ...outcome, output, predictions };
}

const passedOn = (...names: string[]) =>
  Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

/** What it printed, less the line for the harness, which says when it ran; and its own measure as programs print theirs. */
function ownWords(output: string, metrics: string): string {
  const lines = output.split("\n").filter((line) => !line.startsWith("MLE_BENCH_LITE_RESULT="));
  const { metric, value, direction } = readMetrics(metrics);
  if (typeof value === "number" && (direction === "minimize" || direction === "maximize"))
    lines.push(
      `METRIC ${metric} = ${value} (${direction === "minimize" ? "lower" : "higher"} is better)`,
      "",
    );
  return lines.join("\n");
}

function readMetrics(file: string): { metric?: unknown; value?: unknown; direction?: unknown } {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) ?? {};
  } catch {
    return {};
  }
}
