/** What each refusal means to the reader: whose fault it is, whether trying again can help, and the next step. */
const kinds = {
  NOT_FOUND: { blame: "user", retryable: false, next: "Check the path." },
  NOT_AN_ARCHIVE: {
    blame: "user",
    retryable: false,
    next: "Give a .zip, .7z, .tar or .tar.gz file; if this one was downloaded, it may be an error page: download it again.",
  },
  UNSAFE_PATH: {
    blame: "task",
    retryable: false,
    next: "Do not use this file; get the archive from its source again.",
  },
  LINK: {
    blame: "task",
    retryable: false,
    next: "Do not use this file; get the archive from its source again.",
  },
  DUPLICATE: {
    blame: "task",
    retryable: false,
    next: "Do not use this file; get the archive from its source again.",
  },
  OVERLAP: {
    blame: "task",
    retryable: false,
    next: "Do not use this file; get the archive from its source again.",
  },
  TOO_LARGE: { blame: "task", retryable: false, next: "If you trust the archive, raise the size limit." },
  TOO_MANY_ENTRIES: {
    blame: "task",
    retryable: false,
    next: "If you trust the archive, raise the entry limit.",
  },
  SUSPICIOUS_RATIO: {
    blame: "task",
    retryable: false,
    next: "If you trust the archive, raise the ratio limit.",
  },
  TRUNCATED: { blame: "task", retryable: true, next: "Download it again." },
  DAMAGED: { blame: "task", retryable: true, next: "Download it again." },
  CHECKSUM: { blame: "task", retryable: true, next: "Download it again." },
  ENCRYPTED: {
    blame: "task",
    retryable: false,
    next: "Unpack it yourself with its password and give the folder.",
  },
  UNSUPPORTED: { blame: "task", retryable: false, next: "Unpack it with another tool and give the folder." },
  NO_SUCH_ENTRY: {
    blame: "task",
    retryable: false,
    next: "Check that this is the archive of the right competition.",
  },
  TARGET_CONFLICT: { blame: "user", retryable: false, next: "Move that path away or choose another folder." },
  TOOL_MISSING: { blame: "host", retryable: false, next: "Install it: npm install 7z-wasm@1.2.0" },
  DISK_FULL: { blame: "host", retryable: true, next: "Free some space and run it again." },
  HOST_FAILED: { blame: "host", retryable: true, next: "Check permissions and the disk, then run it again." },
  INTERRUPTED: { blame: "user", retryable: true, next: "Run it again to start over." },
} as const;

export type ArchiveProblemCode = keyof typeof kinds;

/** Why an archive was not read or not extracted. `message` says both: what is wrong, and what to do next. */
export type ArchiveProblem = {
  status: "refused";
  code: ArchiveProblemCode;
  /** The entry at fault, as the archive spells it, or null when the archive as a whole is. */
  entry: string | null;
  blame: "task" | "host" | "user";
  retryable: boolean;
  problem: string;
  next: string;
  message: string;
};

/** Builds a refusal; `cause` reads on from the archive's or the entry's name ("leaves the target folder"). */
export function refuse(
  code: ArchiveProblemCode,
  archive: string,
  entry: string | null,
  cause: string,
): ArchiveProblem {
  const { blame, retryable, next } = kinds[code];
  const subject = entry === null ? archive : `${archive}: entry ${quoteEntry(entry)}`;
  const problem = `${subject} ${cause}.`;
  return { status: "refused", code, entry, blame, retryable, problem, next, message: `${problem} ${next}` };
}

/**
 * A failed system call as a refusal, or null when the error is not a system call's and therefore a bug to rethrow.
 * EEXIST and its kin mean, in a folder that was fresh, that two entries claim one path.
 */
export function refuseSystemError(
  error: unknown,
  archive: string,
  entry: string | null,
): ArchiveProblem | null {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return null;
  switch (error.code) {
    case "ENOSPC":
    case "EDQUOT":
      return refuse("DISK_FULL", archive, entry, "does not fit on the disk");
    case "EEXIST":
    case "ENOTDIR":
    case "EISDIR":
      return refuse("DUPLICATE", archive, entry, "claims a path that another entry has");
    case "ENAMETOOLONG":
      return refuse("UNSAFE_PATH", archive, entry, "has a name too long for this file system");
    default:
      return refuse("HOST_FAILED", archive, entry, `could not be handled (${error.message})`);
  }
}

// JSON escapes control characters, so that a name cannot steer the terminal it is printed on.
function quoteEntry(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 117)}...` : name);
}
