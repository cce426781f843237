import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { CompetitionVersion } from "../../competitions/competition.ts";
import { writeFileAtomically } from "../../files/write-file.ts";

/** What a result was compared with, and how that came out. */
export const Verification = z.enum([
  /** Every file has the original's checksum. */
  "matches",
  /** Every file has the checksum the user recorded. */
  "matches-own",
  "differs",
  "skipped",
  /** Settings were changed or it is v2, so that the original's checksums say nothing. */
  "not-comparable",
]);
export type Verification = z.infer<typeof Verification>;

export const SettingValues = z.record(z.string(), z.union([z.number(), z.string(), z.boolean()]));

/** One preparation that was finished. */
export const PreparedRecord = z.object({
  preparedAt: z.string(),
  /** "found": the data were there already, from the original or from elsewhere, and only checked. */
  origin: z.enum(["prepared", "found"]),
  settings: SettingValues,
  verification: Verification,
  /** Which state of the task it was prepared from, where the task has checksums; absent in older records. */
  reference: z.string().optional(),
  warnings: z.array(z.string()),
  /** Sizes of the files at the top of `public` and `private`: what makes a second look cheap. */
  sizes: z.record(z.string(), z.int().min(0)),
});
export type PreparedRecord = z.infer<typeof PreparedRecord>;

const PrepareState = z.object({
  schema: z.literal("mlebench/prepare"),
  version: z.literal(1),
  prepared: z.object({ v1: PreparedRecord.optional(), v2: PreparedRecord.optional() }),
});

/** The record of a version, or null; a file we cannot read is as good as none, since the data can be checked again. */
export function readPrepared(file: string, version: CompetitionVersion): PreparedRecord | null {
  return readState(file)?.prepared[version] ?? null;
}

export function recordPrepared(file: string, version: CompetitionVersion, record: PreparedRecord): void {
  const others = readState(file)?.prepared ?? {};
  const state = { schema: "mlebench/prepare", version: 1, prepared: { ...others, [version]: record } };
  writeFileAtomically(file, `${JSON.stringify(state, null, 2)}\n`);
}

function readState(file: string): z.infer<typeof PrepareState> | null {
  try {
    return PrepareState.parse(JSON.parse(fs.readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}

/** The sizes that a record keeps. Sub-folders hold images by the million and are left out. */
export function topLevelSizes(prepared: string): Record<string, number> {
  const sizes: Record<string, number> = {};
  for (const part of ["public", "private"]) {
    for (const entry of fs.readdirSync(path.join(prepared, part), { withFileTypes: true })) {
      const name = `${part}/${entry.name}`;
      if (entry.isFile()) sizes[name] = fs.statSync(path.join(prepared, name)).size;
    }
  }
  return sizes;
}

/** The first recorded file that is gone or has another size now, in words; null when all are as they were. */
export function changedSince(prepared: string, { sizes }: PreparedRecord): string | null {
  for (const [name, size] of Object.entries(sizes)) {
    const now = fs.statSync(path.join(prepared, name), { throwIfNoEntry: false })?.size;
    if (now === undefined) return `${name} is gone`;
    if (now !== size) return `${name} had ${size} bytes when it was prepared and has ${now} now`;
  }
  return null;
}
