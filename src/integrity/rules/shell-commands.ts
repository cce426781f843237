/** One simple command of a shell line: its program and the words behind it. */
export interface ShellCommand {
  program: string;
  words: string[];
  text: string;
}

/** Programs that only start another one. */
const BEFORE =
  /^(sudo|env|nohup|nice|time|timeout|exec|command|xargs|stdbuf|do|then|else|if|while|!|\d+[smh]?|-\w+|\w+=\S*)$/;

/** The simple commands of a line, also those inside of `bash -c "…"`. Quotes are undone; nothing is expanded. */
export function shellCommands(line: string): ShellCommand[] {
  const inner = [...line.matchAll(/\b(?:ba|z|da)?sh\s+-\w*c\s+(["'])(.*?)\1/gs)].map((match) => match[2]);
  return [line, ...inner].flatMap((text) =>
    text.split(/[;&|\n]+|\$\(|`|\(/).flatMap((part) => {
      const words = shellWords(part);
      const first = words.findIndex((word) => !BEFORE.test(word));
      if (first === -1) return [];
      const program = words[first].split("/").at(-1) ?? "";
      return [{ program, words: words.slice(first + 1), text: part.trim() }];
    }),
  );
}

/** What hides a `<<` comes first: an escape, a quotation, `$((1<<20))`, a comment, `<<<`. */
const DOCUMENT =
  /\\.|"(?:[^"\\]|\\.)*"|'[^']*'|\(\([^()]*\)\)|(?<=^|\s)#.*|<<<|<<-?\s*(?:'([^']+)'|"([^"]+)"|\\?([^\s;&|<>()'"`\\]+))/g;

/** The word that ends the document which begins in a shell's line: `<<EOF`, `<<-'END-1'`, `<<\EOF`. */
export function documentWord(line: string): string | null {
  if (!line.includes("<<")) return null;
  for (const [, single, double, bare] of line.matchAll(DOCUMENT)) {
    const word = single ?? double ?? bare;
    if (word !== undefined) return word;
  }
  return null;
}

/** Where each line stands last: to look for the end of a document that never ends costs nothing then. */
export function lastPlaces(lines: readonly string[]): ReadonlyMap<string, number> {
  return new Map(lines.map((line, i) => [line.trim(), i]));
}

/** A shell's text without the documents it hands to other programs; what a shell is given stays, and what never ends. */
export function withoutDocuments(shell: string, leave: "nothing" | "gaps" = "nothing"): string {
  if (!shell.includes("<<")) return shell;
  const kept: string[] = [];
  let until: string | null = null;
  const lines = shell.split("\n");
  const last = lastPlaces(lines);
  for (const [i, line] of lines.entries()) {
    if (until !== null) {
      if (line.trim() === until) until = null;
      if (leave === "gaps") kept.push("");
      continue;
    }
    kept.push(line);
    const word = documentWord(line);
    const ends = word !== null && (last.get(word) ?? 0) > i;
    if (ends && !/(^|[\s/;&|])(ba|z|da)?sh\b[^|;&]*<</.test(line)) until = word;
  }
  return kept.join("\n");
}

/** The words of one simple command, without their quotes. */
export function shellWords(text: string): string[] {
  return text.match(/"[^"]*"|'[^']*'|[^\s"']+/g)?.map((word) => word.replace(/^["']|["')]+$/g, "")) ?? [];
}

/** A call's arguments as a shell would see them: `(["curl", "-O", url])` reads as `curl -O url`. */
export function argumentsAsShell(call: string): string {
  const inside = call
    .slice(call.indexOf("(") + 1)
    .replace(/\)$/, "")
    .trim();
  if (!inside.startsWith("["))
    return inside.replace(/^[rbuf]?["'`]/i, "").replace(/["'`]\s*(,\s*\w+=.*)?$/s, "");
  return inside.replace(/["'`,[\]]+/g, " ").trim();
}

export const RUNS_SHELL =
  /^(os\.(system|popen|exec\w*|spawn\w*)|subprocess\.\w+|(asyncio\.)?create_subprocess_\w+|system2?|shell|(child_process\.)?(exec|execSync|spawn|spawnSync|execFile|execFileSync)|(\w+\.)?getoutput)$/;
