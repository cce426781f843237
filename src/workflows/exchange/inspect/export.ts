import path from "node:path";
import { readRecords, type TrialRecord } from "../../../analysis/trial-records.ts";
import type { PackEntry } from "../../../archive/pack-entry.ts";
import { writeZip } from "../../../archive/zip-writer.ts";
import { makeFolder } from "../../../files/make-folder.ts";
import type { SystemRefusal } from "../../../files/system-error.ts";
import { VERSION } from "../../../grading/version.ts";
import { groupPaths, readGroup, readMetadata } from "../../../trials/group/folder.ts";
import { momentOf } from "../../../wording/moments.ts";
import type { Problem } from "../../../wording/problem.ts";
import { orRefusal } from "../../or-refusal.ts";
import { missingCalls } from "../calls.ts";
import {
  type InspectUsage,
  inspectSample,
  SCORE_KEYS,
  type ScoreValue,
  stableId,
  sumUsage,
  zoned,
} from "./sample.ts";

export type InspectExportOutcome =
  | {
      status: "exported";
      file: string;
      samples: number;
      ungraded: number;
      /** Trials of which not everything could be exported. */
      incomplete: { trial: string; why: string }[];
      notes: string[];
    }
  | { status: "refused"; problem: Problem | SystemRefusal };

export interface InspectExportRequest {
  /** A run group's folder. */
  group: string;
  /** The log to write, `.eval`. */
  file: string;
}

/** Writes a run group as a log that Inspect reads: one sample for each trial, one epoch for each seed. */
export function exportInspect({ group, file }: InspectExportRequest): Promise<InspectExportOutcome> {
  return orRefusal<InspectExportOutcome>(
    async () => {
      if (!file.endsWith(".eval"))
        return refused(
          "BAD_NAME",
          `${file} does not end with .eval, by which Inspect knows its logs.`,
          "rename it",
        );
      const read = readRecords([group]);
      if (!read.ok) return refused("NO_GROUP", read.message, "see mlebench status");
      const [agent] = read.agents;
      const log = logOf(path.resolve(group), agent.name, agent.records);
      makeFolder(path.dirname(path.resolve(file)));
      await writeZip(path.resolve(file), log.entries(), "deflate");
      const ungraded = agent.records.filter(({ grade }) => grade === null).length;
      return {
        status: "exported",
        file: path.resolve(file),
        samples: agent.records.length,
        ungraded,
        incomplete: agent.records.flatMap(({ id, folder, trial }) => {
          const why = folder === null || trial === null ? null : missingCalls(folder, trial);
          return why === null ? [] : { trial: id, why };
        }),
        notes: read.notes,
      };
    },
    (problem) => ({ status: "refused", problem }),
  );
}

function logOf(folder: string, agent: string, records: readonly TrialRecord[]) {
  const name = path.basename(folder);
  const group = readGroup(folder);
  const created = zoned(group?.createdAt ?? readMetadata(groupPaths(folder).metadata)?.created_at ?? "");
  const models = Object.values(group?.settings.models ?? {});
  const competitions = [...new Set(records.map(({ competitionId }) => competitionId))];
  const epochs = Math.max(
    1,
    ...competitions.map((id) => records.filter((r) => r.competitionId === id).length),
  );
  const evaluation = {
    eval_id: stableId(name, "eval"),
    run_id: stableId(name, "run"),
    created,
    task: "mlebench/competitions",
    task_id: stableId(name, "task"),
    task_version: 0,
    task_args: {},
    solver: agent,
    dataset: { name: "mlebench", samples: competitions.length, sample_ids: competitions, shuffled: false },
    // Inspect's own name for a log without a model.
    model: models[0] ?? "none/none",
    model_args: {},
    config: { epochs, ...(group === null ? {} : { time_limit: Math.ceil(group.settings.timeSeconds) }) },
    packages: { mlebench: VERSION },
    scorers: [{ name: "medal", metrics: [{ name: "mean" }, { name: "stderr" }] }],
    metadata: { run_group: name, agent },
  };
  const plan = { name: "plan", steps: [{ solver: agent, params: {} }], config: {} };

  return {
    /** Samples are made one after the other while the archive is written. */
    *entries(): Generator<PackEntry> {
      const summaries: Record<string, unknown>[] = [];
      const values: ScoreValue[] = [];
      const usage: Record<string, InspectUsage> = {};
      const seen = new Map<string, number>();
      yield entry("_journal/start.json", { version: 2, eval: evaluation, plan });
      for (const record of records) {
        const epoch = (seen.get(record.competitionId) ?? 0) + 1;
        seen.set(record.competitionId, epoch);
        const made = inspectSample(record, epoch, name);
        summaries.push(made.summary);
        if (made.scores !== null) values.push(made.scores);
        for (const [model, used] of Object.entries(made.usage)) usage[model] = sumUsage(usage[model], used);
        yield entry(`samples/${record.competitionId}_epoch_${epoch}.json`, made.sample);
      }
      yield entry("_journal/summaries/1.json", summaries);
      yield entry("summaries.json", summaries);
      yield entry("header.json", {
        version: 2,
        status: records.some(({ trial }) => trial !== null && trial.status !== "finished")
          ? "started"
          : "success",
        eval: evaluation,
        plan,
        results: {
          total_samples: records.length,
          completed_samples: records.filter(({ trial }) => trial === null || trial.status === "finished")
            .length,
          scores: SCORE_KEYS.map((key) => scoreEntry(key, values, records.length)),
        },
        stats: { ...spanOf(records, created), model_usage: usage, role_usage: {} },
        invalidated: false,
        tags: [],
        metadata: { run_group: name },
      });
    },
  };
}

/** A key that some grades lack (a score where there is none) is averaged over those that have it, and says so. */
function scoreEntry(key: (typeof SCORE_KEYS)[number], values: readonly ScoreValue[], samples: number) {
  const numbers = values.flatMap((value) => value[key] ?? []);
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const squares = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const stderr = numbers.length < 2 ? 0 : Math.sqrt(squares / (numbers.length - 1) / numbers.length);
  const metric = (name: string, value: number) => ({ name, value, params: {} });
  return {
    name: key,
    scorer: "medal",
    params: {},
    scored_samples: numbers.length,
    unscored_samples: samples - numbers.length,
    metrics: numbers.length === 0 ? {} : { mean: metric("mean", mean), stderr: metric("stderr", stderr) },
  };
}

function spanOf(records: readonly TrialRecord[], created: string) {
  const times = records.flatMap(({ trial }) =>
    trial === null ? [] : [trial.startedAt, trial.endedAt ?? ""],
  );
  const known = times.filter((time) => momentOf(time) !== null).sort();
  return { started_at: zoned(known[0] ?? created), completed_at: zoned(known.at(-1) ?? created) };
}

function entry(name: string, value: unknown): PackEntry {
  return { name, content: "bytes", bytes: Buffer.from(JSON.stringify(value)) };
}

function refused(code: string, message: string, nextStep: string): InspectExportOutcome {
  return { status: "refused", problem: { code, message, nextStep } };
}
