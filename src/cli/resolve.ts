import fs from "node:fs";
import path from "node:path";
import { foldersIn } from "../trials/group/folder.ts";
import { type Resolved, resolveGroup, resolveTrial, type WhatCounts } from "../trials/group/resolve.ts";
import { printError } from "./print.ts";
import { type RunsOptions, runsFolder } from "./runs-folder.ts";

const MAX_SHOWN = 10;

/** The folder of the group that was named; null when that was unclear, which has been said then. */
export function groupFolder(name: string, options: RunsOptions, counts?: WhatCounts): string | null {
  return found(resolveGroup(name, runsFolder(options), counts), "NO_GROUP");
}

export function trialFolder(name: string, options: RunsOptions, counts?: WhatCounts): string | null {
  return found(resolveTrial(name, runsFolder(options), counts), "NO_TRIAL");
}

/**
 * The groups and grading reports that a command was given, as paths: what is there as a file or folder stays, a name is
 * looked for among the groups, an experiment stands for its cells; `agent=` in front stays in front. Null when one was
 * unclear, which has been said then.
 */
export function placesOf(places: readonly string[], options: RunsOptions): string[] | null {
  const paths: string[] = [];
  for (const place of places) {
    const at = fs.existsSync(place) ? -1 : place.indexOf("=");
    const [agent, name] = at < 1 ? ["", place] : [place.slice(0, at + 1), place.slice(at + 1)];
    const inRuns = path.join(runsFolder(options), name);
    const cells = [name, inRuns].map(cellsOf).find((found) => found.length > 0);
    if (places.length > 1 && isBesideCells(name)) continue;
    if (cells !== undefined) paths.push(...cells.map((cell) => agent + cell));
    else if (name.endsWith(".json") || fs.existsSync(name)) paths.push(place);
    else if (fs.existsSync(path.join(inRuns, "metadata.json"))) paths.push(agent + inRuns);
    else {
      const folder = groupFolder(name, options);
      if (folder === null) return null;
      paths.push(agent + folder);
    }
  }
  return paths;
}

const EXPERIMENT_FILE = "experiment.json";

/** The run groups of an experiment's folder; none where it is not one. */
function cellsOf(folder: string): string[] {
  if (!fs.existsSync(path.join(folder, EXPERIMENT_FILE))) return [];
  return foldersIn(folder).filter((cell) => fs.existsSync(path.join(cell, "group.json")));
}

/** What `runs/<experiment>/*` names beside the cells. */
function isBesideCells(file: string): boolean {
  return (
    fs.existsSync(path.join(path.dirname(file), EXPERIMENT_FILE)) &&
    fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true
  );
}

function found(resolved: Resolved, code: string): string | null {
  if (resolved.status === "found") return resolved.folder;
  const { candidates, message } = resolved;
  const shown = candidates.slice(-MAX_SHOWN).reverse();
  const more = candidates.length > shown.length ? [`… and ${candidates.length - shown.length} more`] : [];
  const lines = shown.length === 0 ? ["list them: mlebench status"] : ["there are:", ...shown, ...more];
  printError(code, message, lines.join("\n         "));
  return null;
}
