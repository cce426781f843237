import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { groupPaths, readGroup, readMetadata } from "../../trials/group/folder.ts";
import type { Candidate } from "./check.ts";
import { readOrigins } from "./origins.ts";

/** The trials of a run group, ours or the original's. Null when the folder is neither. */
export function candidatesOfGroup(folder: string): Candidate[] | null {
  const group = readGroup(folder);
  const metadata = group === null ? readMetadata(groupPaths(folder).metadata) : null;
  if (group === null && metadata === null) return null;
  const planned =
    group?.trials ??
    Object.keys(metadata!.runs).map((id) => ({ id, competitionId: id.replace(/_[^_]*$/, "") }));
  return planned.map(({ id, competitionId }) => {
    const trialFolder = path.join(folder, id);
    const code = path.join(trialFolder, "code");
    return {
      trial: id,
      agent: group?.settings.agentId ?? null,
      competitionId,
      codePath: fs.existsSync(code) ? code : null,
      origins: readOrigins(trialFolder),
    };
  });
}

const Line = z.looseObject({ competition_id: z.string(), code_path: z.string().nullish() });

/** The original's list: one JSON object a line. A line that cannot be read is an error, by its number. */
export function candidatesOfList(file: string): { candidates: Candidate[] } | { message: string } {
  const candidates: Candidate[] = [];
  const lines = fs.readFileSync(file, "utf8").split("\n");
  for (const [i, line] of lines.entries()) {
    if (line.trim() === "") continue;
    let parsed: z.infer<typeof Line>;
    try {
      parsed = Line.parse(JSON.parse(line));
    } catch {
      return { message: `line ${i + 1} of ${file} has no competition_id and code_path` };
    }
    const codePath = parsed.code_path == null ? null : path.resolve(path.dirname(file), parsed.code_path);
    candidates.push({
      trial: parsed.code_path ?? `line ${i + 1}`,
      agent: null,
      competitionId: parsed.competition_id,
      codePath,
      origins: new Map(),
    });
  }
  return { candidates };
}
