import { createHash } from "node:crypto";
import fs from "node:fs";
import { z } from "zod";
import { writeFileAtomically } from "../../files/write-file.ts";

/** An md5; `parquet:` and an md5 of the values where the bytes of a file depend on the library that wrote it. */
const Checksum = z.string().regex(/^(parquet:)?[0-9a-f]{32}$/);

/** Which content the prepared files should have, by name, and the download they are made from. */
export const Checksums = z.object({
  schema: z.literal("mlebench/checksums"),
  version: z.literal(1),
  public: z.record(z.string(), Checksum),
  private: z.record(z.string(), Checksum),
  zip: Checksum.nullish(),
});
export type Checksums = z.infer<typeof Checksums>;

export type ReadChecksums =
  | { status: "found"; checksums: Checksums; whose: "original" | "own" }
  | { status: "none" }
  | { status: "malformed"; file: string };

/** The user's own checksums if there are any, else the original's. Those describe version v1 and nothing else. */
export function readChecksums(
  ownFile: string,
  competitionFolder: URL,
  { original }: { original: boolean },
): ReadChecksums {
  const own = parsed(ownFile);
  if (own === "malformed") return { status: "malformed", file: ownFile };
  if (own) return { status: "found", checksums: own, whose: "own" };
  const official = original ? parsed(new URL("checksums.json", competitionFolder)) : null;
  if (official === "malformed")
    throw new Error(`the checksums beside ${competitionFolder.href} are malformed`);
  return official ? { status: "found", checksums: official, whose: "original" } : { status: "none" };
}

/** A short name for what the task's own checksums say: a task that is drawn anew gets another one. */
export function referenceOf(read: ReadChecksums): string | undefined {
  if (read.status !== "found" || read.whose === "own") return undefined;
  const { public: open, private: hidden } = read.checksums;
  return createHash("sha256")
    .update(JSON.stringify([open, hidden]))
    .digest("hex")
    .slice(0, 16);
}

export function writeOwnChecksums(file: string, checksums: Pick<Checksums, "public" | "private">): void {
  const { public: open, private: hidden } = checksums;
  const content: Checksums = { schema: "mlebench/checksums", version: 1, public: open, private: hidden };
  writeFileAtomically(file, `${JSON.stringify(content, null, 2)}\n`);
}

function parsed(file: string | URL): Checksums | "malformed" | null {
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    return "malformed";
  }
  try {
    return Checksums.parse(JSON.parse(text));
  } catch {
    return "malformed";
  }
}
