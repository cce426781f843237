import fs from "node:fs";
import path from "node:path";
import { groupPaths, listGroups, listPlaces, readGroup, readMetadata } from "./folder.ts";

/** Several may match; then nothing is guessed, and what was meant may be among `candidates`. */
export type Resolved =
  | { status: "found"; folder: string }
  | { status: "unclear"; message: string; candidates: string[] };

export interface WhatCounts {
  /** Groups that the original wrote, too: a list of runs and no plan. Only for what needs no plan. */
  foreign?: boolean;
}

/**
 * A run group by its path, its name in the runs folder (an experiment's cells as `<experiment>/<cell>` or by their own
 * name), or any part of its name that no other group has. Every command asks here.
 */
export function resolveGroup(name: string, runsDir: string, { foreign = false }: WhatCounts = {}): Resolved {
  for (const folder of [path.resolve(name), path.join(runsDir, name)]) {
    const { group, metadata } = groupPaths(folder);
    if (fs.existsSync(group) || (foreign && fs.existsSync(metadata))) return { status: "found", folder };
  }
  const groups = foreign ? listPlaces(runsDir) : listGroups(runsDir);
  const theirs = [path.resolve(name), path.join(runsDir, name)].find(
    (folder) => !foreign && fs.existsSync(groupPaths(folder).metadata),
  );
  const nameOf = (folder: string) => path.relative(runsDir, folder);
  if (theirs !== undefined)
    return {
      status: "unclear",
      message: `"${name}" was made by somebody else, the original or Harbor, and has no plan of ours, which this command needs.`,
      candidates: groups.map(nameOf),
    };
  const matching = bestMatches(name, groups, (folder) => [path.basename(folder), nameOf(folder)]);
  if (matching.length === 1) return { status: "found", folder: matching[0] };
  return unclear(name, "run group", matching.map(nameOf), groups.map(nameOf), runsDir);
}

/** A trial by its path, its id, or any part of its id that no other trial has, in all groups of the runs folder. */
export function resolveTrial(name: string, runsDir: string, { foreign = false }: WhatCounts = {}): Resolved {
  const given = path.resolve(name);
  if (fs.existsSync(path.join(given, "trial.json"))) return { status: "found", folder: given };
  if (foreign && runsOfTheOriginal(path.dirname(given)).includes(path.basename(given)))
    return { status: "found", folder: given };
  const planned = (foreign ? listPlaces(runsDir) : listGroups(runsDir)).flatMap((folder) => {
    const group = readGroup(folder);
    const place = path.relative(runsDir, folder);
    if (group === null && foreign)
      return runsOfTheOriginal(folder).map((id) => ({
        folder: path.join(folder, id),
        text: `${id}  (${place}, of the original)`,
      }));
    return (group?.trials ?? []).map(({ id, seed }) => ({
      folder: path.join(folder, id),
      text: `${id}  (${place}, ${group!.settings.agentId}, seed ${seed})`,
    }));
  });
  const exact = planned.find(({ folder }) => folder === given);
  if (exact !== undefined) return { status: "found", folder: exact.folder };
  const matching = bestMatches(name, planned, ({ folder }) => [
    path.basename(folder),
    path.relative(runsDir, folder),
  ]);
  if (matching.length === 1) return { status: "found", folder: matching[0].folder };
  const texts = (list: typeof planned) => list.map(({ text }) => text);
  return unclear(name, "trial", texts(matching), texts(planned), runsDir);
}

function runsOfTheOriginal(folder: string): string[] {
  return Object.keys(readMetadata(groupPaths(folder).metadata)?.runs ?? {});
}

/** Whoever has exactly this name; else those whose name begins with it; else those that have it anywhere. */
function bestMatches<T>(wanted: string, all: readonly T[], namesOf: (one: T) => string[]): T[] {
  for (const fits of [
    (name: string) => name === wanted,
    (name: string) => name.startsWith(wanted),
    (name: string) => name.includes(wanted),
  ]) {
    const found = all.filter((one) => namesOf(one).some(fits));
    if (found.length > 0) return found;
  }
  return [];
}

function unclear(
  name: string,
  what: string,
  matching: readonly string[],
  all: readonly string[],
  runsDir: string,
): Resolved {
  if (matching.length > 0)
    return {
      status: "unclear",
      message: `"${name}" may be any of ${matching.length} ${what}s; write more of the name.`,
      candidates: [...matching],
    };
  const none = all.length === 0 ? `; there is not any in ${runsDir}` : "";
  return { status: "unclear", message: `There is no ${what} "${name}"${none}.`, candidates: [...all] };
}
