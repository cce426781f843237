import type { Evidence } from "../../findings/schema.ts";
import type { CodeFile, Seen } from "../code-view.ts";
import { evidenceOf, finding, type Rule } from "../rule.ts";
import { plainValue, sameValue } from "../table.ts";
import { labelledInText, type TextLabel } from "./labelled-in-text.ts";

/** Fewer corrections may be a joke, or a lookup of something else. */
const MIN_ROWS = 5;

interface Label {
  row: number;
  value: string;
  seen: Seen;
}

/**
 * Test rows that the code answers by their id, and the submission says the same: `{"id17": 1, "id23": 0}`, pairs, one
 * assignment or condition for each, or one for a list of ids.
 */
export const handLabelled: Rule = (view) => {
  const submission = view.submission();
  if (submission === null || submission.header.length < 2) return null;
  const [id, ...targets] = submission.header;
  const rowOf = rowFinder(submission.column(id));
  const isRight = ({ row, value }: Label) =>
    targets.some((name) => sameValue(submission.column(name)[row], value) || name === value);
  const evidence = [...view.code, ...view.data].flatMap((file) => [
    ...file.literals.flatMap((literal) => {
      const labels = ofLiteral(literal, rowOf);
      // A map of a few classes to numbers may name rows by chance, but not with their predictions.
      const mostly = labels.length >= literal.keys.length / 2 && !countsUp(literal.keys, literal.values);
      return mostly && areTyped(labels, isRight) ? evidenceOf(file.name, [literal]) : [];
    }),
    ...oneByOne(file, rowOf, isRight, targets),
  ]);
  evidence.push(...inText(labelledInText(view, submission)));
  return finding(evidence, "serious", "Rows of the test set are answered by their id, in the code itself.");
};

/** Commands are short: all of them together answer a few rows. */
function inText(labels: readonly TextLabel[]): Evidence[] {
  const rows = new Set(labels.map(({ row }) => row)).size;
  const right = labels.filter(({ isRight }) => isRight).length;
  if (rows < MIN_ROWS || right < 0.9 * labels.length) return [];
  return [...new Map(labels.map(({ at }) => [`${at.file}:${at.line}`, at])).values()].slice(0, 20);
}

type RowFinder = (name: string) => number | undefined;

/** By the whole id, or by a number in it that no other id has: `9002` of `9002_01`. A short one is an index more often. */
function rowFinder(ids: readonly string[]): RowFinder {
  const rows = new Map(ids.map((own, row) => [own, row]));
  const parts = new Map<string, number | null>();
  for (const [row, own] of ids.entries())
    for (const part of new Set(own.match(/\d+/g)?.map(Number)))
      if (part > 999) parts.set(String(part), parts.has(String(part)) ? null : row);
  return (name) => rows.get(plainValue(name)) ?? parts.get(plainValue(name)) ?? undefined;
}

function ofLiteral(literal: CodeFile["literals"][number], rowOf: RowFinder): Label[] {
  if (literal.keys.length < MIN_ROWS) return [];
  return literal.keys.flatMap((key, i) => {
    const row = rowOf(key);
    return row === undefined ? [] : [{ row, value: plainValue(literal.values[i]), seen: literal }];
  });
}

function oneByOne(
  file: CodeFile,
  rowOf: RowFinder,
  isRight: (label: Label) => boolean,
  targets: readonly string[],
): ReturnType<typeof evidenceOf> {
  const labels = file.labels.flatMap(({ names, place, byRow, value, line, text }): Label[] => {
    if (place.length > 0 && !place.some((name) => targets.includes(name))) return [];
    const rowsToo = byRow && names.some((name) => targets.includes(name));
    return names.flatMap((name) => {
      const isIndex = /^\d{1,3}$/.test(name);
      const row = isIndex ? (rowsToo ? Number(name) : undefined) : rowOf(name);
      return row === undefined ? [] : [{ row, value: plainValue(value), seen: { line, text } }];
    });
  });
  if (!areTyped(labels, isRight)) return [];
  return evidenceOf(
    file.name,
    [...new Map(labels.map(({ seen }) => [seen.line, seen])).values()].slice(0, 20),
  );
}

function areTyped(labels: readonly Label[], isRight: (label: Label) => boolean): boolean {
  const rows = new Set(labels.map(({ row }) => row)).size;
  return rows >= MIN_ROWS && labels.filter(isRight).length >= 0.9 * labels.length;
}

/** 0, 1, 2, … to whatever: a numbering of classes. */
function countsUp(keys: readonly string[], values: readonly string[]): boolean {
  const isCounting = (texts: readonly string[]) =>
    texts.every((text, i) => Number(text) === Number(texts[0]) + i);
  return isCounting(values) || (isCounting(keys) && new Set(values).size === values.length);
}
