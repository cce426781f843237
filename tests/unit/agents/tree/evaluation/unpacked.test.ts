import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { unpackedView } from "../../../../../src/agents/tree/evaluation/unpacked.ts";
import { temporaryFolder, writeText } from "../../../../e2e/temporary-folder.ts";

it("shows archives unpacked in a folder of links; the data stay as they were, and what is not an archive is left alone", async () => {
  const data = temporaryFolder();
  writeText(data, "inside/picture.txt", "a picture");
  execFileSync("tar", ["-czf", path.join(data, "train.tar.gz"), "-C", path.join(data, "inside"), "."]);
  fs.rmSync(path.join(data, "inside"), { recursive: true });
  writeText(data, "test/own.txt", "a folder of that name");
  fs.copyFileSync(path.join(data, "train.tar.gz"), path.join(data, "test.tgz"));
  writeText(data, "notes.zip", "only called so");
  writeText(data, "train.csv", "id,y\n");
  const before = execFileSync("find", [data, "-printf", "%P %s %T@\n"], { encoding: "utf8" });
  const folder = path.join(temporaryFolder(), "view");
  expect(await unpackedView(data, folder)).toBe(folder);
  expect(execFileSync("find", [data, "-printf", "%P %s %T@\n"], { encoding: "utf8" })).toBe(before);
  expect(fs.readFileSync(path.join(folder, "train/picture.txt"), "utf8")).toBe("a picture");
  expect(fs.readFileSync(path.join(folder, "test-unpacked/picture.txt"), "utf8")).toBe("a picture");
  for (const name of ["test", "notes.zip", "train.csv"])
    expect(fs.readlinkSync(path.join(folder, name))).toBe(path.join(data, name));
  expect(fs.readdirSync(folder).sort()).toEqual(
    ["notes.zip", "test", "test-unpacked", "train", "train.csv"].sort(),
  );
  fs.rmSync(path.join(data, "train.tar.gz"));
  fs.rmSync(path.join(data, "test.tgz"));
  expect(await unpackedView(data, path.join(folder, "none"))).toBeNull();
});
