import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { extractArchive } from "../../../src/archive/extract.ts";
import { listSevenZip, writeSevenZip } from "../../../src/archive/seven-zip.ts";
import { runSevenZip } from "../../../src/archive/seven-zip-process.ts";
import { scratchFolder, tree } from "./scratch.ts";

const scratch = scratchFolder();
const source = join(scratch, "source");
mkdirSync(join(source, "train/empty"), { recursive: true });
writeFileSync(join(source, "train/é ü.jpg"), "picture".repeat(500));
writeFileSync(join(source, "-name.csv"), "id\n");
writeFileSync(join(source, "@list"), "x");

async function pack(name: string, extra: string[], names: string[]): Promise<string> {
  const result = await runSevenZip({
    args: ["a", ...extra, `/out/${name}`, "@/names"],
    mounts: [
      { at: "/in", folder: source },
      { at: "/out", folder: scratch },
    ],
    files: { "/names": names.join("\n") },
    workingFolder: "/in",
    maxWrittenBytes: Number.POSITIVE_INFINITY,
    onWritten: () => {},
    signal: null,
  });
  expect(result).toMatchObject({ status: "done", code: 0 });
  return join(scratch, name);
}

test("a 7z we write comes back, odd names and folders included, and has the same bytes each time", async () => {
  const archive = join(scratch, "ours.7z");
  expect(await writeSevenZip(archive, source, ["train", "-name.csv", "@list"])).toMatchObject({
    status: "written",
  });
  const target = join(scratch, "ours");
  const expected = {
    "train/é ü.jpg": Buffer.from("picture".repeat(500)).toString("latin1"),
    "-name.csv": "id\n",
    "@list": "x",
    "train/empty/": "",
  };
  expect(await extractArchive(archive, target)).toMatchObject({
    status: "extracted",
    format: "7z",
    files: 3,
    bytes: 3504,
  });
  expect(tree(target)).toEqual(expected);
  const first = readFileSync(archive);
  await writeSevenZip(archive, source, ["train", "-name.csv", "@list"]);
  expect(readFileSync(archive)).toEqual(first);
});

test("rights stored in a 7z are not given to the files", async () => {
  writeFileSync(join(source, "program"), "x", { mode: 0o4777 });
  chmodSync(join(source, "program"), 0o4777);
  const archive = join(scratch, "rights.7z");
  await writeSevenZip(archive, source, ["program"]);
  const target = join(scratch, "rights");
  await extractArchive(archive, target);
  expect(statSync(join(target, "program")).mode & 0o7111).toBe(0);
});

test("a listing tells folders, sizes and names", async () => {
  const archive = join(scratch, "listed.7z");
  await writeSevenZip(archive, source, ["train"]);
  const entries = await listSevenZip(archive);
  if ("status" in entries) throw new Error(entries.message);
  const rows = entries.map(({ name, folder, bytes }) => `${name} ${folder} ${bytes}`).sort();
  expect(rows).toEqual(["train true 0", "train/empty true 0", "train/é ü.jpg false 3500"]);
});

test("only the wanted entries are extracted", async () => {
  const archive = join(scratch, "partly.7z");
  await writeSevenZip(archive, source, ["train", "-name.csv", "@list"]);
  const target = join(scratch, "partly");
  expect(await extractArchive(archive, target, { only: (path) => path === "@list" })).toMatchObject({
    files: 1,
  });
  expect(tree(target)).toEqual({ "@list": "x" });
});

describe("a 7z is refused, leaving nothing, when", () => {
  async function refusal(archive: string, limits = {}) {
    const target = join(scratch, "refused");
    const outcome = await extractArchive(archive, target, { limits });
    expect(readdirSync(scratch).filter((name) => name.startsWith("refused"))).toEqual([]);
    return outcome;
  }

  test("an entry is a symbolic link", async () => {
    symlinkSync("/etc", join(source, "link"));
    const archive = await pack("link.7z", ["-snl"], ["link"]);
    expect(await refusal(archive)).toMatchObject({ code: "LINK", entry: "link" });
  });

  test("its files or its headers are encrypted", async () => {
    const files = await pack("files.7z", ["-psecret"], ["@list"]);
    expect(await refusal(files)).toMatchObject({ code: "ENCRYPTED" });
    const headers = await pack("headers.7z", ["-psecret", "-mhe=on"], ["@list"]);
    expect(await refusal(headers)).toMatchObject({ code: "ENCRYPTED" });
  });

  test("it is cut off or damaged", async () => {
    const archive = join(scratch, "whole.7z");
    await writeSevenZip(archive, source, ["train"]);
    const bytes = readFileSync(archive);
    writeFileSync(join(scratch, "cut.7z"), bytes.subarray(0, bytes.length - 40));
    expect(await refusal(join(scratch, "cut.7z"))).toMatchObject({ code: "TRUNCATED", retryable: true });
    const damaged = Buffer.from(bytes);
    damaged[45] ^= 0xff;
    writeFileSync(join(scratch, "damaged.7z"), damaged);
    expect(await refusal(join(scratch, "damaged.7z"))).toMatchObject({
      status: "refused",
      blame: "task",
      retryable: true,
    });
  });

  test("it is a bomb", async () => {
    writeFileSync(join(source, "zeros"), Buffer.alloc(64 << 20));
    const archive = await pack("bomb.7z", [], ["zeros"]);
    expect(await refusal(archive)).toMatchObject({ code: "SUSPICIOUS_RATIO", entry: "zeros" });
  });

  test("a path leaves the target", async () => {
    const archive = await pack("up.7z", ["-spf"], ["../in/-name.csv"]);
    const outcome = await refusal(archive);
    expect(outcome).toMatchObject({ status: "refused", code: "UNSAFE_PATH" });
  });
});

test("the run is stopped as soon as more is written than allowed", async () => {
  const archive = join(scratch, "more.7z");
  await writeSevenZip(archive, source, ["train"]);
  const out = join(scratch, "more");
  mkdirSync(out);
  const result = await runSevenZip({
    args: ["x", "-o/out", "/in/more.7z"],
    mounts: [
      { at: "/in", folder: scratch },
      { at: "/out", folder: out },
    ],
    files: {},
    workingFolder: "/",
    maxWrittenBytes: 100,
    onWritten: () => {},
    signal: null,
  });
  expect(result).toEqual({ status: "stopped", why: "too-large" });
});

test("without the optional package the run says that it is missing", async () => {
  const run = {
    args: [],
    mounts: [],
    files: {},
    workingFolder: "/",
    maxWrittenBytes: 0,
    onWritten: () => {},
    signal: null,
  };
  const nothingInstalled = () => {
    throw new Error("Cannot find module");
  };
  expect(await runSevenZip(run, nothingInstalled)).toEqual({ status: "missing" });
});
