import fs from "node:fs";
import path from "node:path";
import type { TimelinePoint } from "../../../src/trials/certificate/schema.ts";
import type { GroupSettings, RunGroup } from "../../../src/trials/group/schema.ts";
import type { Trial } from "../../../src/trials/trial/schema.ts";
import { groupSettings } from "../group-settings.ts";
import { writeText } from "../temporary-folder.ts";

type Medal = "gold" | "silver" | "bronze" | null;

/** One trial as it shall have been; whatever is left out is ordinary. */
export interface SyntheticTrial {
  competitionId: string;
  seed: number;
  medal: Medal;
  score?: number;
  percentile?: number | null;
  points?: Partial<TimelinePoint>[];
  /** What its metrics.json says. */
  own?: { value: number; direction: "maximize" | "minimize" };
}

/** Writes a run group with records and a grading report, as if it had been run. Its certificates prove nothing. */
export function writeGroup(folder: string, trials: readonly SyntheticTrial[], agentId = "synthetic"): string {
  const ids = trials.map(({ competitionId, seed }, i) => `${competitionId}_${seed}-${i}`);
  const name = path.basename(folder);
  const group: RunGroup = {
    schema: "mlebench/run-group",
    version: 1,
    name,
    createdAt: "2026-01-31T12:00:00.000Z",
    agentDigest: "0",
    settings: settings(agentId),
    trials: trials.map(({ competitionId, seed }, i) => ({ id: ids[i], competitionId, seed })),
  };
  writeText(folder, "group.json", JSON.stringify(group));
  trials.forEach((trial, i) => {
    writeTrialFolder(path.join(folder, ids[i]), recordOf(trial, ids[i], name, agentId), trial);
  });
  const report = { competition_reports: trials.map((trial, i) => ({ ...gradeOf(trial), run_id: ids[i] })) };
  writeText(folder, "2026-01-31T12-00-00-UTC_grading_report.json", JSON.stringify(report));
  return folder;
}

/** As the original writes it: flags and scores, and not where they stand. */
export function writeOriginalReport(file: string, trials: readonly SyntheticTrial[]): string {
  const reports = trials.map((trial) => {
    const { percentile: _, seed: __, ...grade } = gradeOf(trial);
    return grade;
  });
  return writeText(path.dirname(file), path.basename(file), JSON.stringify({ competition_reports: reports }));
}

function gradeOf({ competitionId, seed, medal, score = 0.5, percentile = 50 }: SyntheticTrial) {
  return {
    competition_id: competitionId,
    seed,
    score,
    percentile,
    gold_medal: medal === "gold",
    silver_medal: medal === "silver",
    bronze_medal: medal === "bronze",
    above_median: medal !== null,
    submission_exists: true,
    valid_submission: true,
  };
}

function writeTrialFolder(folder: string, trial: Trial, { points = [], own }: SyntheticTrial): void {
  const timeline = points.map((point, i) => pointOf(point, i));
  writeText(folder, "trial.json", JSON.stringify(trial));
  fs.writeFileSync(
    path.join(folder, "certificate.json"),
    JSON.stringify({ grade: { content: { timeline } } }),
  );
  if (own)
    writeText(
      folder,
      "submission/metrics.json",
      JSON.stringify({ metric: "its own", ...own, validation: "5 folds" }),
    );
}

function pointOf(point: Partial<TimelinePoint>, i: number): TimelinePoint {
  return {
    sha256: `${i}`,
    elapsedSeconds: i,
    status: "scored",
    score: 0,
    medal: null,
    percentile: null,
    ...point,
  };
}

function recordOf(
  { competitionId, seed, points = [] }: SyntheticTrial,
  id: string,
  runGroup: string,
  agentId: string,
): Trial {
  return {
    schema: "mlebench/trial",
    version: 1,
    id,
    runGroup,
    attempt: 1,
    status: "finished",
    competition: { id: competitionId, version: "v1", data: { public: "0", answers: "0" } },
    agent: {
      id: agentId,
      name: agentId,
      command: ["true"],
      image: null,
      imageDigest: null,
      definitionDigest: "0",
      codeDigest: null,
    },
    seed,
    limits: {
      timeSeconds: 24 * 3600,
      graceSeconds: 30,
      memoryBytes: { value: 16 * 2 ** 30, required: false },
      cpus: { value: 4, required: false },
    },
    network: { mode: "none" },
    gpus: [],
    materials: null,
    externalKnowledge: false,
    sandbox: { kind: "process", identity: "0", runtimeFolder: "", policy: null },
    host: { hardware: "4 CPUs", cpus: 4, memoryBytes: 2 ** 34, platform: "linux" },
    mlebenchVersion: "0.1.0",
    startedAt: "2026-01-31T12:00:00.000Z",
    deadline: "2026-02-01T12:00:00.000Z",
    endedAt: "2026-01-31T14:00:00.000Z",
    measurements: { wallSeconds: 7200, peakMemoryBytes: 1, cpuSeconds: 1, bytesWritten: 1 },
    outcome: { stopReason: "exited", blame: null, message: "", exitCode: 0, signal: null },
    submissions: [],
    final: points.length > 0 ? { sha256: `${points.length - 1}`, why: "the last one" } : null,
    validationCalls: 0,
    notes: [],
  };
}

function settings(agentId: string): GroupSettings {
  return groupSettings({
    agentId,
    dataDir: "data",
    timeSeconds: 24 * 3600,
    graceSeconds: 30,
    memoryBytes: { value: 16 * 2 ** 30, required: false },
    cpus: { value: 4, required: false },
  });
}
