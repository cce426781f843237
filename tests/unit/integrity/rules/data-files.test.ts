import { expect, test } from "vitest";
import { type CodeFile, viewCode } from "../../../../src/integrity/rules/code-view.ts";
import { viewData, viewSideTables } from "../../../../src/integrity/rules/data-files.ts";

test.each([
  ['["a", "b"]', [{ values: ["a", "b"], keys: [] }]],
  ['{"x": 1, "y": 2}', [{ values: ["1", "2"], keys: ["x", "y"] }]],
  ['{"fixes": {"x": true}}', [{ values: ["true"], keys: ["x"] }]],
  ["id,y\n1,a\n2,b\n", [{ values: ["y", "a", "b"], keys: ["id", "1", "2"] }]],
  ["x: 1\ny: 2", [{ values: ["1", "2"], keys: ["x", "y"] }]],
  ["a\nb\n", [{ values: ["a", "b"], keys: [] }]],
  ["[".repeat(500_000), []],
])("a file of data is a program's literals: %.30s", (text, expected) => {
  expect(viewData("x", text)?.literals.map(({ values, keys }) => ({ values, keys }))).toEqual(expected);
});

const program = async (...lines: string[]) => (await viewCode("code/main.py", lines.join("\n"))) as CodeFile;
const found = (file: CodeFile, command = "") =>
  viewSideTables(
    ["code/main.py", "code/a.csv"],
    [file],
    command === "" ? [] : [{ file: "stdout.log", line: 1, text: command, value: command }],
    () => "1,2\n",
  ).map(({ name }) => name);

test.each([
  ["it is read and nothing writes it", ['t = pd.read_csv("/home/code/a.csv")'], "", true],
  ["it is read by a constant's name", ['P = Path("x") / "a.csv"', "t = open(P).read()"], "", true],
  ["nobody reads it", ['print("a.csv")'], "", false],
  ["it is written before", ['t.to_csv("a.csv")', 't = pd.read_csv("a.csv")'], "", false],
  ["it is written by a constant's name", ['P = "a.csv"', "t.to_csv(P)", "t = pd.read_csv(P)"], "", false],
  ["it is opened for writing", ['json.dump(t, open("a.csv", "w"))', 't = open("a.csv")'], "", false],
  ["a name with a gap fits", ['t.to_csv(f"{n}.csv")', 't = pd.read_csv("a.csv")'], "", false],
  ["a command made it", ['t = pd.read_csv("a.csv")'], "python3 other.py > a.csv", false],
  ["a program was told its name", ['t = pd.read_csv("a.csv")'], "python3 other.py --out a.csv", false],
  ["somebody looked at it", ['t = pd.read_csv("a.csv")'], "head -3 a.csv", true],
])("a table beside the code is taken for hand-written or not: %s", async (_, lines, command, expected) => {
  expect(found(await program(...lines), command)).toEqual(expected ? ["code/a.csv"] : []);
});
