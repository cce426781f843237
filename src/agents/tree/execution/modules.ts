import type { Language } from "./language.ts";

/** One file of a program. */
export interface ModuleFile {
  name: string;
  text: string;
}

const MARK = /^[ \t]{0,8}(?:#|\/\/)[ \t]{0,8}file:[ \t]{0,8}([\w.-]{1,100})[ \t]{0,8}$/i;

export const fileMark = ({ name }: Language, module: string) =>
  name === "python" ? `# file: ${module}.py` : `// file: ${module}.cjs`;

/**
 * A program of several files is one text with a line such as `# file: features.py` before each. What is run is the last of
 * them, `main`, or what stands before the first mark; the others lie beside it.
 */
export function splitModules(code: string): { main: string; others: ModuleFile[] } {
  const files: { name: string | null; lines: string[] }[] = [{ name: null, lines: [] }];
  for (const line of code.split("\n")) {
    const name = MARK.exec(line)?.[1];
    if (name === undefined) files.at(-1)!.lines.push(line);
    else files.push({ name, lines: [] });
  }
  const [before, ...named] = files;
  if (named.length === 0) return { main: code, others: [] };
  const hasMain = before.lines.some((line) => line.trim() !== "");
  const main = hasMain ? before : named.at(-1)!;
  const others = named
    .filter((file) => file !== main)
    .map(({ name, lines }) => ({ name: name!, text: `${lines.join("\n").trimEnd()}\n` }));
  return { main: `${main.lines.join("\n").trimEnd()}\n`, others };
}
