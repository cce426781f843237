import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type RawEntry, rawZip } from "../../unit/archive/raw-zip.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { prepare } from "./golden-raw.ts";

const LEAF = "leaf-classification";
const content = Buffer.from("x");

const HOSTILE: [string, Buffer, string][] = [
  ["leads out of the folder", rawZip([{ name: "../../../escaped.txt", content }]), "UNSAFE_PATH"],
  ["is absolute", rawZip([{ name: "/tmp/mlebench-escaped.txt", content }]), "UNSAFE_PATH"],
  [
    "is a symbolic link",
    rawZip([{ name: "train.csv", content: Buffer.from("/etc/passwd"), mode: 0o120777 }]),
    "LINK",
  ],
  ["is there twice", rawZip([{ name: "a", content } as RawEntry, { name: "a", content }]), "DUPLICATE"],
  ["is encrypted", rawZip([{ name: "a", content, flags: 0x801 }]), "ENCRYPTED"],
  ["says it is 4 GB", rawZip([{ name: "a", content, bytes: 4e9 }]), "SUSPICIOUS_RATIO"],
  ["is cut short", rawZip([{ name: "a", content: Buffer.alloc(5000, 7) }]).subarray(0, 60), "TRUNCATED"],
];

describe("a raw archive with an entry that", () => {
  it.each(HOSTILE)("%s is refused with a sentence, and nothing is left", (_, zip, code) => {
    const folder = temporaryFolder();
    const data = path.join(folder, "a/b/data");
    const archive = writeText(folder, "raw.zip", zip);
    const run = prepare(["-c", LEAF, "--raw", archive, "--data-dir", data]);
    expect(run.code).toBe(3);
    expect(run.outcomes).toMatchObject([{ status: "failed", stage: "extract", code }]);
    expect(String(run.outcomes[0].message)).toMatch(/^raw\.zip.*\.$/s);
    expect(String(run.outcomes[0].nextStep)).toMatch(/^[A-Z].*\.$/s);
    expect(fs.readdirSync(path.join(data, LEAF))).toEqual([]);
    expect(fs.readdirSync(folder).sort()).toEqual(["a", "raw.zip"]);
    expect(fs.existsSync("/tmp/mlebench-escaped.txt")).toBe(false);
  });
});
