import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const PAGES = ["README.md", "CONTRIBUTING.md", ...pagesOf("docs"), ...pagesOf("docs/decisions")];

function pagesOf(folder: string): string[] {
  const names = fs.readdirSync(path.join(ROOT, folder)).filter((name) => name.endsWith(".md"));
  return names.map((name) => `${folder}/${name}`);
}

/** A test may be named without its ending. */
const isThere = (file: string) =>
  [file, `${file}.test.ts`].some((name) => fs.existsSync(path.join(ROOT, name)));

test("what the pages say is shown by a file is shown by a file that is there", () => {
  const named = PAGES.flatMap((page) => {
    const text = fs.readFileSync(path.join(ROOT, page), "utf8");
    return [...text.matchAll(/`((?:tests|src|bench|scripts)\/[\w./-]+)`/g)].map(([, file]) => ({
      page,
      file,
    }));
  });
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ file }) => !isThere(file))).toEqual([]);
});
