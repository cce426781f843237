import { z } from "zod";

/** The first line of a cassette. */
export const CassetteHeader = z.object({
  schema: z.literal("mlebench/cassette"),
  version: z.literal(1),
  createdAt: z.string(),
  mlebenchVersion: z.string(),
  normalisers: z.int(),
  /** The roles of the run that was recorded, and what its agents saw as the model's name. */
  roles: z.record(z.string(), z.string()),
});
export type CassetteHeader = z.infer<typeof CassetteHeader>;

/** One recorded exchange, as the client saw it. */
export const CassetteEntry = z.object({
  /** Who asked: competition, seed and role. Parallel trials cannot take each other's replies. */
  lane: z.string(),
  /** SHA-256 of the normalised request. */
  key: z.string(),
  /** What the request consists of, for saying what a miss differs in: pointer, hash, beginning. */
  parts: z.array(z.tuple([z.string(), z.string(), z.string()])),
  protocol: z.string(),
  status: z.int(),
  contentType: z.string(),
  /** The body: text, or Base64 where it is not. */
  body: z.string(),
  encoding: z.enum(["utf8", "base64"]),
  /** The ledger's line, as far as it is not about time. */
  ledger: z.record(z.string(), z.unknown()),
});
export type CassetteEntry = z.infer<typeof CassetteEntry>;
