import fs from "node:fs";
import path from "node:path";
import { loadCompetition } from "../../../competitions/catalogue.ts";
import { nearestIds } from "../../../competitions/splits.ts";
import { canRun, dataFolder } from "../../../data/place/data-folder.ts";
import { howToPrepare } from "../../../data/place/prepare-command.ts";
import { makeFolder } from "../../../files/make-folder.ts";
import type { SystemRefusal } from "../../../files/system-error.ts";
import { environmentImage } from "../../../sandbox/container/environment.ts";
import type { Problem } from "../../../wording/problem.ts";
import { orRefusal } from "../../or-refusal.ts";
import { descriptionOf, instructionText } from "../instructions.ts";
import { composeFile, INIT_FILE, packageReadme, projectFile, TASK_FILE } from "./package-files.ts";

export interface InspectTasksRequest {
  competitions: readonly string[];
  /** The Python package to write; must not be there yet, unless `force`. */
  folder: string;
  dataDir?: string | undefined;
  competitionsDir?: string | undefined;
  force?: boolean | undefined;
}

export type InspectTasksOutcome =
  | { status: "exported"; folder: string; competitions: string[] }
  | { status: "refused"; problem: Problem | SystemRefusal };

const DAY = 86_400;

/** Writes a Python package with which Inspect runs our competitions and mlebench grades them. */
export function exportInspectTasks(request: InspectTasksRequest): Promise<InspectTasksOutcome> {
  return orRefusal<InspectTasksOutcome>(
    () => writePackage(request),
    (problem) => ({ status: "refused", problem }),
  );
}

async function writePackage(request: InspectTasksRequest): Promise<InspectTasksOutcome> {
  const folder = path.resolve(request.folder);
  if (fs.existsSync(folder) && !request.force)
    return refused("EXISTS", `${folder} is there already.`, "replace it: --force");
  const dataDir = dataFolder(request.dataDir);
  const files = new Map<string, string>();
  const competitions = [];
  for (const id of request.competitions) {
    const loaded = await loadCompetition(id, request.competitionsDir);
    if (loaded === null) {
      const [near] = nearestIds(id);
      return refused(
        "UNKNOWN_COMPETITION",
        `There is no competition "${id}".`,
        near === undefined ? "list them: mlebench list" : `did you mean ${near}?`,
      );
    }
    const { competition } = loaded;
    if (!canRun(dataDir, competition))
      return refused(
        "NOT_PREPARED",
        `${id} has no prepared data in ${dataDir}.`,
        howToPrepare(loaded, { dataDir, competitionsDir: request.competitionsDir }),
      );
    const publicFolder = path.resolve(dataDir, id, "prepared", "public");
    const instructions = instructionText(competition, DAY, descriptionOf(loaded, publicFolder));
    competitions.push({ id, name: competition.name, category: competition.category, instructions });
    files.set(`mlebench_inspect/compose/${id}.yaml`, composeFile(environmentImage("heavy"), publicFolder));
  }
  const list = {
    schema: "mlebench/inspect-competitions",
    version: 1,
    // The scorer finds the answers where they lay when this was written.
    data_dir: path.resolve(dataDir),
    competitions_dir: request.competitionsDir === undefined ? null : path.resolve(request.competitionsDir),
    competitions,
  };
  files.set("pyproject.toml", projectFile());
  files.set("README.md", packageReadme(request.competitions));
  files.set("mlebench_inspect/__init__.py", INIT_FILE);
  files.set("mlebench_inspect/task.py", TASK_FILE);
  files.set("mlebench_inspect/competitions.json", `${JSON.stringify(list, null, 2)}\n`);
  const partial = `${folder}.partial`;
  fs.rmSync(partial, { recursive: true, force: true });
  for (const [name, text] of files) {
    makeFolder(path.dirname(path.join(partial, name)));
    fs.writeFileSync(path.join(partial, name), text);
  }
  fs.rmSync(folder, { recursive: true, force: true });
  fs.renameSync(partial, folder);
  return { status: "exported", folder, competitions: [...request.competitions] };
}

function refused(code: string, message: string, nextStep: string): InspectTasksOutcome {
  return { status: "refused", problem: { code, message, nextStep } };
}
