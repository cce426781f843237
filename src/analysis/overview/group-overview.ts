import fs from "node:fs";
import path from "node:path";
import { lockOwner } from "../../files/lock-file.ts";
import { readingProblem } from "../../files/read-record.ts";
import { readIntegrity, type TrialIntegrity } from "../../integrity/findings/of-trial.ts";
import { groupPaths, readGroupRecord, readMetadata } from "../../trials/group/folder.ts";
import type { RunGroup } from "../../trials/group/schema.ts";
import { stateOf } from "../../trials/state/group-state.ts";
import { readTrial, trialPaths } from "../../trials/trial/folder.ts";
import type { ResultState } from "../result-states.ts";
import { groupGrades, plannedWithoutPlan, type TrialRecord } from "../trial-records.ts";
import { stateOf as resultOf } from "../trial-summary.ts";

export type CellState = ResultState | "running" | "waiting" | "interrupted";

/** One trial of a group as a grid shows it: told from the plan, the group's own records and locks alone. */
export interface GridCell {
  id: string;
  competitionId: string;
  seed: number;
  state: CellState;
  finished: boolean;
  score: number | null;
  percentile: number | null;
}

/** A run group at a glance, cheap enough for hundreds of them and for ten thousand trials. */
export interface GroupOverview {
  /** Its folder, as seen from the runs folder. */
  id: string;
  experiment: string | null;
  agent: string;
  models: string[];
  createdAt: string | null;
  /** Ours, or one that the original wrote. */
  origin: "mlebench" | "original";
  /** Why it cannot be shown, or only in part. */
  problem: string | null;
  /** Somebody drives it now. */
  busy: boolean;
  graded: boolean;
  /** Which leaderboards medals were measured against is the grading report's to say. */
  cells: GridCell[];
}

type Grade = NonNullable<TrialRecord["grade"]>;

/** Null where there is neither a plan nor the original's record. */
export function groupOverview(runsDir: string, folder: string): GroupOverview | null {
  const id = path.relative(runsDir, folder);
  const parent = path.dirname(id);
  const read = readGroupRecord(folder);
  const metadata = readMetadata(groupPaths(folder).metadata);
  const common = { id, experiment: parent === "." ? null : parent };
  if (read.status !== "read") {
    if (metadata === null && read.status === "absent") return null;
    const planned = plannedWithoutPlan(folder, Object.keys(metadata?.runs ?? {}));
    const { grades, problem, ungraded } = groupGrades(folder, planned);
    const integrity = readIntegrity(folder);
    return {
      ...common,
      agent: path.basename(folder).split("_run-group_").at(-1) ?? "",
      models: [],
      createdAt: metadata?.created_at ?? null,
      origin: read.status === "absent" ? "original" : "mlebench",
      problem:
        read.status === "absent"
          ? ungraded
            ? null
            : problem
          : `its plan cannot be used: ${readingProblem(read)}`,
      busy: false,
      graded: grades.size > 0,
      cells: planned.map((trial) =>
        cellOf(trial, grades.get(trial.id) ?? null, integrity.of(trial.id), true, "ungraded"),
      ),
    };
  }
  const group = read.record;
  const { grades, problem, ungraded } = groupGrades(folder, group.trials);
  const integrity = readIntegrity(folder);
  const busy = lockOwner(groupPaths(folder).lock) !== null;
  return {
    ...common,
    agent: group.settings.agentId,
    models: [...new Set(Object.values(group.settings.models ?? {}))],
    createdAt: group.createdAt,
    origin: "mlebench",
    // That nobody has graded it yet is said by its trials.
    problem: ungraded ? null : problem,
    busy,
    graded: grades.size > 0,
    cells: group.trials.map((trial) => {
      const done = metadata !== null && Object.hasOwn(metadata.runs, trial.id);
      const state = done ? "finished" : liveState(folder, trial, busy);
      const grade = grades.get(trial.id) ?? null;
      const honest = integrity.of(trial.id);
      return cellOf(trial, grade, honest, state === "finished", state === "finished" ? "ungraded" : state);
    }),
  };
}

function liveState(folder: string, { id }: RunGroup["trials"][number], busy: boolean) {
  const paths = trialPaths(path.join(folder, id));
  if (!fs.existsSync(paths.trial)) return "waiting";
  return stateOf(paths.folder, readTrial(paths.folder), { owner: lockOwner(paths.lock), busy });
}

function cellOf(
  { id, competitionId, seed }: { id: string; competitionId: string; seed: number },
  grade: Grade | null,
  integrity: TrialIntegrity | null,
  finished: boolean,
  otherwise: CellState,
): GridCell {
  // What runs again may have a grade of an earlier attempt: that it runs is what counts.
  const state = grade === null || !finished ? otherwise : resultOf({ grade, integrity });
  return {
    ...{ id, competitionId, seed, state, finished },
    score: grade?.score ?? null,
    percentile: grade?.percentile ?? null,
  };
}
