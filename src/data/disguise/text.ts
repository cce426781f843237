import { ALWAYS, GIVEAWAYS } from "./words.ts";

export interface TextRules {
  /** What must not be found afterwards, longest first. */
  words: string[];
  /** From the data's column names to those the agent sees. */
  columns: ReadonlyMap<string, string>;
  /** From the data's names of files and folders to those the agent sees. */
  files: ReadonlyMap<string, string>;
}

/** What is removed for a competition: its id, its title, and what names its host or its origin. */
export function wordsOf(id: string, title: string): string[] {
  const parts = title.split(/\s[-–:]\s|:\s/).filter((part) => part.trim().split(/\s+/).length > 1);
  const all = [id, title, ...parts, ...(GIVEAWAYS[id] ?? []), ...ALWAYS];
  return [...new Set(all.map((word) => word.trim()).filter((word) => word.length > 2))].sort(
    (a, b) => b.length - a.length || (a < b ? -1 : 1),
  );
}

const TITLE = "# A prediction task";
/** Sections that say who asks and what is to be won, not what is to be done. */
const ASIDES =
  /^#{1,6}\s*(prizes?|acknowledge?ments?|timeline|citation|about|sponsors?|host(ed by)?|people|awards?)\b.*$/i;
const PRIZE = /[^.\n]*\bprizes?\b[^.\n]*\.?/gi;
const ADDRESS = /\b(?:https?:\/\/|www\.)\S+/gi;

/** The task's text without who, where and for how much. What the files and columns are called follows the data. */
export function disguiseText(text: string, { words, columns, files }: TextRules): string {
  const withoutAddresses = dropAsides(text).replace(ADDRESS, "(an address)");
  const plain = rename(withoutAddresses, files, [...files.keys()])
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((part, i) =>
      i % 2 === 1
        ? renameColumns(part, columns, () => true)
        : renameColumns(part.replace(PRIZE, ""), columns, isDistinctive),
    )
    .join("");
  return removeWords(plain, words).replace(/^# .*$/m, TITLE);
}

function dropAsides(text: string): string {
  const kept: string[] = [];
  let aside = 0;
  for (const line of text.split("\n")) {
    const level = /^(#{1,6})\s/.exec(line)?.[1].length ?? 0;
    if (level > 0 && (aside === 0 || level <= aside)) aside = ASIDES.test(line) ? level : 0;
    if (aside === 0) kept.push(line);
  }
  return kept.join("\n");
}

/** Every word, whatever its case and wherever a line breaks in it, becomes something that says nothing. */
function removeWords(text: string, words: readonly string[]): string {
  return words.reduce(
    (all, word) =>
      all.replace(wordPattern(word), (found) => (found.includes("\n") ? "this source\n" : "this source")),
    text,
  );
}

/** A word of the source as names of files have it: `nybg2020`, `source_1`. */
export function tellingPart(words: readonly string[]): RegExp {
  const spelled = words.map((word) => word.split(/\s+/).map(escaped).join("[\\s_-]*")).join("|");
  return new RegExp(`(?<!\\p{L})(?:${spelled})(?!\\p{L})`, "giu");
}

export function wordPattern(word: string): RegExp {
  return anyWord([word]);
}

/** Longest first, or a part would hide the whole. */
export function anyWord(words: readonly string[]): RegExp {
  const spelled = words.map(spelling).join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${spelled})(?:'s)?(?![\\p{L}\\p{N}])`, "giu");
}

function spelling(word: string): string {
  return word.split(/\s+/).map(escaped).join("\\s+");
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Words of the language must not be taken for a column outside of code. */
function isDistinctive(name: string): boolean {
  return /_|[a-z][A-Z]|\d/.test(name);
}

function renameColumns(
  text: string,
  columns: ReadonlyMap<string, string>,
  wanted: (name: string) => boolean,
): string {
  return rename(text, columns, [...columns.keys()].filter(wanted));
}

/** Longest first, or a part would hide the whole. */
function rename(text: string, shown: ReadonlyMap<string, string>, names: string[]): string {
  if (names.length === 0) return text;
  const pattern = names
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join("|");
  return text.replace(
    new RegExp(`(?<![\\w-])(?:${pattern})(?![\\w-])`, "g"),
    (name) => shown.get(name) ?? name,
  );
}
