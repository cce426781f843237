import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { isNotPlain, openAppending, readPlainText } from "../../../src/files/plain-file.ts";
import { temporaryFolder, writeText } from "../../e2e/temporary-folder.ts";

const thrown = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
};

function scene() {
  const folder = temporaryFolder();
  const file = writeText(folder, "file", "content");
  const place = (name: string) => path.join(folder, name);
  execFileSync("mkfifo", [place("pipe")]);
  fs.symlinkSync(file, place("link"));
  fs.symlinkSync("/dev/zero", place("endless"));
  return { folder, file, place };
}

test("a regular file is read, through a link only where that is allowed", () => {
  const { file, place } = scene();
  expect(readPlainText(file)).toBe("content");
  expect(readPlainText(place("link"))).toBe("content");
  expect(thrown(() => readPlainText(place("link"), { links: "refuse" }))).toSatisfy(isNotPlain);
  expect(thrown(() => readPlainText(place("missing")))).toMatchObject({ code: "ENOENT" });
});

test("pipes, devices, folders and what is too large are refused at once", () => {
  const { folder, file, place } = scene();
  for (const strange of [place("pipe"), place("endless"), folder])
    expect(thrown(() => readPlainText(strange))).toSatisfy(isNotPlain);
  expect(thrown(() => readPlainText(file, { maxBytes: 6 }))).toSatisfy(isNotPlain);
});

test("what is written at a file's end goes through no link and into no pipe", () => {
  const { folder, file, place } = scene();
  for (const [name, text] of [
    ["file", "content, more"],
    ["new", ", more"],
  ]) {
    const handle = openAppending(place(name));
    fs.writeSync(handle, ", more");
    fs.closeSync(handle);
    expect(fs.readFileSync(place(name), "utf8")).toBe(text);
  }
  fs.symlinkSync(path.join(folder, "nowhere"), place("dangling"));
  for (const name of ["link", "dangling", "endless", "pipe"])
    expect(thrown(() => openAppending(place(name)))).not.toBeNull();
  expect(fs.readFileSync(file, "utf8")).toBe("content, more");
  expect(fs.existsSync(path.join(folder, "nowhere"))).toBe(false);
});
