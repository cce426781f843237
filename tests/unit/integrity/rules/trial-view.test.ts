import { expect, test } from "vitest";
import { otherModel } from "../../../../src/integrity/rules/kinds/other-model.ts";
import { viewTrial } from "../../../../src/integrity/rules/trial-view.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

function viewOf(records: readonly object[]) {
  const folder = temporaryFolder();
  writeText(folder, "stdout.log", records.map((one) => JSON.stringify(one)).join("\n"));
  return viewTrial({ trial: "a", folder, competitionId: "x", competition: null, dataDir: folder });
}

test("files that a tool wrote are looked at before commands, and what is too much is named", async () => {
  const commands = Array.from({ length: 2010 }, (_, i) => ({ command: `python3 -c 'x${i}()'` }));
  const { code, unseen } = await viewOf([...commands, { file_path: "a.py", content: "import openai" }]);
  expect(code[0].imports.map(({ module }) => module)).toEqual(["openai"]);
  expect(code).toHaveLength(2000);
  expect(unseen.map(({ why }) => why)).toEqual(["11 programs inside of commands are beyond the first 2000"]);
  const long = await viewOf([{ file_path: "a.py", content: "x".repeat(2_000_001) }]);
  expect(long.unseen.map(({ why }) => why)).toEqual([
    "a.py, which was written there, is longer than 2000000 characters",
  ]);
});

test.each([
  ["mods = [1]", false],
  ["mods=[1]\ngemini == 2", false],
  ["mods += 1", false],
  ['claude -p "solve it"', true],
  ['mods "= solve it"', true],
])("a program of Python in a log's field asks no model: %s", async (text, expected) => {
  expect((otherModel(await viewOf([{ code: text }])) ?? null) !== null).toBe(expected);
});
