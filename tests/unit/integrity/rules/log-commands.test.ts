import { expect, test } from "vitest";
import { readLogged } from "../../../../src/integrity/rules/log-commands.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

function logged(...lines: unknown[]) {
  const folder = temporaryFolder();
  writeText(
    folder,
    "stdout.log",
    lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"),
  );
  const { commands, written } = readLogged(folder, []);
  return {
    commands: commands.map(({ value }) => value),
    written: written.map(({ name, text }) => [name, text]),
  };
}

const call = { command: ["bash", "-lc", "cat x | head"] };

test.each([
  ["a prompt with its document", ["$ cat <<E", "a", "E", "b"], ["cat <<E\na\nE"]],
  ["a list that is a shell's", [{ item: call }], ["cat x | head"]],
  ["a list of words", [{ cmd: ["grep", "a b", "x"] }], ['grep "a b" x']],
  [
    "arguments that are JSON again",
    [{ type: "response_item", payload: { arguments: JSON.stringify(call) } }],
    ["cat x | head"],
  ],
  ["a reply with calls in it", [{ output: [{ type: "function_call", arguments: '{"cmd": "ls"}' }] }], ["ls"]],
  ["half a line of JSON", ['  "command": "ls -l",'], ["ls -l"]],
  [
    "what a tool gave back",
    [{ type: "tool_result", command: "ls" }, { tool_use_result: { command: "ls" } }],
    [],
  ],
])("commands in logs: %s", (_, lines, expected) => {
  expect(logged(...lines).commands).toEqual(expected);
});

test("files that a tool was told to write are read, those it was shown are not", () => {
  const file = { file_path: "a.py", content: "x = 1" };
  expect(logged({ message: { content: [{ type: "tool_use", input: file }] } }).written).toEqual([
    ["a.py", "x = 1"],
  ]);
  expect(logged({ type: "tool_result", ...file }, { tool_use_result: { file } }).written).toEqual([]);
});
