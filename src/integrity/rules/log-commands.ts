import fs from "node:fs";
import path from "node:path";
import { readWindow } from "../../files/window.ts";
import { trialPaths } from "../../trials/trial/folder.ts";
import type { Unseen } from "./code-names.ts";
import type { Seen } from "./code-view.ts";
import { documentWord, withoutDocuments } from "./shell-commands.ts";

/** A command that an agent's log says was run: whole in `value`, shortened in `text`. */
export interface LogCommand extends Seen {
  file: string;
  value: string;
}

/** A file that an agent's log says it wrote with a tool. */
export interface WrittenFile {
  /** The log. */
  file: string;
  line: number;
  name: string;
  text: string;
}

export interface Logged {
  commands: LogCommand[];
  written: WrittenFile[];
  unseen: Unseen[];
}

const MAX_LOGS = 200;
const MAX_LOG_BYTES = 8 * 2 ** 20;
const MAX_QUOTED = 2000;
const MAX_DOCUMENT_LINES = 20_000;
/** `$ cat x`, `+ cat x`, and what agents write as JSON: `"command": "cat x"`. */
const PROMPT = /^\s*(?:\$|\+|>>>)\s+(.+)$/;
const FIELD = /"(?:command|cmd|code|shell|script|bash)"\s*:\s*("(?:[^"\\]|\\.)*")/g;

/** What the logs show as having been run or written; prose that only mentions a command is not among it. */
export function readLogged(folder: string, names: readonly string[]): Logged {
  const { stdout, stderr, runLog } = trialPaths(folder);
  const streams = [stdout, stderr].filter((file) => fs.existsSync(file));
  const files = [
    ...(streams.length > 0 ? streams : [runLog]).map((file) => path.relative(folder, file)),
    ...names.filter((name) => /\.(log|txt|jsonl?|md)$/i.test(name)),
  ];
  const logged: Logged = { commands: [], written: [], unseen: [] };
  for (const file of files.slice(MAX_LOGS))
    logged.unseen.push({ file, why: `more than ${MAX_LOGS} logs stand before it` });
  for (const file of files.slice(0, MAX_LOGS)) {
    const window = readWindow(path.join(folder, file), "end", MAX_LOG_BYTES);
    if (window === null) continue;
    if (window.from > 0)
      logged.unseen.push({
        file,
        why: `only the last ${MAX_LOG_BYTES} of its ${window.size} bytes were read`,
      });
    const lines = window.bytes.toString("utf8").split("\n");
    for (const [i, line] of lines.entries()) readLine(logged, file, lines, i, line);
  }
  return logged;
}

function readLine(logged: Logged, file: string, lines: readonly string[], i: number, line: string): void {
  const add = (value: string) =>
    logged.commands.push({ file, line: i + 1, value, text: withoutDocuments(value).slice(0, MAX_QUOTED) });
  const prompt = PROMPT.exec(line)?.[1];
  if (prompt !== undefined) {
    add(withDocument(prompt, lines, i));
    return;
  }
  const record = parsed(line);
  if (record === undefined) for (const [, quoted] of line.matchAll(FIELD)) add(unescaped(quoted));
  else
    readRecord(record, add, (name, text) => {
      logged.written.push({ file, line: i + 1, name, text });
    });
}

const COMMAND = /^(command|cmd|code|shell|script|bash)$/;
const PLACE = /^(file_?path|path|file|filename|file_name|target_file|absolute_path)$/i;
const CONTENT = /^(content|contents|file_text|new_str|new_string|new_source|text|code_edit)$/i;
/** What a tool gave back is not what the agent did. */
const REPLY = /(result|observation|output)s?$/i;
const MAX_DEPTH = 12;

/** Commands, and files written, in one line of JSON, however its tool calls are laid out. */
function readRecord(
  value: unknown,
  command: (text: string) => void,
  write: (name: string, text: string) => void,
  depth = 0,
): void {
  if (depth > MAX_DEPTH) return;
  // Arguments of a call are often JSON inside of JSON.
  if (typeof value === "string") {
    const inner = /^\s*\{/.test(value) ? parsed(value) : undefined;
    if (inner !== undefined) readRecord(inner, command, write, depth + 1);
    return;
  }
  if (Array.isArray(value)) {
    for (const one of value) readRecord(one, command, write, depth + 1);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  const entries = Object.entries(value);
  if (entries.some(([key, kind]) => key === "type" && typeof kind === "string" && REPLY.test(kind))) return;
  const place = entries.find(([key, one]) => PLACE.test(key) && typeof one === "string")?.[1];
  for (const [key, one] of entries) {
    if (COMMAND.test(key)) {
      const text = commandText(one);
      if (text !== null) command(text);
    }
    if (CONTENT.test(key) && typeof one === "string" && typeof place === "string") write(place, one);
    else if (!REPLY.test(key) || (/^output$/.test(key) && typeof one !== "string"))
      readRecord(one, command, write, depth + 1);
  }
}

/** `"cat x"`, `["bash", "-lc", "cat x"]`, `["cat", "x"]`. */
function commandText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || !value.every((word) => typeof word === "string")) return null;
  const words: string[] = value;
  const isShell = /(^|\/)(ba|z|da)?sh$/.test(words[0] ?? "") && /^-\w*c$/.test(words[1] ?? "");
  if (isShell) return words[2] ?? "";
  return words.map((word) => (/[\s;&|"'`$()]/.test(word) ? JSON.stringify(word) : word)).join(" ");
}

function parsed(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A command and the lines that it is given behind `<<EOF`. */
function withDocument(command: string, lines: readonly string[], at: number): string {
  const word = documentWord(command);
  const below = word === null ? [] : lines.slice(at + 1, at + 1 + MAX_DOCUMENT_LINES);
  const end = below.findIndex((line) => line.trim() === word);
  return end === -1 ? command : [command, ...below.slice(0, end + 1)].join("\n");
}

function unescaped(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1).replace(/\\n/g, "\n").replace(/\\"/g, '"');
  }
}
