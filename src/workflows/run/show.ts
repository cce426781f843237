import fs from "node:fs";
import path from "node:path";
import { homeFolder } from "../../files/home-folder.ts";
import type { Problem } from "../../wording/problem.ts";

/** What lies in a home and is nobody else's business. */
const PRIVATE = [".ssh", ".gnupg", ".kaggle", ".aws", ".config", ".netrc", ".local/state/mle-bench"];

/**
 * Why a folder cannot be shown to agents: it holds, or lies in, a place they must not read. Links are followed, since the
 * agent's system would follow them, too.
 */
export function showProblem(
  folders: readonly string[],
  kept: Readonly<Record<string, string>>,
): Problem | null {
  const places = allPlaces(kept);
  for (const folder of folders) {
    const shown = real(path.resolve(folder));
    if (!fs.statSync(shown, { throwIfNoEntry: false })?.isDirectory())
      return problem("NO_FOLDER", `${folder} is not a folder, and cannot be shown.`);
    for (const [what, place] of places) {
      const hidden = real(path.resolve(place));
      if (isWithin(hidden, shown) || isWithin(shown, hidden))
        return problem(
          "NOT_TO_BE_SHOWN",
          `${folder} cannot be shown to agents: ${what} (${place}) would be seen.`,
        );
    }
  }
  return null;
}

/**
 * Why an agent cannot be given a folder whole, as its own or as materials: such a place lies in it. Run groups in an agent's own
 * folder would also make it another agent with every trial.
 */
export function givenProblem(
  given: string,
  folder: string,
  kept: Readonly<Record<string, string>>,
): Problem | null {
  const outer = real(path.resolve(folder));
  for (const [what, place] of allPlaces(kept)) {
    const hidden = real(path.resolve(place));
    if (isWithin(hidden, outer))
      return {
        code: "NOT_TO_BE_SHOWN",
        message: `${given} (${folder}) would be shown to the agent with ${what} in it (${place}).`,
        nextStep:
          what === RUN_GROUPS
            ? "start it from the folder above, or keep the runs elsewhere: --runs-dir <folder>"
            : "keep one of the two elsewhere",
      };
  }
  return null;
}

/** As a run names the place of its groups. */
export const RUN_GROUPS = "the run groups";

function allPlaces(kept: Readonly<Record<string, string>>): [string, string][] {
  return [
    ...Object.entries(kept),
    ...PRIVATE.map((name): [string, string] => [`~/${name}`, path.join(homeFolder(), name)]),
  ];
}

function isWithin(inner: string, outer: string): boolean {
  const way = path.relative(outer, inner);
  // A folder's name may itself begin with two dots.
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

/** Of a path that does not exist yet, the part that does. */
function real(place: string): string {
  try {
    return fs.realpathSync(place);
  } catch {
    const parent = path.dirname(place);
    return parent === place ? place : path.join(real(parent), path.basename(place));
  }
}

function problem(code: string, message: string): Problem {
  return { code, message, nextStep: "name a folder that holds programs only: --show <folder>" };
}
