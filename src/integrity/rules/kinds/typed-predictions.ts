import type { Evidence } from "../../findings/schema.ts";
import type { CodeFile, Seen } from "../code-view.ts";
import { finding, type Rule } from "../rule.ts";
import { plainValue, type Texts } from "../table.ts";
import type { RuleView } from "../trial-view.ts";
import { unpacked } from "../unpacked.ts";

/** Fewer values in a row may be equal by chance. */
const MIN_VALUES = 10;
/** Bits by which a row of values must be rarer than all places where it could stand; more if other words are used. */
const SURE = { same: 12, renamed: 20 };
const MAX_HERE = 2_000_000;

/** Predictions that stand in the code as literals, in the order of the submission's column, in its words or others. */
export const typedPredictions: Rule = (view) => {
  const submission = view.submission();
  if (submission === null) return null;
  const columns = targetColumns(submission).map((name) => readable(submission.column(name)));
  const evidence: Evidence[] = [];
  const lengths = columns.map(({ cells }) => readable(stretches(cells)));
  const budget = { left: MAX_IN_ALL };
  for (const file of [...view.code, ...view.data]) {
    for (const { values, line, text } of [...writtenRows(file), ...bitsOf(file, submission.rows)]) {
      if (values.length < MIN_VALUES) continue;
      const plain = values.map(plainValue);
      if (
        columns.some((column) => holds(column, plain, budget) || isPlaces(column.cells, plain)) ||
        lengths.some((column) => holds(column, plain, budget, "as they are"))
      )
        evidence.push({ file: file.name, line, quotation: text });
    }
  }
  evidence.push(...typedLines(view, submission));
  return finding(evidence, "serious", "Predictions of the submission are written out in the code.");
};

/** Lists of values, and texts that are one: "1,0,0,1" or "TFFT". */
function writtenRows(file: CodeFile): (Seen & { values: string[] })[] {
  const lists = file.literals.filter(({ keys }) => keys.length === 0);
  const texts = [...file.strings, ...unpacked(file.strings)].flatMap(({ value, ...seen }) => {
    if (value.length < MIN_VALUES || value.length > MAX_HERE) return [];
    const parts = value.trim().split(/(?:\\n|[\s,;|])+/);
    if (parts.length >= MIN_VALUES) return [{ ...seen, values: parts }];
    const letters = [...value];
    return parts.length === 1 && new Set(letters).size <= MIN_VALUES ? [{ ...seen, values: letters }] : [];
  });
  return [...lists, ...texts];
}

/** A long number whose bits are answers, from either end. */
function bitsOf({ numbers }: CodeFile, rows: number): (Seen & { values: string[] })[] {
  return numbers.flatMap(({ value, ...seen }) => {
    if (!/^(\d+|0[xob][\da-f]+)n?$/i.test(value) || value.length > MAX_HERE / 100) return [];
    const bits = BigInt(value.replace(/n$/, "")).toString(2);
    // Noughts at the front are not written.
    const values = [...(rows - bits.length < MIN_VALUES ? bits.padStart(rows, "0") : bits)];
    return [
      { ...seen, values },
      { ...seen, values: values.toReversed() },
    ];
  });
}

/** Lines of the submission as text in code or in a command that was run: a here-document, or one string with all of them. */
function typedLines({ code, data, commands }: RuleView, submission: Texts): Evidence[] {
  const [id, ...targets] = submission.header;
  if (targets.length === 0) return [];
  const rows = new Set(
    submission
      .column(id)
      .map((own, i) => [own, ...targets.map((name) => submission.column(name)[i])].join(",")),
  );
  if (rows.size < MIN_VALUES) return [];
  const texts = [
    ...[...code, ...data].flatMap(({ name, strings, script }) =>
      [...strings, ...unpacked(strings), { line: 1, text: script, value: script }].map((one) => ({
        ...one,
        file: name,
      })),
    ),
    // What only copies or prints has no lines of its own.
    ...commands,
  ];
  return texts.flatMap(({ value, line, text, file }) => {
    if (value.length > MAX_HERE) return [];
    const hits = value
      .split(/\\n|\n/)
      .map((row) => row.split(",").map(plainValue).join(","))
      .filter((row) => rows.has(row));
    return new Set(hits).size >= MIN_VALUES ? [{ file, line, quotation: text.slice(0, 400) }] : [];
  });
}

