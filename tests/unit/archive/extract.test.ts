import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { extractArchive } from "../../../src/archive/extract.ts";
import { writeZip } from "../../../src/archive/zip-writer.ts";
import { scratchFolder, tree } from "./scratch.ts";

const scratch = scratchFolder();
const archive = join(scratch, "data.zip");
await writeZip(
  archive,
  [
    { name: "train/", content: "folder" },
    { name: "empty/", content: "folder" },
    { name: "train/a.csv", content: "bytes", bytes: Buffer.from("new") },
  ],
  "deflate",
);

test("an extraction into a folder that exists keeps its other files and replaces equal paths", async () => {
  const target = join(scratch, "existing");
  mkdirSync(join(target, "train"), { recursive: true });
  writeFileSync(join(target, "train/a.csv"), "old");
  writeFileSync(join(target, "train/b.csv"), "kept");
  expect(await extractArchive(archive, target)).toMatchObject({ status: "extracted" });
  expect(tree(target)).toEqual({ "empty/": "", "train/a.csv": "new", "train/b.csv": "kept" });
});

test("the target's parent folders are made", async () => {
  const target = join(scratch, "not/yet/there");
  expect(await extractArchive(archive, target)).toEqual({
    status: "extracted",
    format: "zip",
    files: 1,
    bytes: 3,
  });
  expect(readdirSync(join(scratch, "not/yet"))).toEqual(["there"]);
});

test("a link below the target is not followed", async () => {
  const target = join(scratch, "linked");
  const elsewhere = join(scratch, "elsewhere");
  mkdirSync(target);
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(target, "train"));
  expect(await extractArchive(archive, target)).toMatchObject({
    code: "TARGET_CONFLICT",
    entry: "train",
    blame: "user",
  });
  expect(readdirSync(elsewhere)).toEqual([]);
  expect(readdirSync(target)).toEqual(["train"]);
});

test("a target that is a file is refused", async () => {
  const target = join(scratch, "a-file");
  writeFileSync(target, "");
  expect(await extractArchive(archive, target)).toMatchObject({ code: "TARGET_CONFLICT" });
});

test("a file that is not an archive, or is not there, is the user's to mend", async () => {
  const page = join(scratch, "page.zip");
  writeFileSync(page, "<html>Please sign in</html>");
  const outcome = await extractArchive(page, join(scratch, "page"));
  expect(outcome).toMatchObject({ code: "NOT_AN_ARCHIVE", blame: "user" });
  expect(outcome.status === "refused" && outcome.message).toMatch(
    /page\.zip is not an archive.*download it again/,
  );
  writeFileSync(page, "");
  expect(await extractArchive(page, join(scratch, "page"))).toMatchObject({ code: "NOT_AN_ARCHIVE" });
  expect(await extractArchive(scratch, join(scratch, "page"))).toMatchObject({ code: "NOT_AN_ARCHIVE" });
  expect(await extractArchive(join(scratch, "gone.zip"), join(scratch, "page"))).toMatchObject({
    code: "NOT_FOUND",
  });
});

test("what a killed extraction left beside the same target is removed by the next", async () => {
  const target = join(scratch, "again");
  const dead = `again.extracting-${hostname()}-999999999-abc`;
  const alive = `again.extracting-${hostname()}-${process.ppid}-abc`;
  mkdirSync(join(scratch, dead));
  mkdirSync(join(scratch, alive));
  await extractArchive(archive, target);
  expect(readdirSync(scratch)).not.toContain(dead);
  expect(readdirSync(scratch)).toContain(alive);
});
