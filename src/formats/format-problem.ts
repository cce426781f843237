/** A file that breaks its own format, or that uses a part of it we do not read. `reason` reads on from the file's name. */
export type FormatProblem = { status: "unreadable"; file: string; reason: string };

export function unreadable(file: string, reason: string): FormatProblem {
  return { status: "unreadable", file, reason };
}
