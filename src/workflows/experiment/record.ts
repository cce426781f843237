import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { type RecordKind, readingProblem, readRecord } from "../../files/read-record.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import { VERSION } from "../../grading/version.ts";
import { valueDigest } from "../../trials/certificate/canonical-json.ts";
import { readGroup } from "../../trials/group/folder.ts";
import type { Problem } from "../../wording/problem.ts";
import type { Cell } from "./experiment.ts";

/** `experiment.json`: what each cell is run with. Version 1 kept a command line for each. */
const Written = z.looseObject({
  schema: z.literal("mlebench/experiment"),
  version: z.literal(2),
  name: z.string(),
  cells: z.record(z.string(), z.union([z.array(z.string()), z.looseObject({})])),
});
type Written = z.infer<typeof Written>["cells"];

const EXPERIMENT: RecordKind<z.infer<typeof Written>> = {
  schema: "mlebench/experiment",
  version: 2,
  shape: Written,
  migrations: { 1: (record) => record },
};

/**
 * Writes down what each cell is run with, and the original's table of groups. A cell that was started with something
 * else is refused, since its trials must not be mixed with others, and so is a record that cannot be read: nobody could
 * tell any more.
 */
export function recordExperiment(folder: string, name: string, cells: readonly Cell[]): Problem | null {
  const file = path.join(folder, "experiment.json");
  const read = readRecord(file, EXPERIMENT);
  if (read.status === "unreadable" || read.status === "newer")
    return {
      code: "EXPERIMENT_UNREADABLE",
      message: `${file}, which says what the cells were started with, cannot be used: ${readingProblem(read)}.`,
      nextStep:
        read.status === "newer"
          ? "update mlebench"
          : "put back a copy of it; or give the experiment another name",
    };
  const before: Written = read.status === "read" ? read.record.cells : {};
  const changed = cells.find((cell) => fs.existsSync(cell.folder) && !isSame(before[cell.name], cell));
  if (changed !== undefined)
    return {
      code: "EXPERIMENT_CHANGED",
      message: `The cell "${changed.name}" was started with other settings.`,
      nextStep: "undo the change, or give the experiment or the cell another name",
    };
  const now = Object.fromEntries(cells.map((cell) => [cell.name, cell.run]));
  const others = read.status === "read" ? read.record : {};
  const content = {
    ...others,
    schema: "mlebench/experiment",
    version: 2,
    mlebenchVersion: VERSION,
    name,
    cells: { ...before, ...now },
  };
  writeFileAtomically(file, `${JSON.stringify(content, null, 2)}\n`);
  const rows = Object.keys(content.cells).map((cell) => `${cell},${cell}\n`);
  writeFileAtomically(
    path.join(folder, "run_group_experiments.csv"),
    `experiment_id,run_group\n${rows.join("")}`,
  );
  return null;
}

/** Of a cell from version 1, or one whose record is missing, the group's own plan tells what it was about. */
function isSame(before: Written[string] | undefined, { folder, run }: Cell): boolean {
  if (before !== undefined && !Array.isArray(before)) return settingsDigest(before) === settingsDigest(run);
  const group = readGroup(folder);
  if (group === null) return true;
  const { settings, trials } = group;
  return (
    settings.agentId === run.agent &&
    (run.timeSeconds === undefined || settings.timeSeconds === run.timeSeconds) &&
    trials.length === (run.seeds ?? 1) * run.competitions.length &&
    trials.every(({ competitionId }) => run.competitions.includes(competitionId))
  );
}

/** Where the agents lie may change: that they are the same ones, every group checks by their digest. */
function settingsDigest({ agentFolders: _, ...settings }: Record<string, unknown>): string {
  return valueDigest(JSON.parse(JSON.stringify(settings)));
}
