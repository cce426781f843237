import fs from "node:fs";
import { makeFolder } from "../../files/make-folder.ts";
import { trialPaths } from "../trial/folder.ts";

/** Asks whoever runs the trial, wherever that is, to end it. `finished`: it has ended already, and nothing was done. */
export function requestCancel(folder: string): "requested" | "finished" {
  const paths = trialPaths(folder);
  if (fs.existsSync(paths.certificate)) return "finished";
  makeFolder(folder);
  fs.writeFileSync(paths.cancel, "");
  return "requested";
}
