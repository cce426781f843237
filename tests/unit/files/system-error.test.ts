import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { systemRefusal } from "../../../src/files/system-error.ts";
import { writeFileAtomically } from "../../../src/files/write-file.ts";
import { temporaryFolder } from "../../e2e/temporary-folder.ts";

function refused(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return systemRefusal(error);
  }
  throw new Error("nothing failed");
}

describe("a call that the file system refuses is called", () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "file");
  fs.writeFileSync(file, "");
  const long = "x".repeat(300);

  const writes: Record<string, () => unknown> = {
    "in a folder that is not there": () => fs.writeFileSync(path.join(folder, "no", "file"), ""),
    "over a folder": () => fs.writeFileSync(folder, ""),
    "over a folder, in one step": () => writeFileAtomically(folder, ""),
    "below a file": () => writeFileAtomically(path.join(file, "a", "b"), ""),
    "under a name that is too long": () => writeFileAtomically(path.join(folder, long), ""),
    "below /proc": () => writeFileAtomically("/proc/no/file", ""),
    "by copying to a folder that is not there": () => fs.copyFileSync(file, path.join(folder, "no", "copy")),
    "by making a folder": () => fs.mkdirSync(path.join(file, "folder")),
    "where it stands already": () => fs.openSync(file, "wx"),
  };
  test.each(Object.entries(writes))("a failed write: %s", (_, work) => {
    expect(refused(work)).toMatchObject({
      code: "NOT_WRITABLE",
      blame: "user",
      message: expect.stringMatching(/ cannot be written: /),
    });
  });

  const reads: Record<string, () => unknown> = {
    "what is not there": () => fs.readFileSync(path.join(folder, "missing")),
    "a folder": () => fs.readFileSync(folder),
    "the entries of a file": () => fs.readdirSync(file),
    "a name that is too long": () => fs.readFileSync(path.join(folder, long)),
    "by copying what is not there": () => fs.copyFileSync(path.join(folder, "missing"), file),
  };
  test.each(Object.entries(reads))("a failed read: %s", (_, work) => {
    const refusal = refused(work);
    // Reading a folder has no path in Node's error; what is said of it is nobody's file.
    if (refusal !== null)
      expect(refusal).toMatchObject({
        code: "NOT_READABLE",
        message: expect.stringMatching(/ cannot be read: /),
      });
  });

  test.skipIf(process.getuid?.() === 0)("by what was meant where permissions are missing", () => {
    const closed = path.join(folder, "closed");
    fs.writeFileSync(closed, "", { mode: 0o000 });
    expect(refused(() => fs.readFileSync(closed))).toMatchObject({ code: "NOT_READABLE" });
    fs.chmodSync(closed, 0o400);
    expect(refused(() => fs.writeFileSync(closed, ""))).toMatchObject({ code: "NOT_WRITABLE" });
  });

  test("by the file's own name, not its draft's", () => {
    const target = path.join(folder, long);
    expect(refused(() => writeFileAtomically(target, ""))!.message).toContain(`${target} cannot be written`);
  });
});
