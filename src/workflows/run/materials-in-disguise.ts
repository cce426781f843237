import { findLeak } from "../../agents/repo/leak-filter.ts";
import { loadCompetition } from "../../competitions/catalogue.ts";
import type { GroupSettings } from "../../trials/group/schema.ts";
import type { RunProblem, RunRequest } from "./request.ts";

/**
 * Whether the materials of an obfuscated run name one of its competitions. An agent that does not know where it is cannot
 * leave a solution of it out, as `repo` otherwise does, and would be told what is hidden from it.
 */
export async function materialsInDisguise(
  { competitions }: Pick<RunRequest, "competitions">,
  { obfuscate, materials, competitionsDir }: GroupSettings,
): Promise<RunProblem | null> {
  if (!obfuscate || materials === null) return null;
  const loaded = [];
  for (const id of competitions) loaded.push(await loadCompetition(id, competitionsDir ?? undefined));
  // Also what lies beside the repositories: an agent reads that as well.
  const everything = { root: materials, name: "" };
  for (const one of loaded) {
    if (one === null) continue;
    const { id, name: title } = one.competition;
    const leak = findLeak(everything, { id, title, sampleHeader: [], kernels: [] });
    if (leak !== null)
      return {
        code: "MATERIALS_NAME_IT",
        message:
          leak.rule === "not to be searched"
            ? `The run shall hide ${id}, and not all of the materials can be searched for it: ${leak.where} is ${leak.found}.`
            : `The run shall hide ${id}, and the materials name it: ${leak.where} has "${leak.found}" (${leak.rule}).`,
        nextStep: "take that out of the materials, or run without --obfuscate",
        stage: "materials",
      };
  }
  return null;
}
