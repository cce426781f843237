import type { PrepareProblem } from "../../competitions/preparer.ts";
import type { CompetitionPaths } from "../place/competition-paths.ts";
import type { PrepareFailure } from "./outcome.ts";

const BLAME = {
  RAW_FILE_MISSING: "task",
  RAW_MALFORMED: "task",
  RAW_ARCHIVE: "task",
  SPLIT_IMPOSSIBLE: "task",
  BAD_SETTING: "user",
  NO_SUCH_VERSION: "user",
  DISK_FULL: "host",
  HOST_FAILED: "host",
} as const satisfies Record<PrepareProblem["code"], PrepareFailure["blame"]>;

/** A preparer's problem with the raw data, as an outcome that also says where that raw data lies and what it should be. */
export function preparerFailure(
  { code, message, next }: PrepareProblem,
  raw: { readonly folder: string; readonly given: string | null; readonly page: string | null },
  paths: CompetitionPaths,
): PrepareFailure {
  const blame = BLAME[code];
  const fetched =
    raw.folder === paths.raw
      ? ` To start over, delete ${paths.raw} and run the same command again.`
      : ` It was looked for in ${raw.given ?? raw.folder}`;
  const compare = raw.page === null ? "" : `\nWhat it should hold: ${raw.page}`;
  const nextStep = blame === "task" ? `${next}${fetched}${compare}` : next;
  return { stage: "prepare", code, message, nextStep, blame, retryable: blame === "host" };
}

/** A failed system call outside of the preparer: the data folder cannot be written, the disk is full. Null for bugs. */
export function systemFailure(error: unknown): PrepareFailure | null {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return null;
  const full = error.code === "ENOSPC" || error.code === "EDQUOT";
  return {
    stage: "place",
    code: full ? "DISK_FULL" : "HOST_FAILED",
    message: full ? "The disk of the data folder is full." : `The file system refused: ${error.message}.`,
    nextStep: full
      ? "Free some space or choose another folder with --data-dir, then run the same command again."
      : "Check the permissions of the data folder, or choose another one with --data-dir.",
    blame: "host",
    retryable: full,
  };
}
