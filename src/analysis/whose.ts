import path from "node:path";
import { readGroup } from "../trials/group/folder.ts";
import type { GroupSettings } from "../trials/group/schema.ts";

/** One agent with the models it asked: what a row of results is about. */
interface Whose {
  place: string;
  label: string;
}

/**
 * Whose results lie in these run groups and grading reports. Reports that left their group, and the original's, do not
 * say, and stand for whatever they are said to be.
 */
function whose(places: readonly string[]): Whose[] {
  return places.flatMap((place) => {
    const group = readGroup(place.endsWith(".json") ? path.dirname(place) : place);
    return group === null ? [] : { place, label: agentAndModels(group.settings) };
  });
}

/** `tools/codeact with simulated:steady`; of a model in a file the file's name is enough. */
export function agentAndModels({ agentId, models = {} }: Pick<GroupSettings, "agentId" | "models">): string {
  const names = Object.values(models).map((name) => name.replace(/^(scripted|recorded):.*\//s, "$1:"));
  return names.length === 0 ? agentId : `${agentId} with ${names.join(", ")}`;
}

/** Seeds of one agent may be taken together, results of two may not: a sentence that names both; null for one. */
export function severalAgents(places: readonly string[]): string | null {
  const [first, ...others] = whose(places);
  const other = others.find(({ label }) => label !== first.label);
  return other === undefined
    ? null
    : `${first.place} is of ${first.label}, ${other.place} of ${other.label}: they are not seeds of one agent.`;
}
