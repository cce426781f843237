import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder } from "../../../src/files/make-folder.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";

const root = temporaryFolder();
const dataDir = layOutPrepared(path.join(root, "data"));
const file = writeText(root, "a-file", "not a folder");
const sample = path.join(dataDir, COMPETITION, "prepared/public/sample_submission.csv");
const list = writeText(
  root,
  "list.jsonl",
  JSON.stringify({ competition_id: COMPETITION, submission_path: sample }),
);

/** The first denies that its parent exists, the second has a file for a parent: nobody can write there, root included. */
const PLACES = [...(process.platform === "linux" ? ["/proc/nope/deeper"] : []), path.join(file, "deeper")];

describe.each(PLACES)("a folder that cannot be made (%s)", (place) => {
  const run = ["run", "--agent", "dummy", "-c", COMPETITION, "--data-dir", dataDir, "--sandbox", "process"];
  test.each([
    ["run --runs-dir", [...run, "--runs-dir", place]],
    ["grade --output-dir", ["grade", "--submission", list, "--data-dir", dataDir, "--output-dir", place]],
    ["standings --output", ["standings", "--format", "html", "--output", path.join(place, "a.html")]],
    ["import --data-dir", ["import", checkout(), "--data-dir", place]],
  ])("ends %s soon, with 2 and a sentence, and is not called a bug", (_, args) => {
    const { code, stderr } = mlebench(args, {}, 30_000);
    expect(stderr).toContain("NOT_WRITABLE");
    expect(stderr).toContain("choose another place, or mend its permissions");
    expect(stderr).not.toContain("bug of mlebench");
    expect(code).toBe(2);
  });

  test("prepare says so as an outcome", () => {
    const { code, stdout, stderr } = mlebench(
      ["prepare", "-c", "starter-births", "--data-dir", place],
      {},
      30_000,
    );
    expect(code).toBe(3);
    expect(stdout + stderr).toContain("choose another one with --data-dir");
  });
});

test("only one function of the package makes folders with parents", () => {
  const offenders = fs
    .readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && name !== path.join("files", "make-folder.ts"))
    .filter((name) => /mkdir(Sync)?\([^;]*recursive/.test(fs.readFileSync(path.join("src", name), "utf8")));
  expect(offenders).toEqual([]);
});

test("the one function makes parents, takes what is there, and refuses a file with the system's error", () => {
  const deep = path.join(root, "x/y/z");
  makeFolder(deep);
  makeFolder(deep);
  expect(fs.statSync(deep).isDirectory()).toBe(true);
  expect(() => makeFolder(file)).toThrow("EEXIST");
  expect(() => makeFolder(path.join(file, "below"))).toThrow("ENOTDIR");
});

function checkout(): string {
  const folder = path.join(root, "checkout");
  writeText(folder, `mlebench/competitions/${COMPETITION}/description.md`, "a text");
  return folder;
}
