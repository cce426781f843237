import type { JsonObject, JsonValue, Tool } from "../../call.ts";

/** A call the simulated model makes of one of the client's tools. */
export interface ToolUse {
  name: string;
  kind: "function" | "custom";
  input: string;
}

/** The tools it can work with, whatever a client calls them. */
export interface Hands {
  run: ((command: string) => ToolUse) | null;
  /** For clients without a shell: a file is written by one call and run by the next. */
  script: { write: (file: string, code: string) => ToolUse; execute: (file: string) => ToolUse } | null;
  finish: ((words: string) => ToolUse) | null;
}

const SHELLS =
  /^(bash|shell|shell_command|exec_command|execute_command|run_shell_command|local_shell|terminal|execute_bash|run_command)$/i;
const WRITERS = /^(write_file|write file|create_file|write)$/i;
const EXECUTERS = /^(execute_script|execute script|run_script)$/i;
const FINISHES = /^(finish|submit_final|final_answer|final answer|done|attempt_completion)$/i;
const COMMANDS = ["command", "cmd", "script", "code"];
const CONTENTS = ["content", "contents", "text"];
const FILES = ["file_name", "path", "file_path", "script_name", "filename"];
const WORDS = ["message", "answer", "final_answer", "result", "reason", "summary", "text"];

export function findHands(tools: readonly Tool[]): Hands {
  const shell = tools.find(({ name }) => SHELLS.test(plainName(name)));
  const end = tools.find(({ name }) => FINISHES.test(plainName(name)));
  const writer = tools.find(({ name }) => WRITERS.test(plainName(name)));
  const executer = tools.find(({ name }) => EXECUTERS.test(plainName(name)));
  return {
    run: shell ? (command) => use(shell, COMMANDS, command) : null,
    script:
      writer && executer
        ? {
            write: (file, code) => use(writer, CONTENTS, code, { names: FILES, value: file }),
            execute: (file) => use(executer, FILES, file),
          }
        : null,
    finish: end ? (words) => use(end, WORDS, words) : null,
  };
}

/** Some clients put a group before a tool's name. */
const plainName = (name: string) => name.split(/[.:]|__/).at(-1) ?? name;

function use(
  tool: Tool,
  wanted: readonly string[],
  value: string,
  also?: { names: readonly string[]; value: string },
): ToolUse {
  if (tool.kind === "custom") return { name: tool.name, kind: "custom", input: value };
  const properties = objectOf(tool.schema?.properties);
  const key = wanted.find((name) => name in properties) ?? Object.keys(properties)[0];
  const second = also?.names.find((name) => name in properties);
  const required = Array.isArray(tool.schema?.required) ? tool.schema.required.map(String) : [];
  const filled = required
    .filter((name) => name !== key && name !== second)
    .map((name) => [name, filler(objectOf(properties[name]))]);
  const own =
    key === undefined ? [] : [[key, isList(objectOf(properties[key])) ? ["bash", "-lc", value] : value]];
  return {
    name: tool.name,
    kind: "function",
    input: JSON.stringify({
      ...Object.fromEntries([...own, ...filled]),
      ...(second && also ? { [second]: also.value } : {}),
    }),
  };
}

const objectOf = (value: JsonValue | undefined): JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};

const isList = ({ type }: JsonObject) => type === "array" || (Array.isArray(type) && type.includes("array"));

/** Required arguments that mean nothing to the work itself (a description, a time limit, a flag). */
function filler({ type, enum: choices }: JsonObject): JsonValue {
  if (Array.isArray(choices) && choices.length > 0) return choices[0];
  const [first] = Array.isArray(type) ? type : [type];
  const fillers: Record<string, JsonValue> = { boolean: false, array: [], object: {} };
  if (first === "number" || first === "integer") return 600_000;
  return fillers[String(first)] ?? "simulated";
}
