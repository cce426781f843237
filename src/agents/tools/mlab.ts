import fs from "node:fs";
import path from "node:path";
import type { ChatMessage } from "../kit/model-client.ts";
import { told } from "./codeact.ts";
import {
  placeOf,
  readStart,
  stringArguments,
  stringInput,
  type ToolOutcome,
  type Workshop,
  type WorkTool,
  WrongInput,
  writeWhole,
} from "./tool.ts";

const MAX_LINES = 100;
const MAX_READ_BYTES = 100_000;
const MAX_KEPT_BYTES = 16 * 1024 * 1024;
const MAX_VERSIONS = 20;
const INTERPRETERS: Record<string, string> = {
  ".py": "python3",
  ".cjs": "node",
  ".mjs": "node",
  ".js": "node",
  ".sh": "bash",
};

/** The tools of the MLAgentBench scaffold: files, scripts, a research log, and two that ask the model themselves. */
export function mlabTools(): WorkTool[] {
  const history = editHistory();
  const log = "research_log.md";
  return [
    tool("list_files", "Lists a folder.", { dir_path: "the folder, . for your own" }, (input, shop) =>
      fs
        .readdirSync(placeOf(stringInput(input, "dir_path"), shop), { withFileTypes: true })
        .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
        .join("\n"),
    ),
    tool("read_file", "Reads a file.", { file_name: "the file" }, (input, shop) =>
      readSome(placeOf(stringInput(input, "file_name"), shop)),
    ),
    tool(
      "write_file",
      "Creates or overwrites a file.",
      { file_name: "the file", content: "all of it" },
      (input, shop) => {
        const file = placeOf(stringInput(input, "file_name"), shop);
        history.keep(file);
        writeWhole(file, stringInput(input, "content"));
        return `wrote ${file}`;
      },
    ),
    tool(
      "append_file",
      "Adds to the end of a file.",
      { file_name: "the file", content: "what to add" },
      (input, shop) => {
        const file = placeOf(stringInput(input, "file_name"), shop);
        history.keep(file);
        fs.appendFileSync(file, stringInput(input, "content"));
        return `added to ${file}`;
      },
    ),
    tool("copy_file", "Copies a file.", { source: "from", destination: "to" }, (input, shop) => {
      const to = placeOf(stringInput(input, "destination"), shop);
      history.keep(to);
      const from = placeOf(stringInput(input, "source"), shop);
      if (!fs.statSync(from).isFile()) throw new WrongInput(`${from} is not a regular file.`);
      fs.copyFileSync(from, to);
      return `copied to ${to}`;
    }),
    tool(
      "inspect_script_lines",
      `Shows lines of a script, at most ${MAX_LINES}.`,
      { script_name: "the script", start_line_number: "first line", end_line_number: "last line" },
      (input, shop) => inspectLines(placeOf(stringInput(input, "script_name"), shop), input),
    ),
    tool(
      "edit_script",
      "Edits a script by instruction: the model rewrites it and saves it under another name, or the same.",
      { script_name: "the script", edit_instruction: "what to change, in detail", save_name: "the new name" },
      async (input, shop) => {
        const target = placeOf(stringInput(input, "save_name"), shop);
        const source = placeOf(stringInput(input, "script_name"), shop);
        const before = fs.existsSync(source) ? readSome(source) : "";
        const code = await askForCode(shop, before, stringInput(input, "edit_instruction"));
        history.keep(target);
        writeWhole(target, code);
        return `saved ${target} (${code.split("\n").length} lines)`;
      },
    ),
    tool(
      "undo_edit_script",
      "Takes back the last change of a file.",
      { script_name: "the script" },
      (input, shop) => history.undo(placeOf(stringInput(input, "script_name"), shop)),
    ),
    tool(
      "execute_script",
      "Runs a script (.py, .js, .cjs, .mjs, .sh).",
      { script_name: "the script" },
      async (input, shop) => {
        const file = placeOf(stringInput(input, "script_name"), shop);
        const program = INTERPRETERS[path.extname(file)];
        if (!program)
          throw new WrongInput(`${file} does not end in ${Object.keys(INTERPRETERS).join(", ")}.`);
        const outcome = await shop.shell.run(
          `${program} '${file.replaceAll("'", "'\\''")}'`,
          shop.commandSeconds(),
        );
        const words = told(outcome, shop);
        return outcome.status === 0 ? `${words}\n[exit status 0]` : words;
      },
    ),
    tool(
      "understand_file",
      "Has the model read a file with a question in mind.",
      { file_name: "the file", things_to_look_for: "the question" },
      async (input, shop) => {
        const text = readSome(placeOf(stringInput(input, "file_name"), shop));
        return askWords(shop, `${stringInput(input, "things_to_look_for")}\n\nThe file:\n${text}`);
      },
    ),
    tool("append_to_research_log", "Notes an insight.", { content: "the note" }, (input, shop) => {
      fs.appendFileSync(path.join(shop.contract.logs, log), `${stringInput(input, "content")}\n`);
      return "noted";
    }),
    {
      name: "final_answer",
      description: "Ends the work. The submission that stands in place counts.",
      parameters: stringArguments({ final_answer: "what was done" }, ["final_answer"]),
      run: (input) => ({ text: String(input.final_answer ?? "done"), finished: true }),
    },
  ];
}

