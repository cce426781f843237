import path from "node:path";
import { type CodeFile, emptyView } from "./code-view.ts";
import type { LogCommand } from "./log-commands.ts";
import { shellCommands, withoutDocuments } from "./shell-commands.ts";
import { MAX_ELEMENTS, short } from "./written-values.ts";

const TABLE = /\.(csv|tsv|json|jsonl|ndjson|txt|ya?ml|dat|lst|tab)$/i;

const MAX_TABLES = 100;

/** A file of data as if a program had it in itself: lists, tables with keys, and its text. */
export function viewData(name: string, text: string): CodeFile | null {
  const plain = text.trim();
  if (plain === "") return null;
  const quoted = short(plain);
  const view = { ...emptyView(name), strings: [{ line: 1, text: quoted, value: plain }] };
  const add = (values: readonly unknown[], keys: readonly string[] = []) => {
    if (values.length > 0 && values.length <= MAX_ELEMENTS && values.every(isPlain))
      view.literals.push({ line: 1, text: quoted, values: values.map(String), keys: [...keys] });
  };
  if (/^[{[]/.test(plain)) addJson(plain, add);
  else addLines(plain, add);
  return view;
}

const isPlain = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);

type Add = (values: readonly unknown[], keys?: readonly string[]) => void;

function addJson(text: string, add: Add): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  // {"answers": {…}} has them one level below.
  const inside = typeof value === "object" && value !== null ? Object.values(value) : [];
  for (const one of [value, ...inside.slice(0, 100)]) {
    if (Array.isArray(one)) {
      add(one);
      const pairs = one.filter((pair): pair is unknown[] => Array.isArray(pair) && pair.length === 2);
      if (pairs.length === one.length)
        add(
          pairs.map((pair) => pair[1]),
          pairs.map((pair) => String(pair[0])),
        );
    } else if (typeof one === "object" && one !== null) add(Object.values(one), Object.keys(one));
  }
}

/** A value in each line, or an id and the last of its cells. */
function addLines(text: string, add: Add): void {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const cells = lines.map((line) =>
    line.split(/[,;\t]|:\s/).map((cell) => cell.trim().replace(/^(["'])(.*)\1$/, "$2")),
  );
  if (cells.every((row) => row.length === 1)) add(cells.map(([one]) => one));
  else if (cells.every((row) => row.length > 1))
    add(
      cells.map((row) => row[row.length - 1]),
      cells.map(([key]) => key),
    );
}

/**
 * Files of data beside the code that its programs read and that none of them, and no command, can have written: somebody
 * wrote them by hand. Where that is in doubt they are left out.
 */
export function viewSideTables(
  names: readonly string[],
  code: readonly CodeFile[],
  commands: readonly LogCommand[],
  read: (name: string) => string | null,
): CodeFile[] {
  const tables = names.filter((name) => TABLE.test(name)).slice(0, MAX_TABLES);
  return tables.flatMap((name) => {
    const base = path.posix.basename(name);
    if (!isOnlyRead(base, code, commands)) return [];
    const text = read(name);
    const view = text === null ? null : viewData(name, text);
    return view === null ? [] : [view];
  });
}

const READS =
  /(^|[._])(read|load|loads|open|fread|scan|genfromtxt|loadtxt|reader|DictReader|read\w*)$|readFile|\bread[._]/;
const WRITE_MODE = /["'][rb+]*[wax][b+t]*["']/;

function isOnlyRead(base: string, code: readonly CodeFile[], commands: readonly LogCommand[]): boolean {
  let isRead = false;
  for (const file of code) {
    const mentions = mentionsOf(base, file);
    if (mentions === "many") return false;
    if (mentions.length === 0) continue;
    // Also calls around the one that opens it: `json.load(open("x.json"))`.
    for (const { callee, text } of file.calls) {
      if (!mentions.some((mention) => mention.test(text))) continue;
      const reads = READS.test(callee) && !WRITE_MODE.test(text);
      if (!reads && (WRITE_MODE.test(text) || /write|save|dump|to_|export|copy|move|rename/i.test(callee)))
        return false;
      isRead ||= reads;
    }
    if (file.shell.some(({ value }) => mayWrite(value, base))) return false;
  }
  return isRead && !commands.some(({ value }) => mayWrite(withoutDocuments(value), base));
}

/** How a program names the file: by its name, or by a constant; "many" where a name with gaps in it fits. */
function mentionsOf(base: string, { strings, constants }: CodeFile): RegExp[] | "many" {
  const fits = (value: string) => value.endsWith(base) && path.posix.basename(value) === base;
  if (strings.some(({ value }) => value.length <= MAX_NAME && /[{%]/.test(value) && fitsGaps(value, base)))
    return "many";
  if (!strings.some(({ value }) => fits(value))) return [];
  const names = constants.filter(({ value }) => fits(value)).map(({ name }) => name);
  return [new RegExp(escaped(base)), ...names.map((name) => new RegExp(`\\b${escaped(name)}\\b`))];
}

const MAX_NAME = 400;

/** Whether `preds_{fold}.csv` may be this name. */
function fitsGaps(value: string, base: string): boolean {
  const parts = path.posix.basename(value).split(/\$?\{[^{}]*\}|%\d*[sd]/);
  if (parts.length === 1) return false;
  const [first, last] = [parts[0], parts[parts.length - 1]];
  if (!base.startsWith(first) || !base.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = base.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at + last.length <= base.length;
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/** Whether a command may have made a file of this name; looking at it does not. */
function mayWrite(shell: string, base: string): boolean {
  return (
    shellCommands(shell).some(
      ({ program, text }) =>
        text.includes(base) && !/^(cat|head|tail|less|wc|ls|grep|sort|diff|file|cut)$/.test(program),
    ) || new RegExp(`>\\s*\\S*${escaped(base)}`).test(shell)
  );
}
