import path from "node:path";
import { expect, test } from "vitest";
import { isForeign } from "../../../src/integrity/foreign-folders.ts";
import { temporaryFolder, writeText } from "../../e2e/temporary-folder.ts";

test.each([
  ["env/pyvenv.cfg", true],
  ["env/conda-meta/history", true],
  ["site-packages/a.py", true],
  ["env/a.py", false],
  [".cache/a.py", false],
])("a folder of others is told by what it is called or has in it: %s", (file, expected) => {
  const root = temporaryFolder();
  writeText(root, file, "x\n");
  expect(isForeign(root, path.dirname(file).split("/")[0])).toBe(expected);
});
