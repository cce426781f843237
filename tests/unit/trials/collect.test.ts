import fs from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { collectFolder, removeTree } from "../../../src/trials/trial/collect.ts";
import { temporaryFolder, writeText } from "../../e2e/temporary-folder.ts";

test("what an agent left is cleaned before it is moved: a kill in between leaves no link among what is kept", async () => {
  const folder = temporaryFolder();
  const [from, to] = [path.join(folder, "work/logs"), path.join(folder, "logs")];
  writeText(from, "agent.log", "hello");
  fs.symlinkSync("/etc/passwd", path.join(from, "link"));
  // Something in the way keeps it from being moved, as a kill would.
  writeText(to, "earlier.log", "earlier");
  expect((await collectFolder(from, to)).join("\n")).toContain("not everything could be collected");
  expect(fs.readdirSync(from)).toEqual(["agent.log"]);
  expect(fs.readdirSync(to)).toEqual(["earlier.log"]);

  fs.rmSync(to, { recursive: true });
  expect(await collectFolder(from, to)).toEqual([]);
  expect(fs.readdirSync(to)).toEqual(["agent.log"]);
});

test("more files than are kept, deep ones and full folders are removed, whatever they are called", async () => {
  const folder = temporaryFolder();
  const [from, to] = [path.join(folder, "work/logs"), path.join(folder, "logs")];
  for (let i = 0; i < 60; i++) writeText(from, `f${i}`, "");
  for (let i = 0; i < 20; i++) writeText(from, `a/b/c/${i}`, "");
  for (const name of ["a", "b"])
    fs.renameSync(path.join(from, `f${name === "a" ? 1 : 2}`), path.join(from, `${name}\n`));
  const notes = await collectFolder(from, to, { files: 50, totalBytes: 1000, depth: 2 });
  const kept = fs.readdirSync(to, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(kept.length).toBe(50);
  for (const { name } of kept) expect(name).toMatch(/^(f\d+|[ab]%0a)$/);
  expect(notes.join("\n")).toMatch(/2 names were not plain text/);
  expect(notes.join("\n")).toMatch(/11 entries beyond 50 files, 1000 bytes or 2 levels were not kept/);
});

test("thousands of full folders beyond what is kept are removed by a few programs, closed ones too", async () => {
  const folder = temporaryFolder();
  const [from, to] = [path.join(folder, "work/logs"), path.join(folder, "logs")];
  // Each program that is asked to remove says so in a file.
  const programs = path.join(folder, "bin");
  const rm = `#!/bin/sh\necho >> '${folder}/started'\nPATH='${process.env.PATH}' exec rm "$@"\n`;
  fs.chmodSync(writeText(programs, "rm", rm), 0o755);
  for (let i = 0; i < 2000; i++) writeText(from, `folder${i}/file`, "");
  fs.chmodSync(path.join(from, "folder7"), 0o000);
  vi.stubEnv("PATH", `${programs}:${process.env.PATH}`);
  try {
    const notes = await collectFolder(from, to, { files: 0, totalBytes: 1000, depth: 2 });
    expect(notes).toEqual(["logs: 2000 entries beyond 0 files, 1000 bytes or 2 levels were not kept"]);
  } finally {
    vi.unstubAllEnvs();
  }
  expect(fs.readdirSync(to)).toEqual([]);
  expect(fs.statSync(path.join(folder, "started")).size).toBeLessThan(20);
});

test.each(["nothing", "a file", "a link to a folder", "an empty folder", "a full folder"])(
  "removing %s leaves nothing of it, and what a link leads to",
  async (what) => {
    const folder = temporaryFolder();
    const place = path.join(folder, "place");
    writeText(folder, "precious/file", "kept");
    if (what === "a file") writeText(folder, "place", "x");
    if (what === "a link to a folder") fs.symlinkSync(path.join(folder, "precious"), place);
    if (what.endsWith("folder") && !what.startsWith("a link")) fs.mkdirSync(place);
    if (what === "a full folder") writeText(place, "deep/er/file", "x");
    await removeTree(place);
    expect(fs.readdirSync(folder)).toEqual(["precious"]);
    expect(fs.readdirSync(path.join(folder, "precious"))).toEqual(["file"]);
  },
);
