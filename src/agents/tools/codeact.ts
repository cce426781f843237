import fs from "node:fs";
import path from "node:path";
import { validateSubmission } from "../kit/validate-client.ts";
import { PYTHON, type SessionOutcome } from "./session.ts";
import {
  placeOf,
  readStart,
  readWhole,
  stringArguments,
  stringInput,
  type Workshop,
  type WorkTool,
  WrongInput,
  writeWhole,
} from "./tool.ts";

const MAX_VIEW_BYTES = 256 * 1024;

/** The tools of the CodeAct scaffold: two interpreters that remember, files, the validation, the end. */
export function codeactTools(hasPython: boolean): WorkTool[] {
  const tools: WorkTool[] = [
    {
      name: "bash",
      description: "Runs a command in a bash session that stays open. Commands that do not end are stopped.",
      parameters: stringArguments({ command: "what to run" }),
      run: async (input, workshop) => {
        const command = stringInput(input, "command");
        return { text: told(await workshop.shell.run(command, workshop.commandSeconds()), workshop) };
      },
    },
    {
      name: "view_file",
      description: "Shows a file with line numbers, from line `from` on if given.",
      parameters: stringArguments({ path: "the file", from: "first line, 1 if absent" }, ["from"]),
      run: (input, workshop) => ({
        text: viewFile(placeOf(stringInput(input, "path"), workshop), input.from),
      }),
    },
    {
      name: "write_file",
      description: "Creates or overwrites a file.",
      parameters: stringArguments({ path: "the file", content: "all of its content" }),
      run: (input, workshop) => {
        const file = placeOf(stringInput(input, "path"), workshop);
        writeWhole(file, stringInput(input, "content"));
        return { text: `wrote ${file}` };
      },
    },
    {
      name: "edit_file",
      description: "Replaces one passage of a file, which must occur exactly once.",
      parameters: stringArguments({ path: "the file", old: "the passage", new: "what replaces it" }),
      run: (input, workshop) => ({
        text: editFile(
          placeOf(stringInput(input, "path"), workshop),
          stringInput(input, "old"),
          stringInput(input, "new"),
        ),
      }),
    },
    {
      name: "validate",
      description: "Checks the format of submission.csv, never its score.",
      parameters: { type: "object", properties: {} },
      run: async (_, { contract }) => {
        const file = path.join(contract.submission, "submission.csv");
        if (!fs.existsSync(file)) return { text: `There is no ${file} yet.` };
        const reply = await validateSubmission(contract.validateUrl, file);
        return { text: reply.status === "answered" ? reply.result : `no answer: ${reply.message}` };
      },
    },
    {
      name: "finish",
      description:
        "Ends the work. The submission that stands in place counts; call this only if nothing is left to gain.",
      parameters: stringArguments({ message: "what was done" }, ["message"]),
      run: (input) => ({ text: String(input.message ?? "done"), finished: true }),
    },
  ];
  return hasPython ? [pythonTool, ...tools] : tools;
}

const pythonTool: WorkTool = {
  name: "python",
  description: "Runs Python code in an interpreter that stays open: variables and imports are kept.",
  parameters: stringArguments({ code: "what to run" }),
  run: async (input, workshop) => {
    const code = stringInput(input, "code");
    const outcome = await workshop.python!.run(code, workshop.commandSeconds());
    return { text: told(outcome, workshop, PYTHON.command[0]) };
  },
};

/** The output and how the command ended, in words. */
export function told(
  { output, status, stopped }: SessionOutcome,
  workshop: Workshop,
  program = "bash",
): string {
  if (stopped) return `${output}\n[stopped: it did not end in time; the session was started anew]`;
  if (status === null) return `${output}\n[${program} itself ended; the session was started anew]`;
  return status === 0 ? output : `${output}\n[exit status ${status}]${late(workshop)}`;
}

const late = ({ commandSeconds }: Workshop) => (commandSeconds() < 30 ? " [the deadline is near]" : "");

function viewFile(file: string, from: unknown): string {
  const { text, bytes, size } = readStart(file, MAX_VIEW_BYTES);
  const first = Math.max(1, Math.floor(Number(from ?? 1)) || 1);
  const lines = text.split("\n").slice(first - 1);
  const more = size > bytes ? `\n[the file has ${size} bytes; the first ${bytes} were read]` : "";
  return lines.map((line, i) => `${first + i}\t${line}`).join("\n") + more;
}

function editFile(file: string, old: string, replacement: string): string {
  const text = readWhole(file);
  const count = old === "" ? 0 : text.split(old).length - 1;
  if (count !== 1) throw new WrongInput(`The passage occurs ${count} times in ${file}; it must occur once.`);
  writeWhole(
    file,
    text.replace(old, () => replacement),
  );
  return `edited ${file}`;
}
