import fs from "node:fs";
import path from "node:path";
import type { Trial } from "../../../src/trials/trial/schema.ts";
import { groupSettings } from "../group-settings.ts";
import { writeText } from "../temporary-folder.ts";

/** A trial as a test describes it: what is not said is a trial that went well. */
export interface Planted {
  competitionId: string;
  seed: number;
  stopReason?: NonNullable<Trial["outcome"]>["stopReason"];
  blame?: NonNullable<Trial["outcome"]>["blame"];
  exitCode?: number;
  signal?: string;
  message?: string;
  /** Over the grade of a valid submission without a medal; null leaves it ungraded. */
  grade?: Record<string, unknown> | null;
  wallSeconds?: number;
  peakMemoryBytes?: number;
  stdout?: string;
  stderr?: string;
  network?: Trial["network"];
  events?: string;
  /** Files of the trial's folder, such as `submission/metrics.json`. */
  files?: Record<string, string>;
  submissions?: Trial["submissions"];
  final?: Trial["final"];
  timeline?: { elapsedSeconds: number; score: number; percentile: number }[];
}

const DIGEST = "0".repeat(64);
const STARTED = "2026-01-31T12:00:00.000Z";

/** Writes a finished and graded run group without running anything. */
export function plantGroup(
  runsDir: string,
  agent: string,
  trials: readonly Planted[],
  dataDir = "data",
): string {
  const name = `2026-01-31T12-00-00-UTC_run-group_${agent.replaceAll(/[^\w-]/g, "-")}`;
  const folder = path.join(runsDir, name);
  const plan = trials.map((trial, i) => ({
    id: `${trial.competitionId}_${String(i).padStart(6, "0")}`,
    competitionId: trial.competitionId,
    seed: trial.seed,
  }));
  const settings = groupSettings({ agentId: agent, dataDir });
  const group = {
    schema: "mlebench/run-group",
    version: 1,
    name,
    createdAt: STARTED,
    agentDigest: DIGEST,
    settings,
    trials: plan,
  };
  writeText(folder, "group.json", JSON.stringify(group));
  for (const [i, trial] of trials.entries())
    plantTrial(path.join(folder, plan[i].id), name, agent, plan[i].id, trial);
  const reports = trials.flatMap((trial, i) =>
    trial.grade === null ? [] : [{ ...gradeOf(trial), run_id: plan[i].id, seed: trial.seed }],
  );
  writeText(
    folder,
    "2026-01-31T13-00-00-UTC_grading_report.json",
    JSON.stringify({ run_group: name, competition_reports: reports }),
  );
  return folder;
}

function gradeOf({ competitionId, grade }: Planted): Record<string, unknown> {
  return {
    competition_id: competitionId,
    score: 0.5,
    gold_medal: false,
    silver_medal: false,
    bronze_medal: false,
    above_median: false,
    submission_exists: true,
    valid_submission: true,
    status: "scored",
    score_kind: "finite",
    competition_version: "v1",
    percentile: 40,
    reasons: [],
    message: null,
    blame: null,
    normalised_score: 0.2,
    ...grade,
  };
}

function plantTrial(folder: string, runGroup: string, agent: string, id: string, planted: Planted): void {
  const wallSeconds = planted.wallSeconds ?? 600;
  const trial: Trial = {
    schema: "mlebench/trial",
    version: 1,
    id,
    runGroup,
    attempt: 1,
    status: "finished",
    competition: { id: planted.competitionId, version: "v1", data: { public: DIGEST, answers: DIGEST } },
    agent: {
      id: agent,
      name: agent,
      command: ["sh"],
      image: null,
      imageDigest: null,
      definitionDigest: DIGEST,
      codeDigest: null,
    },
    seed: planted.seed,
    limits: { timeSeconds: 3600, graceSeconds: 1, memoryBytes: { value: 2 ** 30, required: false } },
    network: planted.network ?? { mode: "none" },
    gpus: [],
    materials: null,
    externalKnowledge: false,
    sandbox: { kind: "process", identity: id, runtimeFolder: "run", policy: null },
    host: { hardware: "a CPU", cpus: 2, memoryBytes: 2 ** 33, platform: "linux" },
    mlebenchVersion: "0.1.0",
    startedAt: STARTED,
    deadline: STARTED,
    endedAt: STARTED,
    measurements: {
      wallSeconds,
      peakMemoryBytes: planted.peakMemoryBytes ?? 2 ** 28,
      cpuSeconds: wallSeconds * 0.8,
      bytesWritten: 2 ** 22,
    },
    outcome: {
      stopReason: planted.stopReason ?? "exited",
      blame: planted.blame ?? null,
      message: planted.message ?? "It ended by itself.",
      exitCode: planted.exitCode ?? 0,
      signal: planted.signal ?? null,
    },
    submissions: planted.submissions ?? [],
    final: planted.final ?? { sha256: DIGEST, why: "the last one" },
    validationCalls: 0,
    notes: [],
  };
  writeText(folder, "trial.json", JSON.stringify(trial));
  writeText(folder, "stdout.log", planted.stdout ?? "");
  writeText(folder, "stderr.log", planted.stderr ?? "");
  if (planted.events !== undefined) writeText(folder, "events.jsonl", planted.events);
  for (const [name, content] of Object.entries(planted.files ?? {})) writeText(folder, name, content);
  if (planted.timeline !== undefined) {
    const timeline = planted.timeline.map((point) => ({
      sha256: DIGEST,
      status: "scored",
      medal: null,
      ...point,
    }));
    writeText(folder, "certificate.json", JSON.stringify({ grade: { content: { timeline } } }));
  }
  fs.mkdirSync(path.join(folder, "submission"), { recursive: true });
}
