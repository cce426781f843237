/** Where the file system said no: not a bug of ours, and somebody can act on it. */
export interface SystemRefusal {
  code: "DISK_FULL" | "NOT_WRITABLE" | "NOT_READABLE";
  message: string;
  nextStep: string;
  /** `host`: the machine lacks something; `user`: the place that was named cannot be used. */
  blame: "host" | "user";
}

const FULL = new Set(["ENOSPC", "EDQUOT", "EMFILE", "ENFILE"]);
const READING = new Set(["open", "read", "scandir", "stat", "lstat", "readlink", "realpath"]);
/** These say nothing about the place, and are ours to mend. */
const OURS = new Set(["EBADF", "EINVAL", "EPIPE", "EAGAIN"]);

/** A failed system call on a file or folder as something a person can act on; null for everything else. */
export function systemRefusal(error: unknown): SystemRefusal | null {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return null;
  const { code = "", syscall = "", path: place, dest } = error as NodeJS.ErrnoException & { dest?: string };
  if (FULL.has(code))
    return {
      code: "DISK_FULL",
      message: `The system has no more room: ${error.message}.`,
      nextStep: "free some space, or choose another folder, and run the same command again",
      blame: "host",
    };
  const where = dest ?? place;
  if (where === undefined || OURS.has(code)) return null;
  const reading = READING.has(syscall) && (code !== "EACCES" || syscall !== "open");
  return {
    code: reading ? "NOT_READABLE" : "NOT_WRITABLE",
    message: `${where} cannot be ${reading ? "read" : "written"}: ${error.message}.`,
    nextStep: "choose another place, or mend its permissions",
    blame: "user",
  };
}
