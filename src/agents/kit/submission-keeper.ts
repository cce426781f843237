import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { type ValidationReply, validateSubmission } from "./validate-client.ts";

/** What the keeper found at the submission's place. */
export type KeptOutcome =
  | { status: "none" }
  | { status: "unchanged" }
  | { status: "kept"; result: string }
  | { status: "restored"; result: string }
  | { status: "invalid"; result: string }
  | { status: "unchecked"; message: string };

export interface SubmissionKeeper {
  /** Looks at the file after every step: a valid one is copied aside, an invalid one is replaced by the last valid one. */
  look(): Promise<KeptOutcome>;
  hasValid(): boolean;
}

/** A valid submission is never lost to an invalid one that a model writes over it. */
export function submissionKeeper(
  submissionFolder: string,
  validateUrl: string,
  asideFolder: string,
): SubmissionKeeper {
  const target = path.join(submissionFolder, "submission.csv");
  const aside = path.join(asideFolder, "last-valid-submission.csv");
  let lastDigest: string | null = null;
  let valid = false;
  return {
    hasValid: () => valid,
    async look() {
      try {
        return await compare();
      } catch (error) {
        // A full disk, or a folder in the file's place: what stands there stands there, and the work goes on.
        return { status: "unchecked", message: (error as Error).message };
      }
    },
  };

  async function compare(): Promise<KeptOutcome> {
    const digest = digestOf(target);
    if (digest === null && !valid) return { status: "none" };
    if (digest !== null && digest === lastDigest) return { status: "unchanged" };
    const reply: ValidationReply =
      digest === null
        ? { status: "answered", isValid: false, result: "The file is gone." }
        : await validateSubmission(validateUrl, target);
    if (reply.status !== "answered") return { status: "unchecked", message: reply.message };
    if (reply.isValid) {
      replaceFile(target, aside);
      valid = true;
      lastDigest = digest;
      return { status: "kept", result: reply.result };
    }
    if (!valid) {
      lastDigest = digest;
      return { status: "invalid", result: reply.result };
    }
    replaceFile(aside, target);
    lastDigest = digestOf(target);
    return { status: "restored", result: reply.result };
  }
}

/** Null where there is no plain file. Read in pieces: a submission may be larger than memory. */
function digestOf(file: string): string | null {
  try {
    if (!fs.lstatSync(file).isFile()) return null;
    const handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
    try {
      const hash = createHash("sha256");
      const piece = Buffer.alloc(1 << 20);
      for (let read = fs.readSync(handle, piece); read > 0; read = fs.readSync(handle, piece))
        hash.update(piece.subarray(0, read));
      return hash.digest("hex");
    } finally {
      fs.closeSync(handle);
    }
  } catch {
    return null;
  }
}

function replaceFile(from: string, to: string): void {
  const fresh = path.join(path.dirname(to), `.${path.basename(to)}.new`);
  makeFolder(path.dirname(to));
  fs.copyFileSync(from, fresh);
  if (fs.lstatSync(to, { throwIfNoEntry: false })?.isDirectory()) fs.rmSync(to, { recursive: true });
  fs.renameSync(fresh, to);
}
