import { textColumn } from "../../table/columns/make-column.ts";
import { readJsonLines } from "../../table/json/lines.ts";
import type { JsonValue } from "../../table/json/value.ts";
import { makeTable, type TableOutcome } from "../../table/table.ts";

/**
 * The answers as a table with the submission's rows: two for each line of the file. `answers` lists the right texts
 * between blanks, spans as `start:end`; it is empty where there is no answer. Only an example's first annotation counts.
 */
export function readAnswers(path: string, part: "keys" | "all"): TableOutcome {
  const names = new Set<string>();
  const ids: string[] = [];
  const answers: string[] = [];
  for (const line of readJsonLines(path)) {
    if (!line.ok) return line;
    const example = readExample(line.value);
    if (example === null || names.has(example.id)) return malformed(line.number);
    names.add(example.id);
    ids.push(`${example.id}_long`, `${example.id}_short`);
    answers.push(example.long, example.short);
  }
  const columns = [textColumn("example_id", ids)];
  if (part === "all") columns.push(textColumn("answers", answers));
  return { ok: true, table: makeTable(["example_id", "answers"], ids.length, columns, null) };
}

function malformed(number: number): TableOutcome {
  return {
    ok: false,
    problem: {
      code: "UNREADABLE",
      row: number,
      message: `Line ${number} of the answers is not an example, or one that an earlier line has.`,
    },
  };
}

function readExample(value: JsonValue): { id: string; long: string; short: string } | null {
  const id = member(value, "example_id");
  const annotations = member(value, "annotations");
  const annotation = Array.isArray(annotations) ? annotations[0] : undefined;
  const long = readSpan(member(annotation, "long_answer"));
  const shorts = member(annotation, "short_answers");
  const yesNo = member(annotation, "yes_no_answer");
  if (typeof id !== "string" || typeof yesNo !== "string" || !Array.isArray(shorts) || !long) return null;
  const spans = shorts.map(readSpan);
  if (spans.includes(null)) return null;
  const short = yesNo === "NONE" ? spans : [...spans, yesNo];
  return { id, long: long.startsWith("-1:") ? "" : long, short: short.join(" ") };
}

function readSpan(value: JsonValue | undefined): string | null {
  const start = member(value, "start_token");
  const end = member(value, "end_token");
  return typeof start === "bigint" && typeof end === "bigint" ? `${start}:${end}` : null;
}

function member(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return value instanceof Map ? value.get(key) : undefined;
}
