import fs from "node:fs";
import { type MapOptions, mapRepository, type RepositoryMap } from "../repositories/map/repository-map.ts";
import type { Problem } from "../wording/problem.ts";
import { orRefusal } from "./or-refusal.ts";

export type OpenOutcome =
  | { status: "mapped"; map: RepositoryMap }
  | { status: "interrupted" }
  | { status: "refused"; problem: Problem };

/** Reads a repository, which must be a folder with source files in it. */
export function openRepository(folder: string, options: MapOptions = {}): Promise<OpenOutcome> {
  return orRefusal<OpenOutcome>(
    () => readAndMap(folder, options),
    (problem) => ({ status: "refused", problem }),
  );
}

async function readAndMap(folder: string, options: MapOptions): Promise<OpenOutcome> {
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return refused("NO_REPOSITORY", `There is no folder ${folder}.`, "name a folder with source files");
  try {
    const map = await mapRepository(folder, options);
    if (map.modules.length > 0) return { status: "mapped", map };
  } catch (error) {
    if (options.signal?.aborted) return { status: "interrupted" };
    throw error;
  }
  return refused(
    "NO_SOURCE",
    `${folder} has no Python, R, JavaScript or notebook files.`,
    "name the folder they are in",
  );
}

function refused(code: string, message: string, nextStep: string): OpenOutcome {
  return { status: "refused", problem: { code, message, nextStep } };
}
