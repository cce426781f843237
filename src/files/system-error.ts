import fs from "node:fs";
import path from "node:path";

/** Where the file system said no: not a bug of ours, and somebody can act on it. */
export interface SystemRefusal {
  code: "DISK_FULL" | "TOO_MANY_FILES" | "NOT_WRITABLE" | "NOT_READABLE";
  message: string;
  nextStep: string;
  /** `host`: the machine lacks something; `user`: the place that was named cannot be used. */
  blame: "host" | "user";
}

const FULL = new Set(["ENOSPC", "EDQUOT"]);
const TOO_MANY = new Set(["EMFILE", "ENFILE"]);
const READING = new Set(["read", "scandir", "opendir", "stat", "lstat", "readlink", "realpath", "access"]);
/** What only one who means to write is told when a file is opened. */
const OPENED_TO_WRITE = new Set(["EROFS", "EISDIR", "ETXTBSY", "EEXIST", "EPERM"]);
/** How files are called until they are whole; they are renamed then. */
const DRAFT = /\.\d+\.tmp$/;
/** These say nothing about the place, and are ours to mend. */
const OURS = new Set(["EBADF", "EINVAL", "EPIPE", "EAGAIN"]);

/** The machine lacks something for the moment, room or descriptors: nothing that was named is wrong. */
export function isShortage(error: unknown): boolean {
  const { code = "" } = (error ?? {}) as NodeJS.ErrnoException;
  return FULL.has(code) || TOO_MANY.has(code);
}

/** Descriptors alone: they come back when others close their files. */
export function isOutOfFiles(error: unknown): boolean {
  return TOO_MANY.has(((error ?? {}) as NodeJS.ErrnoException).code ?? "");
}

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
  if (TOO_MANY.has(code))
    return {
      code: "TOO_MANY_FILES",
      message: `No more files can be opened: ${error.message}.`,
      nextStep: "raise the limit (ulimit -n 65536), or do less at a time, and run the same command again",
      blame: "host",
    };
  if (place === undefined || OURS.has(code)) return null;
  const reading = wasReading(code, syscall, place);
  const where = (reading ? place : (dest ?? place)).replace(DRAFT, "");
  return {
    code: reading ? "NOT_READABLE" : "NOT_WRITABLE",
    message: `${where} cannot be ${reading ? "read" : "written"}: ${error.message}.`,
    nextStep: "choose another place, or mend its permissions",
    blame: "user",
  };
}

/**
 * An error does not say what a file was opened for, so the place is asked: who fails where a file could be read meant to
 * write, and who fails where one could be made meant to read.
 */
function wasReading(code: string, syscall: string, place: string): boolean {
  if (READING.has(syscall)) return true;
  // Copying and the like name what they read first.
  if (["copyfile", "cp", "link", "rename"].includes(syscall)) return code === "ENOENT" && !exists(place);
  if (syscall !== "open" || OPENED_TO_WRITE.has(code) || DRAFT.test(place)) return false;
  if (code === "EACCES") return exists(place) && !isReadable(place);
  return code !== "ENOENT" || isFolder(path.dirname(place));
}

function exists(place: string): boolean {
  return fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined;
}

function isReadable(place: string): boolean {
  try {
    fs.accessSync(place, fs.constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function isFolder(place: string): boolean {
  return fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
