import { resolveAgent } from "../../agents/definition/load-definitions.ts";
import { dataFolder } from "../../data/place/data-folder.ts";
import { readingProblem } from "../../files/read-record.ts";
import type { SandboxKind } from "../../sandbox/kind.ts";
import type { Problem } from "../../wording/problem.ts";
import { readTrialRecord } from "../trial/folder.ts";
import { groupPaths, readGroupRecord } from "./folder.ts";
import { isOwnGroup } from "./register.ts";
import type { GroupSettings, RunGroup } from "./schema.ts";
import { strangeEntry } from "./strange-entries.ts";

/** What somebody gave on the command line. Undefined: nothing was said. */
export interface GivenPlaces {
  dataDir?: string | undefined;
  competitionsDir?: string | undefined;
  agentFolders?: string[] | undefined;
  materials?: string | undefined;
  show?: string[] | undefined;
  /** Where the names and prices of its models lie now. */
  modelsFile?: string | undefined;
  rootFolder?: string | undefined;
  sandbox?: SandboxKind | undefined;
  /** Null: nothing is to be signed. */
  signingKey?: string | null | undefined;
}

type Placed = { group: RunGroup } | { problem: Problem };

/**
 * Reads a group's plan for working on it. A record says what was done, never where to run, sign or delete: paths in it
 * count only if this user's own installation wrote them, and must be given again for a group from elsewhere.
 */
export function placedGroup(
  folder: string,
  given: GivenPlaces,
  purpose: "run" | "grade",
  /** The one trial that will be touched; all of them unless told. */
  trial?: string,
): Placed {
  const read = readGroupRecord(folder);
  if (read.status !== "read")
    return problem(
      read.status === "newer" ? "NEWER_GROUP" : "NO_GROUP",
      `${folder} is not a run group that can be worked on: ${readingProblem(read)}.`,
      read.status === "newer" ? "update mlebench" : "see mlebench status",
    );
  const { record: group } = read;
  const unsafe = trialProblem(folder, group, trial);
  if (unsafe !== null) return { problem: unsafe };
  // An address in it would be shown our keys, a recording would be written wherever it says.
  if (purpose === "run" && group.settings.models !== undefined && !isOwnGroup(folder))
    return problem(
      "FOREIGN_MODELS",
      `${group.name} asks models and was not planned by your own installation, or its group.json was changed since: whom your keys are shown to is for you to say.`,
      "start a group of your own: mlebench run --model <name>",
    );
  const missing = isOwnGroup(folder) ? [] : missingOptions(group.settings, given, purpose);
  if (missing.length > 0)
    return problem(
      "FOREIGN_GROUP",
      `${group.name} was not planned by your own installation, or its group.json was changed since: what it names on this machine is not used.`,
      `say it yourself: ${missing.join(" ")}`,
    );
  return { group: { ...group, settings: trustedSettings(folder, group.settings, given) } };
}

/** The settings with paths that may be used, and nothing in place of the others. */
export function trustedSettings(folder: string, settings: GroupSettings, given: GivenPlaces): GroupSettings {
  const own = isOwnGroup(folder);
  const sandbox = given.sandbox ?? settings.sandbox;
  return {
    ...settings,
    sandbox,
    // Options of sbatch's can name files and programs.
    ...(settings.slurm === undefined || own ? {} : { slurm: { ...settings.slurm, args: [] } }),
    dataDir: own && given.dataDir === undefined ? settings.dataDir : dataFolder(given.dataDir),
    competitionsDir: given.competitionsDir ?? (own ? settings.competitionsDir : null),
    agentFolders: given.agentFolders ?? (own ? settings.agentFolders : []),
    ...(settings.show === undefined ? {} : { show: given.show ?? (own ? settings.show : []) }),
    materials: given.materials ?? (own ? settings.materials : null),
    rootFolder: given.rootFolder ?? (own ? settings.rootFolder : null),
    ...(settings.modelAccess === undefined || given.modelsFile === undefined
      ? {}
      : { modelAccess: { ...settings.modelAccess, modelsFile: given.modelsFile } }),
    signingKey: given.signingKey !== undefined ? given.signingKey : own ? settings.signingKey : null,
  };
}

/** Which options a group from elsewhere needs, because it was run with such a thing. */
function missingOptions(settings: GroupSettings, given: GivenPlaces, purpose: "run" | "grade"): string[] {
  const needs: [boolean, string][] = [
    [settings.competitionsDir !== null && given.competitionsDir === undefined, "--competitions <folder>"],
    [settings.signingKey !== null && given.signingKey === undefined, "--sign <key> (or --no-sign)"],
  ];
  if (purpose === "run") {
    const comesWithUs = resolveAgent(settings.agentId, []).status === "found";
    needs.push(
      [!comesWithUs && given.agentFolders === undefined, "--agents-dir <folder>"],
      [settings.materials !== null && given.materials === undefined, "--materials <folder>"],
      [(settings.show ?? []).length > 0 && given.show === undefined, "--show <folder>"],
      [settings.rootFolder !== null && given.rootFolder === undefined, "--root <folder>"],
      // Nobody here has agreed to run it without isolation.
      [settings.sandbox === "process" && given.sandbox === undefined, "--sandbox <kind>"],
    );
  }
  return needs.flatMap(([missing, option]) => (missing ? [option] : []));
}

/** What is written, moved and removed lies in the group by construction, unless somebody planted a link. */
function trialProblem(folder: string, group: RunGroup, only: string | undefined): Problem | null {
  const isTouched = (id: string) => only === undefined || id.startsWith(only);
  const strange = strangeEntry(folder, group, isTouched);
  if (strange !== null)
    return {
      code: "LINK_IN_GROUP",
      message: `In ${group.name}, ${strange}, which mlebench never makes.`,
      nextStep: "find out who made it, then remove it",
    };
  for (const { id } of group.trials) {
    if (!isTouched(id)) continue;
    const read = readTrialRecord(groupPaths(folder).trial(id));
    if (read.status === "newer")
      return { code: "NEWER_TRIAL", message: `${id}: ${read.writer}.`, nextStep: "update mlebench" };
  }
  return null;
}

function problem(code: string, message: string, nextStep: string): Placed {
  return { problem: { code, message, nextStep } };
}
