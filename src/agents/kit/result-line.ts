import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { AgentContract } from "./contract.ts";

/** What only the end of a run knows. */
export interface RunFacts {
  readonly runtimeSeconds: number;
  readonly codeSha256: string;
  readonly submissionSha256: string | null;
  /** Null where the data were too large to be read for it. */
  readonly dataSha256: string | null;
}

export interface ResultOf {
  /** Files beside `submission.csv`, `metrics.json` and `report.md`. */
  readonly artifacts: readonly string[];
  readonly replay: readonly string[];
  readonly measured: { name: string; value: number; direction: "maximize" | "minimize" } | null;
  /** Of processes that the agent started, in MiB. */
  readonly childMemoryMb?: number;
}

/** What a scorecard reads: the last line of an agent's output. */
export function resultLine(contract: AgentContract, facts: RunFacts, result: ResultOf): string {
  const files = ["submission.csv", "metrics.json", "report.md"].map((name) =>
    path.join(contract.submission, name),
  );
  const [submission, metrics, report] = files;
  const runtime = Number(facts.runtimeSeconds.toFixed(3));
  const memory = Math.round(peakMemoryKib() / 1024) + (result.childMemoryMb ?? 0);
  const task = {
    competition_id: contract.competitionId,
    status: "completed",
    submission,
    metrics,
    report,
    runtime_seconds: runtime,
    peak_memory_mb: memory,
    ...(result.measured === null ? {} : { cv_metric: result.measured }),
  };
  const line = {
    seed: contract.seed,
    runtime_seconds: runtime,
    peak_memory_mb: memory,
    // A disk that was full took some of them.
    artifacts: [...files, ...result.artifacts].filter((file) => fs.existsSync(file)),
    tasks: [task],
    replay: {
      command: result.replay,
      code_sha256: facts.codeSha256,
      ...(facts.submissionSha256 === null ? {} : { submission_sha256: facts.submissionSha256 }),
      environment: {
        node: process.version,
        packages: [],
        os: `${os.type()} ${os.release()} ${os.arch()}`,
        ...(facts.dataSha256 === null ? {} : { data_sha256: facts.dataSha256 }),
        MLEBENCH_SEED: String(contract.seed),
        TIME_LIMIT_SECS: String(contract.timeLimitSeconds),
      },
    },
  };
  return `MLE_BENCH_LITE_RESULT=${JSON.stringify(line)}`;
}

/**
 * The most memory this process has held at a time, as a harness counts it: pages of the program itself and of its
 * libraries belong to the file, and are charged to whoever read them first.
 */
function peakMemoryKib(): number {
  const peak = process.resourceUsage().maxRSS;
  try {
    const status = fs.readFileSync("/proc/self/status", "utf8");
    return peak - Number(/^RssFile:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  } catch {
    return peak;
  }
}
