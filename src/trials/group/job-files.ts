import fs from "node:fs";
import type { JobFiles, Sight } from "../../executors/executor.ts";
import { lockOwner } from "../../files/lock-file.ts";
import { readHeartbeat } from "../state/heartbeat.ts";
import { readTrial, trialPaths } from "../trial/folder.ts";
import { groupPaths } from "./folder.ts";
import type { JobControl } from "./job.ts";
import type { PlannedTrial } from "./schema.ts";
import { tailStarts } from "./starts.ts";

/** The files of a group whose trials run on other machines, and what whoever follows the run is told about them. */
export function jobFiles(
  folder: string,
  trials: ReadonlyMap<string, PlannedTrial>,
  control: Pick<JobControl, "onTrialStart" | "onProgress">,
  onFinished: (id: string) => void,
): JobFiles {
  const { trial: folderOf, starts: startsFile } = groupPaths(folder);
  const placeOf = (id: string) => trialPaths(folderOf(id));
  const starts = tailStarts(startsFile);
  return {
    begun: () => [...new Set(starts().map(({ trial }) => trial))],
    isFinished: (id) => fs.existsSync(`${folderOf(id)}/certificate.json`),
    look: (id) => look(placeOf(id).folder),
    tell(id, what) {
      const planned = trials.get(id);
      if (planned === undefined) return;
      if (what === "finished") return onFinished(id);
      const heartbeat = readHeartbeat(placeOf(id).heartbeat);
      if (what === "begun")
        return control.onTrialStart?.(planned, heartbeat?.attempt ?? attemptOf(placeOf(id).folder));
      if (heartbeat === null) return;
      const { elapsedSeconds, timeSeconds, peakMemoryBytes, cpuSeconds, submissions, lastLine } = heartbeat;
      control.onProgress?.({
        trialId: id,
        competitionId: planned.competitionId,
        seed: planned.seed,
        elapsedSeconds,
        timeSeconds,
        usage: { peakMemoryBytes, cpuSeconds, bytesWritten: 0 },
        lastLine,
        submissions,
      });
    },
  };
}

function attemptOf(folder: string): number {
  return readTrial(folder)?.attempt ?? 1;
}

/** In this order: a certificate comes after everything else, and a lock is released after it. */
function look(folder: string): Sight {
  const paths = trialPaths(folder);
  const owner = lockOwner(paths.lock);
  if (fs.existsSync(paths.certificate)) return { status: "finished" };
  if (owner !== null) return { status: "held", mark: owner.mark };
  const trial = readTrial(folder);
  if (trial === null) return { status: "untouched" };
  return {
    status: "left",
    broken: trial.status === "interrupted" && trial.outcome?.stopReason === "harness error",
    message: trial.outcome?.message ?? "it was cut off",
    host: trial.host.name,
  };
}
