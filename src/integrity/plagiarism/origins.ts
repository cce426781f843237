import fs from "node:fs";
import path from "node:path";
import { z } from "zod";

/** What an agent that reuses repositories writes down: which lines of which file are whose. All else is let through. */
const Provenance = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      /** Share of its lines that stand in an original. */
      similarity: z.number(),
      spans: z.array(
        z.object({ repository: z.string(), commit: z.string().nullish(), licence: z.string().nullish() }),
      ),
    }),
  ),
});

const MAX_BYTES = 2 ** 24;
/** Three borrowed lines do not explain a whole file. */
const MIN_SHARE = 0.5;

/** By file name; empty where the agent said nothing that can be read. It is its own word, and shown as such. */
export function readOrigins(trialFolder: string): Map<string, string> {
  for (const folder of ["code", "logs", "submission"]) {
    try {
      const file = path.join(trialFolder, folder, "provenance.json");
      const stats = fs.lstatSync(file);
      if (!stats.isFile() || stats.size > MAX_BYTES) continue;
      const { files } = Provenance.parse(JSON.parse(fs.readFileSync(file, "utf8")));
      return new Map(
        files
          .filter(({ similarity, spans }) => similarity >= MIN_SHARE && spans.length > 0)
          .map((one) => [one.file.replace(/^code\//, ""), originText(one)]),
      );
    } catch {
      // Not there, or not ours.
    }
  }
  return new Map();
}

function originText({ spans, similarity }: z.infer<typeof Provenance>["files"][number]): string {
  const origins = new Set(
    spans.map(
      ({ repository, commit, licence }) =>
        `${repository}${commit ? ` at ${commit.slice(0, 12)}` : ""}${licence ? ` (${licence})` : ""}`,
    ),
  );
  return `the agent says that ${(100 * similarity).toFixed(0)} % of this file is from ${[...origins].slice(0, 3).join(", ")}`;
}