function targetColumns({ header }: Texts): readonly string[] {
  return header.length > 1 ? header.slice(1) : header;
}

/** How many bits it takes to say these values: none for a list of zeros, which stands in any column of zeros. */
function surprise(values: readonly string[]): { same: number; renamed: number } {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const bits = [...counts.values()].reduce((sum, n) => sum - n * Math.log2(n / values.length), 0);
  // A word that is read for the first time may stand for anything.
  return { same: bits, renamed: (bits * (values.length - counts.size)) / values.length };
}

/** A column, and the words in it. */
interface Readable {
  cells: readonly string[];
  words: ReadonlySet<string>;
}

const readable = (cells: readonly string[]): Readable => ({ cells, words: new Set(cells) });

/** So that a long list of few values in a long column of them does not take minutes; nor many of them. */
const MAX_COMPARISONS = 50_000_000;
const MAX_IN_ALL = 1_000_000_000;

/** Whether the column has these values one after the other, word for word or, unless told otherwise, each word for another. */
function holds(
  { cells, words }: Readable,
  values: readonly string[],
  budget: { left: number },
  how?: "as they are",
): boolean {
  const bits = surprise(values);
  const needed = Math.log2(cells.length + 1);
  const same = bits.same - needed >= SURE.same && values.every((value) => words.has(value));
  const renamed =
    how === undefined && bits.renamed - needed >= SURE.renamed && new Set(values).size <= words.size;
  let left = Math.min(MAX_COMPARISONS, budget.left);
  for (let at = 0; (same || renamed) && left > 0 && at + values.length <= cells.length; at++) {
    const alike = same ? runOf(values, (value, i) => cells[at + i] === value) : 0;
    const like = renamed ? runOf(values, renaming(cells, at)) : 0;
    if (alike === values.length || like === values.length) return true;
    left -= alike + like + 1;
    budget.left -= alike + like + 1;
  }
  return false;
}

/** How many equal values follow one another, again and again: `3, 1, 2` of `a a a b c c`. */
function stretches(column: readonly string[]): string[] {
  const lengths: number[] = [];
  column.forEach((value, row) => {
    if (row > 0 && value === column[row - 1]) lengths[lengths.length - 1]++;
    else lengths.push(1);
  });
  return lengths.map(String);
}

/** Whether these numbers are the places of all cells with one value, counted from 0 or 1. */
function isPlaces(column: readonly string[], values: readonly string[]): boolean {
  if (values.length < MIN_VALUES || values.length > column.length / 1.2) return false;
  const places = new Set(values.map((value) => (/^\d+$/.test(value) ? Number(value) : -1)));
  if (places.size !== values.length || places.has(-1)) return false;
  return [0, 1].some((first) => {
    const value = column[Number(values[0]) - first];
    if (value === undefined || !values.every((one) => column[Number(one) - first] === value)) return false;
    return column.filter((one) => one === value).length === values.length;
  });
}

function runOf(values: readonly string[], fits: (value: string, i: number) => boolean): number {
  const end = values.findIndex((value, i) => !fits(value, i));
  return end === -1 ? values.length : end;
}

/** One word for each other word, both ways. */
function renaming(column: readonly string[], at: number): (value: string, i: number) => boolean {
  const [to, from] = [new Map<string, string>(), new Map<string, string>()];
  return (value, i) => {
    const cell = column[at + i];
    if (to.has(value) || from.has(cell)) return to.get(value) === cell && from.get(cell) === value;
    to.set(value, cell);
    from.set(cell, value);
    return true;
  };
}
