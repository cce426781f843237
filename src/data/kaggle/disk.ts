import fs from "node:fs";
import { sizeText } from "../../wording/sizes.ts";
import { type KaggleProblem, kaggleProblem } from "./messages.ts";

/** A failed file operation as a problem; anything that is not a system call's error is a bug and thrown on. */
export function diskProblem(error: unknown, competition: string | null, folder: string): KaggleProblem {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) throw error;
  if (error.code === "ENOSPC" || error.code === "EDQUOT") {
    return kaggleProblem("DISK_FULL", competition, `the disk of ${folder} is full`);
  }
  return kaggleProblem("DISK_FAILED", competition, `${folder} cannot be written (${String(error.code)})`);
}

/** Whether so many bytes fit, asked before the first of them is fetched; null if they do, or if nobody can tell. */
export function lacksSpace(competition: string | null, folder: string, bytes: number): KaggleProblem | null {
  let free: number;
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    free = bavail * bsize;
  } catch {
    return null;
  }
  if (bytes <= free) return null;
  const cause = `${sizeText(bytes)} are still to come and ${folder} has ${sizeText(free)} free`;
  return kaggleProblem("DISK_FULL", competition, cause);
}
