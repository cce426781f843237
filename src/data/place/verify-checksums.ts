import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { openParquet } from "../../formats/parquet.ts";
import { md5OfFile } from "../kaggle/md5-file.ts";
import type { Checksums } from "./checksums-schema.ts";
import { explainDifference } from "./explain-difference.ts";

/** One prepared file against its checksum. */
export const FileCheck = z.object({
  /** Below the prepared folder, such as `public/train.csv`. */
  file: z.string(),
  /** "other-library": a Parquet file whose bytes cannot be expected to match, and whose content is unknown. */
  status: z.enum(["same", "different", "missing", "other-library"]),
  expected: z.string(),
  actual: z.string().nullable(),
  /** What differs, in sentences. */
  explanation: z.array(z.string()),
});
export type FileCheck = z.infer<typeof FileCheck>;

export interface VerifyOptions {
  checksums: Pick<Checksums, "public" | "private">;
  /** The folder with `public` and `private`. */
  prepared: string;
  /** An earlier result to compare with where something differs. */
  earlier: string | null;
  signal: AbortSignal | null;
  onBytes: (bytes: number) => void;
}

/** Compares the listed files one by one; files that are not listed are nobody's business. Throws when interrupted. */
export async function verifyChecksums({ checksums, ...rest }: VerifyOptions): Promise<FileCheck[]> {
  const checks: FileCheck[] = [];
  for (const file of listedFiles(checksums)) {
    const [part, name] = splitPart(file);
    checks.push(await verifyFile(file, checksums[part][name], rest));
  }
  return checks;
}

/** The bytes that a verification will read. */
export function bytesToVerify(checksums: Pick<Checksums, "public" | "private">, prepared: string): number {
  return listedFiles(checksums).reduce((sum, file) => sum + (sizeOf(path.join(prepared, file)) ?? 0), 0);
}

/** The checksums of a result as it is, of the kinds of files that the original's list covers. */
export async function computeChecksums(
  prepared: string,
  signal: AbortSignal | null,
): Promise<Pick<Checksums, "public" | "private">> {
  const all: Pick<Checksums, "public" | "private"> = { public: {}, private: {} };
  for (const part of ["public", "private"] as const) {
    const entries = fs.readdirSync(path.join(prepared, part), { withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile() && COVERED.has(path.extname(entry.name)));
    for (const { name } of names) all[part][name] = await checksumOf(path.join(prepared, part, name), signal);
  }
  return all;
}

const UNCOUNTED = { add() {}, finish() {} };
const COVERED = new Set([".csv", ".json", ".jsonl", ".bson", ".parquet"]);

async function checksumOf(file: string, signal: AbortSignal | null): Promise<string> {
  if (file.endsWith(".parquet")) {
    const content = await parquetContent(file);
    if (content.status === "read") return content.checksum;
  }
  return md5OfFile(file, UNCOUNTED, signal);
}

async function verifyFile(
  name: string,
  expected: string,
  { prepared, earlier, signal, onBytes }: Omit<VerifyOptions, "checksums">,
): Promise<FileCheck> {
  const file = path.join(prepared, name);
  const check = { file: name, expected, actual: null, explanation: [] };
  if (sizeOf(file) === null) return { ...check, status: "missing", explanation: ["It was not prepared."] };
  if (expected.startsWith("parquet:")) {
    const content = await parquetContent(file);
    if (content.status === "unreadable")
      return { ...check, status: "different", explanation: [`It ${content.reason}.`] };
    const shape = `It has ${content.rows} rows and the columns ${content.columns.join(", ")}; their content differs.`;
    if (content.checksum === expected) return { ...check, status: "same", actual: expected };
    return { ...check, status: "different", actual: content.checksum, explanation: [shape] };
  }
  const actual = await md5OfFile(file, { add: onBytes, finish() {} }, signal);
  if (actual === expected) return { ...check, status: "same", actual };
  if (name.endsWith(".parquet")) {
    const content = await parquetContent(file);
    if (content.status === "read") {
      const shape = `It has ${content.rows} rows and the columns ${content.columns.join(", ")}; its bytes depend on the writing library, so they prove nothing.`;
      return { ...check, status: "other-library", actual, explanation: [shape] };
    }
  }
  const other = await earlierVersion(earlier && path.join(earlier, name), expected, signal);
  return { ...check, status: "different", actual, explanation: explainDifference(file, other) };
}

async function earlierVersion(file: string | null, expected: string, signal: AbortSignal | null) {
  if (file === null || sizeOf(file) === null) return null;
  return { file, isExpected: (await md5OfFile(file, UNCOUNTED, signal)) === expected };
}

function listedFiles(checksums: Pick<Checksums, "public" | "private">): string[] {
  return (["public", "private"] as const).flatMap((part) =>
    Object.keys(checksums[part]).map((name) => `${part}/${name}`),
  );
}

function splitPart(file: string): ["public" | "private", string] {
  const [part, ...rest] = file.split("/");
  return [part as "public" | "private", rest.join("/")];
}

function sizeOf(file: string): number | null {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : null;
}

type ParquetContent =
  | { status: "read"; checksum: string; rows: number; columns: string[] }
  | { status: "unreadable"; reason: string };

/**
 * A checksum of a Parquet file's names, types and values. Two libraries write the same table as different bytes, so
 * an md5 of the file would tell who wrote it and not what is in it.
 */
async function parquetContent(file: string): Promise<ParquetContent> {
  const opened = await openParquet(file);
  if (opened.status === "unreadable") return opened;
  const names = opened.columns.map(({ name }) => name);
  const hashes = opened.columns.map(({ name, type }) => createHash("md5").update(`${name}\n${type}\n`));
  const problem = await opened.readBatches(names, ({ columns }) => {
    for (const [i, { buffer, byteOffset, byteLength }] of columns.entries())
      hashes[i].update(new Uint8Array(buffer, byteOffset, byteLength));
  });
  if (problem) return problem;
  const whole = createHash("md5");
  for (const hash of hashes) whole.update(hash.digest());
  return { status: "read", checksum: `parquet:${whole.digest("hex")}`, rows: opened.rows, columns: names };
}
