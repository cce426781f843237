import { expect, test } from "vitest";
import { sourceFiles } from "../../../../src/integrity/plagiarism/source-files.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

test("a folder's own files come first, copies and downloads last, and packages of others not at all", () => {
  const root = temporaryFolder();
  const own = ["train.py", "a/z.py", "a/b/c.py", "w/x.py"];
  const last = [".cache/a.py", ".ipynb_checkpoints/a.py", "a/.cache/b.py"];
  for (const file of [...last, ...own, "env/conda-meta/x.json", "env/lib/a.py", "v/pyvenv.cfg", "v/a.py"])
    writeText(root, file, "x = 1\n");
  expect(sourceFiles(root).files.map(({ name }) => name)).toEqual([
    ...["train.py", "a/z.py", "a/b/c.py", "w/x.py"],
    ...last,
  ]);
});
