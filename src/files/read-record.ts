import type { z } from "zod";
import { isNotPlain, MAX_RECORD_BYTES, readPlainText } from "./plain-file.ts";

/**
 * What became of reading a record. `absent`: there is none. `unreadable`: there is something, and `why` says what is
 * wrong with it. `newer`: a later mlebench wrote it, `writer` says which. Fields that we do not know do not matter.
 */
export type ReadRecord<T> =
  | { status: "absent" }
  | { status: "unreadable"; why: string }
  | { status: "newer"; writer: string }
  | { status: "read"; record: T };

export interface RecordKind<T> {
  /** As in `mlebench/trial`. */
  schema: string;
  /** The newest version we write. */
  version: number;
  shape: z.ZodType<T>;
  /** For records that may be larger than most. */
  maxBytes?: number;
  /** From the version of the key to the next one; a version without a way to ours is refused with a sentence. */
  migrations?: Readonly<Record<number, (record: Record<string, unknown>) => Record<string, unknown>>>;
}

export function readRecord<T>(file: string, kind: RecordKind<T>): ReadRecord<T> {
  let text: string;
  try {
    text = readPlainText(file, { maxBytes: kind.maxBytes ?? MAX_RECORD_BYTES });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { status: "absent" };
    if (isNotPlain(error)) return { status: "unreadable", why: message };
    return { status: "unreadable", why: `it cannot be opened (${code})` };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { status: "unreadable", why: "it is not JSON" };
  }
  return understandRecord(value, kind);
}

/** The same for what has been read already. */
export function understandRecord<T>(value: unknown, kind: RecordKind<T>): ReadRecord<T> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { status: "unreadable", why: "it is not a record" };
  let record = value as Record<string, unknown>;
  const { schema, version } = record;
  if (schema !== kind.schema) return { status: "unreadable", why: `it is not a ${kind.schema}` };
  if (typeof version !== "number" || !Number.isInteger(version) || version < 1)
    return { status: "unreadable", why: "it does not say which version it is of" };
  if (version > kind.version) return { status: "newer", writer: writerText(record, kind) };
  for (let from = version; from < kind.version; from++) {
    const migrate = kind.migrations?.[from];
    if (migrate === undefined)
      return {
        status: "unreadable",
        why: `version ${from} of ${kind.schema} is no longer understood; an earlier mlebench reads it`,
      };
    record = { ...migrate(record), version: from + 1 };
  }
  const parsed = kind.shape.safeParse(record);
  if (parsed.success) return { status: "read", record: parsed.data };
  const [issue] = parsed.error.issues;
  return { status: "unreadable", why: `${issue.path.join(".") || "top level"}: ${issue.message}` };
}

function writerText(
  { version, mlebenchVersion }: Record<string, unknown>,
  { schema, version: ours }: RecordKind<unknown>,
): string {
  const writer =
    typeof mlebenchVersion === "string" ? `mlebench ${mlebenchVersion.slice(0, 40)}` : "a later mlebench";
  return `${writer} wrote it, in version ${version} of ${schema}; this one reads up to version ${ours}`;
}

/** The record, or null when there is none that can be used: for those who treat all of that alike. */
export function recordOrNull<T>(read: ReadRecord<T>): T | null {
  return read.status === "read" ? read.record : null;
}

/** Why a record cannot be used, as the end of a sentence; null when it can. */
export function readingProblem(read: ReadRecord<unknown>): string | null {
  switch (read.status) {
    case "read":
      return null;
    case "absent":
      return "it is missing";
    case "unreadable":
      return read.why;
    case "newer":
      return read.writer;
  }
}