function tool(
  name: string,
  description: string,
  parameters: Record<string, string>,
  run: (input: Record<string, unknown>, workshop: Workshop) => string | Promise<string>,
): WorkTool {
  const outcome = async (input: Record<string, unknown>, shop: Workshop): Promise<ToolOutcome> => ({
    text: await run(input, shop),
  });
  return { name, description, parameters: stringArguments(parameters), run: outcome };
}

/** Bytes, since not every file is text. */
function contentOf(file: string): Uint8Array | null {
  const there = fs.statSync(file, { throwIfNoEntry: false });
  if (there === undefined) return null;
  if (!there.isFile()) throw new WrongInput(`${file} is not a regular file.`);
  if (there.size > MAX_KEPT_BYTES)
    throw new WrongInput(`${file} has ${there.size} bytes; files up to ${MAX_KEPT_BYTES} can be changed.`);
  return fs.readFileSync(file);
}

/** What files held before each change, newest last. */
function editHistory() {
  const before = new Map<string, (Uint8Array | null)[]>();
  return {
    keep(file: string) {
      before.set(file, [...(before.get(file) ?? []).slice(1 - MAX_VERSIONS), contentOf(file)]);
    },
    undo(file: string): string {
      const versions = before.get(file) ?? [];
      const last = versions.pop();
      if (last === undefined) throw new WrongInput(`Nothing was changed in ${file}.`);
      if (last === null) fs.rmSync(file, { force: true });
      else writeWhole(file, last);
      return `took back the last change of ${file}`;
    },
  };
}

function readSome(file: string): string {
  const { text, bytes, size } = readStart(file, MAX_READ_BYTES);
  return bytes < size ? `${text}\n[only the first ${bytes} of ${size} bytes are shown]` : text;
}

function inspectLines(file: string, input: Record<string, unknown>): string {
  const [first, last] = [Number(input.start_line_number), Number(input.end_line_number)];
  if (!Number.isInteger(first) || !Number.isInteger(last) || first < 1 || last < first)
    throw new WrongInput(
      "start_line_number and end_line_number must be whole numbers, the first not above the last.",
    );
  if (last - first >= MAX_LINES) throw new WrongInput(`At most ${MAX_LINES} lines can be shown at once.`);
  const lines = readSome(file)
    .split("\n")
    .slice(first - 1, last);
  return lines.map((line, i) => `${first + i}\t${line}`).join("\n");
}

async function askForCode(shop: Workshop, before: string, instruction: string): Promise<string> {
  const words = await askWords(
    shop,
    `Change this script as asked and answer with the whole new script in one code block.\n\nWhat to change: ${instruction}\n\nThe script:\n\`\`\`\n${before}\n\`\`\``,
  );
  const [, code] = /```[a-z]*\n([\s\S]*?)```/.exec(words) ?? [];
  if (code === undefined)
    throw new WrongInput("The model answered without a code block; say more clearly what to change.");
  return code;
}

async function askWords(shop: Workshop, content: string): Promise<string> {
  const request: ChatMessage[] = [{ role: "user", content }];
  const answer = await shop.ask(request, []);
  if (answer.status !== "answered") throw new WrongInput(`The model did not answer: ${answer.message}`);
  return answer.text;
}
