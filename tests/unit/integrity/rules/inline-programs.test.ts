import { expect, test } from "vitest";
import { inlinePrograms } from "../../../../src/integrity/rules/inline-programs.ts";
import { notebookScript } from "../../../../src/integrity/rules/shell-lines.ts";

const python = (text: string, above: number) => [{ name: "here.py", text, above }];

test.each([
  ["python3 - <<'EOF'\nimport os\nEOF\nls", python("import os", 1)],
  ["cd x && /usr/bin/python3.11 <<EOF\nprint(1)\nEOF", python("print(1)", 1)],
  ["ls\ncat > /tmp/a.py <<EOF\nx = 1\nEOF", [{ name: "a.py", text: "x = 1", above: 2 }]],
  ["tee -a notes.json <<EOF\n[1]\nEOF", [{ name: "notes.json", text: "[1]", above: 1 }]],
  ["python3 -c 'import os; os.getcwd()'", python("import os; os.getcwd()", 0)],
  ['node -e "fetch(\\"http://x\\")"', [{ name: "here.mjs", text: 'fetch("http://x")', above: 0 }]],
  ["Rscript -e 'x <- 1'", [{ name: "here.r", text: "x <- 1", above: 0 }]],
  ["cat <<EOF\nsome words\nEOF", []],
  ["python3 train.py --seed 1", []],
  ["python3 - <<\\EOF\nx = 1\nEOF", python("x = 1", 1)],
  ["python3 - <<'END-1'\nx = 1\nEND\nEND-1", python("x = 1\nEND", 1)],
  ['cat <<< "x"\npython3 -c "a"\npython3 - <<E\nb\nE', [...python("b", 3), ...python("a", 1)]],
  ["cat <<A\npython3 - <<E\nb\nE", python("b", 2)],
  ["python3 - <<A\nx = 1", python("x = 1", 1)],
])("programs inside of shell: %j", (shell, expected) => {
  expect(inlinePrograms(shell)).toEqual(expected);
});

test.each([
  ["-x in a row", " -x".repeat(600_000)],
  ["programs that never end", "python3 - <<EOF\n".repeat(100_000)],
  ["one long word", "a".repeat(1_900_000)],
  ["documents that never end", "cat <<EOF\n".repeat(150_000)],
  ["quotation marks", `python3 -c "${'\\"'.repeat(500_000)}`],
])("%s take no time to look through", (_, shell) => {
  expect(inlinePrograms(shell).length).toBeLessThanOrEqual(1);
});

test("a notebook's shell lines, shell cells and written files keep their lines", () => {
  const cell = (source: string) => ({ cell_type: "code", source });
  const script = notebookScript(
    JSON.stringify({
      cells: [
        cell("x = 1\nfiles = !ls\n!wget y"),
        { cell_type: "markdown", source: "!no" },
        cell("%%bash\ncurl z"),
        cell("%%writefile a.py\nimport b"),
        cell("%sx date"),
      ],
    }),
  );
  expect(script.split("\n")).toEqual([
    "",
    "ls",
    "wget y",
    "",
    "curl z",
    "cat > a.py <<END_OF_CELL",
    "import b",
    "END_OF_CELL",
    "date",
  ]);
});
