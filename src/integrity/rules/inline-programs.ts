import { documentWord, lastPlaces, shellWords } from "./shell-commands.ts";

/** A program, or a file of data, that stands inside a shell's line. */
export interface InlineProgram {
  /** A name whose ending says the language. */
  name: string;
  text: string;
  /** Lines of the shell's text before its first one. */
  above: number;
}

const RUNNERS: readonly [RegExp, string][] = [
  [/^(python[\d.]*|pypy\d?|ipython)$/, ".py"],
  [/^(node|nodejs|bun|deno)$/, ".mjs"],
  [/^(Rscript|R)$/, ".r"],
];

const endingOf = (program: string) =>
  RUNNERS.find(([name]) => name.test(program.split("/").at(-1) ?? ""))?.[1] ?? null;

/** `python3 - <<EOF …`, `cat > x.py <<EOF …`, `python3 -c "…"`: what they run or write. */
export function inlinePrograms(shell: string): InlineProgram[] {
  return [...documents(shell), ...options(shell)];
}

/** What stands behind `<<EOF`, up to that word; where that never comes, up to the end, and whatever begins there as well. */
function documents(shell: string): InlineProgram[] {
  const lines = shell.split("\n");
  const last = lastPlaces(lines);
  const found: InlineProgram[] = [];
  let isOpen = false;
  for (let i = 0; i < lines.length; i++) {
    const word = documentWord(lines[i]);
    if (word === null) continue;
    const name = documentName(lines[i]);
    const ends = (last.get(word) ?? 0) > i;
    // The rest of the text once is enough.
    if (!ends && (isOpen || name === null)) continue;
    isOpen ||= !ends;
    let end = i + 1;
    while (end < lines.length && (!ends || lines[end].trim() !== word)) end++;
    if (name !== null) found.push({ name, text: lines.slice(i + 1, end).join("\n"), above: i + 1 });
    if (ends) i = end;
  }
  return found;
}

function documentName(line: string): string | null {
  const file = /(?:>{1,2}|\btee\s+(?:-a\s+)?)\s*["']?([\w./~${}-]+\.\w+)/.exec(line)?.[1];
  if (file !== undefined) return file.split("/").at(-1) ?? file;
  for (const word of shellWords(line.slice(0, line.indexOf("<<")))) {
    const ending = endingOf(word);
    if (ending !== null) return `here${ending}`;
  }
  return null;
}

/** `python3 -c "…"`, `node -e '…'`. */
function options(shell: string): InlineProgram[] {
  const found: InlineProgram[] = [];
  const quoted =
    /(?<![\w./-])([\w./-]+)((?:\s+-\w+){0,5}?)\s+(?:-\w*[ce]|--eval)\s+("(?:[^"\\]|\\.)*"|'[^']*')/g;
  let [above, counted] = [0, 0];
  for (const match of shell.matchAll(quoted)) {
    for (; counted < match.index; counted++) if (shell[counted] === "\n") above++;
    const ending = endingOf(match[1]);
    if (ending === null) continue;
    const inner = match[3].slice(1, -1);
    const text = match[3].startsWith('"') ? inner.replace(/\\(["\\$`])/g, "$1") : inner;
    found.push({ name: `here${ending}`, text, above });
  }
  return found;
}
