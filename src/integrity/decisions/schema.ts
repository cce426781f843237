import { z } from "zod";

/** What a person decided about one trial. A later decision replaces an earlier one, and both stay written down. */
export const Decision = z.looseObject({
  schema: z.literal("mlebench/integrity-decision"),
  version: z.int().min(1),
  trial: z.string(),
  decision: z.enum(["disqualify", "keep"]),
  why: z.string().min(1),
  /** Who decided. */
  by: z.string().min(1),
  time: z.string(),
  /** The hash of the line before; null for the first. */
  previous: z.string().nullable(),
  /** SHA-256 over the canonical JSON of everything else in this line. */
  hash: z.string(),
});
export type Decision = z.infer<typeof Decision>;
