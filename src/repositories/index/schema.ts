import { z } from "zod";

/** What the index keeps of one repository: enough to find it, and where it is. */
export const IndexEntry = z.looseObject({
  schema: z.literal("mlebench/indexed-repository"),
  version: z.literal(1),
  name: z.string(),
  /** A folder on this machine with its files. */
  folder: z.string(),
  /** As it was given: a folder, a mirror or an address. */
  source: z.string(),
  commit: z.string().nullable(),
  digest: z.string(),
  licence: z.object({ name: z.string(), reuse: z.enum(["allowed", "copyleft", "forbidden", "unstated"]) }),
  modules: z.number(),
  lines: z.number(),
  about: z.string(),
  topics: z.array(z.string()),
  /** Words by field, for the search. */
  words: z.object({ readme: z.string(), paths: z.string(), symbols: z.string(), topics: z.string() }),
});
export type IndexEntry = z.infer<typeof IndexEntry>;
