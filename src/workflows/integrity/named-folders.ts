import fs from "node:fs";
import { readingProblem } from "../../files/read-record.ts";
import { readGroupRecord } from "../../trials/group/folder.ts";
import type { Problem } from "../../wording/problem.ts";

/** Why a folder whose trials cannot be told is refused. */
export function notAGroup(folder: string): Problem {
  const read = readGroupRecord(folder);
  if (read.status === "absent" || read.status === "read")
    return {
      code: "NO_GROUP",
      message: `${folder} is not a run group: it has neither group.json nor metadata.json.`,
      nextStep: "list them: mlebench status",
    };
  return {
    code: "DAMAGED_GROUP",
    message: `The plan of ${folder} cannot be used: ${readingProblem(read)}. Nobody can say which trials it has.`,
    nextStep: "restore its group.json",
  };
}

/** What was named and is not there would be looked into, found empty, and clear everybody. */
export function missingFolder(named: Readonly<Record<string, string | undefined>>): Problem | null {
  for (const [option, folder] of Object.entries(named))
    if (folder !== undefined && !fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      return {
        code: "NO_FOLDER",
        message: `${folder} is not a folder.`,
        nextStep: `name another one, or leave it out: --${option}`,
      };
  return null;
}
