import path from "node:path";
import { readingProblem } from "../../../files/read-record.ts";
import type { SystemRefusal } from "../../../files/system-error.ts";
import { writeFileAtomically } from "../../../files/write-file.ts";
import { readGroupRecord } from "../../../trials/group/folder.ts";
import { readTrialRecord } from "../../../trials/trial/folder.ts";
import type { Problem } from "../../../wording/problem.ts";
import { orRefusal } from "../../or-refusal.ts";
import { missingCalls } from "../calls.ts";
import { trajectoryOf } from "./write.ts";

export type AtifExportOutcome =
  | {
      status: "exported";
      files: string[];
      left: { trial: string; why: string }[];
      /** Trials of which not everything could be exported. */
      incomplete: { trial: string; why: string }[];
    }
  | { status: "refused"; problem: Problem | SystemRefusal };

/** Writes `<trial>.trajectory.json` for each trial of a group that has a record. */
export function exportTrajectories(group: string, folder: string): Promise<AtifExportOutcome> {
  return orRefusal<AtifExportOutcome>(
    async () => {
      const plan = readGroupRecord(group);
      if (plan.status !== "read")
        return {
          status: "refused",
          problem: {
            code: "NO_GROUP",
            message: `${group} is not a run group of ours: ${readingProblem(plan)}.`,
            nextStep: "see mlebench status",
          },
        };
      const files: string[] = [];
      const left: { trial: string; why: string }[] = [];
      const incomplete: { trial: string; why: string }[] = [];
      for (const { id } of plan.record.trials) {
        const place = path.join(group, id);
        const read = readTrialRecord(place);
        if (read.status !== "read") {
          left.push({ trial: id, why: readingProblem(read) ?? "there is no record" });
          continue;
        }
        const file = path.join(path.resolve(folder), `${id}.trajectory.json`);
        writeFileAtomically(file, `${JSON.stringify(trajectoryOf(place, read.record), null, 2)}\n`);
        files.push(file);
        const why = missingCalls(place, read.record);
        if (why !== null) incomplete.push({ trial: id, why });
        // Otherwise nobody would hear of Ctrl-C before the last one.
        await new Promise(setImmediate);
      }
      return { status: "exported", files, left, incomplete };
    },
    (problem) => ({ status: "refused", problem }),
  );
}
