import { createHash } from "node:crypto";
import fs from "node:fs";
import type { ColumnChoice, Grader } from "../competitions/grader.ts";
import type { CsvLimits } from "../table/csv/layout.ts";
import { readCsvFile } from "../table/csv/reader.ts";
import type { TableOutcome } from "../table/table.ts";

/** Of the answers, all that is graded by, or only their ids and layout. */
export type AnswersPart = "keys" | "all";

/** Where the private truth comes from. */
export interface Answers {
  read(grader: Grader, file: string, part: AnswersPart): TableOutcome;
  /** In hexadecimal digits. */
  md5(file: string): string;
}

export const answersOnDisk: Answers = {
  read(grader, file, part) {
    if (grader.readAnswers) return grader.readAnswers(file, part);
    return readColumns(file, part === "keys" ? [grader.keys] : [grader.keys, grader.values]);
  },
  md5: (file) => createHash("md5").update(fs.readFileSync(file)).digest("hex"),
};

/**
 * Remembers the answers that were asked for last, for a process that grades one submission of a competition after the
 * other. A file that was changed is read again. `onRead` hears of each time that the disk is asked.
 */
export function rememberedAnswers(onRead: () => void): Answers {
  let last = { grader: null as Grader | null, part: "", stamp: "", table: null as TableOutcome | null };
  let digest = { stamp: "", md5: "" };
  return {
    read(grader, file, part) {
      const stamp = stampOf(file);
      if (
        stamp !== null &&
        last.table &&
        last.grader === grader &&
        last.part === part &&
        last.stamp === stamp
      )
        return last.table;
      // Two of them need not fit into memory.
      last = { grader: null, part: "", stamp: "", table: null };
      onRead();
      const table = answersOnDisk.read(grader, file, part);
      if (stamp !== null && stamp === stampOf(file)) last = { grader, part, stamp, table };
      return table;
    },
    md5(file) {
      const stamp = stampOf(file);
      if (stamp === null || digest.stamp !== stamp)
        digest = { stamp: stamp ?? "", md5: answersOnDisk.md5(file) };
      return digest.md5;
    },
  };
}

function stampOf(file: string): string | null {
  const stats = fs.statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : [file, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(" ");
}

/** The columns that are chosen, by name or by what the header offers. */
export function readColumns(path: string, choices: ColumnChoice[], limits?: CsvLimits): TableOutcome {
  const columns = (header: readonly string[]) =>
    choices.flatMap((choice) => [...(typeof choice === "function" ? choice(header) : choice)]);
  return readCsvFile(path, limits ? { columns, limits } : { columns });
}
