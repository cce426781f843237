import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { walkFiles } from "../../../../src/repositories/source/walk-files.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

it("leaves out settings, caches, packages of others and what was made of the sources; with everything, only version control", () => {
  const root = temporaryFolder();
  const kept = ["a.py", "pkg/build/__init__.py", "pkg/build/rules.py"];
  const left = [
    ...[".cache/x.py", ".github/workflows/run.yml", "__pycache__/x.py", "x.egg-info/PKG-INFO"],
    ...["node_modules/x/index.js", "venv/lib/x.py", "build/lib/a.py", "dist/a.js", "logs/run.txt"],
  ];
  for (const file of [...kept, ...left, ".git/config"]) writeText(root, file, "x = 1\n");
  const paths = (options?: { everything: boolean }) => walkFiles(root, options).files.map(({ path }) => path);
  expect(paths()).toEqual(kept);
  expect(paths({ everything: true })).toEqual([...kept, ...left].sort());
});

it("of each reason why something was left out one entry is kept, and not more of one than can be read", () => {
  const root = temporaryFolder();
  for (let i = 0; i < 250; i++) fs.symlinkSync("nowhere", path.join(root, `link-${i}`));
  for (const name of ["z\n1.py", "z\n2.py"]) writeText(root, name, "x = 1\n");
  const { leftOut } = walkFiles(root);
  expect(leftOut.filter(({ why }) => why === "symbolic link")).toHaveLength(200);
  expect(leftOut.filter(({ why }) => why === "odd name")).toEqual([{ path: "z\n1.py", why: "odd name" }]);
});
