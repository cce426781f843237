import fs from "node:fs";
import path from "node:path";
import { competitionPaths } from "../../data/place/competition-paths.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { InitRecord, type InitRefusal, refusal } from "./schema.ts";

/** Where a competition is made and tried before it gets its name; on the disk of the target, so that a rename suffices. */
export interface Stage {
  root: string;
  competitions: string;
  data: string;
  runs: string;
  remove(): void;
}

/** Removed with everything in it, also when the process is told to end at once. */
export function stageFor(folder: string): Stage {
  const parent = path.dirname(folder);
  makeFolder(parent);
  const root = fs.mkdtempSync(path.join(parent, `.${path.basename(folder)}.init-`));
  const place = (name: string) => path.join(root, name);
  const clear = () => fs.rmSync(root, { recursive: true, force: true });
  process.once("exit", clear);
  const remove = () => {
    clear();
    process.off("exit", clear);
  };
  return { root, competitions: place("competitions"), data: place("data"), runs: place("runs"), remove };
}

/** Why the folder or its data cannot be written; null when nothing is in the way. */
export function targetProblem(target: {
  folder: string;
  id: string;
  dataDir: string;
  force: boolean;
}): InitRefusal | null {
  const { folder, id, dataDir, force } = target;
  const found = fs.statSync(folder, { throwIfNoEntry: false });
  if (found && !found.isDirectory())
    return refusal("NOT_A_FOLDER", `${folder} is a file.`, "Name another folder.");
  if (found && fs.readdirSync(folder).length > 0) {
    if (!isOurs(folder))
      return refusal(
        "FOLDER_EXISTS",
        `${folder} is not empty, and mlebench init did not make it.`,
        "Name another folder; --force replaces only what init has made.",
      );
    if (!force)
      return refusal("FOLDER_EXISTS", `${folder} is there already.`, "Replace it: --force; or name another.");
  }
  const { prepared } = competitionPaths(dataDir, id, "v1");
  if (!force && fs.existsSync(prepared))
    return refusal(
      "DATA_EXISTS",
      `There is prepared data of a competition "${id}" in ${path.dirname(prepared)}.`,
      "Replace it: --force; or give the folder another name, or another --data-dir.",
    );
  return null;
}

function isOurs(folder: string): boolean {
  try {
    const text = fs.readFileSync(path.join(folder, "init.json"), "utf8");
    return InitRecord.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/** Gives the finished folder its name. What it replaces goes to the stage, and with it. */
export function placeFolder(draft: string, folder: string, stage: Stage): void {
  if (fs.existsSync(folder)) fs.renameSync(folder, path.join(stage.root, "replaced"));
  fs.renameSync(draft, folder);
}
