import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { extractArchive } from "../../../src/archive/extract.ts";
import type { ExtractLimits } from "../../../src/archive/limits.ts";
import { type RawEntry, rawZip } from "./raw-zip.ts";
import { scratchFolder, tree } from "./scratch.ts";

const scratch = scratchFolder();
const innocent: RawEntry = { name: "innocent.csv", content: Buffer.from("a,b\n1,2\n") };
let counter = 0;

async function expectRefusal(zip: Buffer, code: string, words: RegExp, limits: Partial<ExtractLimits> = {}) {
  const place = join(scratch, `case-${counter++}`);
  const archive = `${place}.zip`;
  writeFileSync(archive, zip);
  const before = readdirSync(scratch).sort();
  const outcome = await extractArchive(archive, place, { limits });
  expect(outcome).toMatchObject({ status: "refused", code });
  if (outcome.status === "refused") expect(outcome.message).toMatch(words);
  expect(readdirSync(scratch).sort()).toEqual(before);
}

describe("a zip is refused, with nothing written, when an entry", () => {
  const names: [string, RegExp][] = [
    ["../outside.txt", /leaves the target folder by '\.\.'/],
    ["train/../../outside.txt", /leaves the target/],
    ["/etc/passwd", /absolute path/],
    ["C:/windows.txt", /drive letter/],
    ["..\\outside.txt", /backslash/],
    ["a\0b.txt", /NUL/],
    ["", /no name/],
  ];
  test.each(names)("is named %j", async (name, words) => {
    await expectRefusal(rawZip([innocent, { name, content: Buffer.from("x") }]), "UNSAFE_PATH", words);
  });

  test("is a symbolic link", async () => {
    const link = { name: "link", content: Buffer.from("/etc"), mode: 0o120777 };
    await expectRefusal(rawZip([innocent, link]), "LINK", /"link" is a symbolic link/);
  });

  test("is a device", async () => {
    await expectRefusal(
      rawZip([innocent, { name: "null", mode: 0o020666 }]),
      "LINK",
      /neither a file nor a folder/,
    );
  });

  test("is there twice", async () => {
    await expectRefusal(rawZip([innocent, innocent]), "DUPLICATE", /"innocent.csv" is in the archive twice/);
  });

  test("is there twice under two spellings", async () => {
    const again = { name: "./innocent.csv", content: Buffer.from("x") };
    await expectRefusal(rawZip([innocent, again]), "DUPLICATE", /twice/);
  });

  test("is a file where another needs a folder", async () => {
    const child = { name: "innocent.csv/child", content: Buffer.from("x") };
    await expectRefusal(rawZip([innocent, child]), "DUPLICATE", /innocent.csv\/child" claims a path/);
  });

  test("is encrypted", async () => {
    const secret = { name: "secret", content: Buffer.from("x"), flags: 0x801 };
    await expectRefusal(rawZip([innocent, secret]), "ENCRYPTED", /"secret" is encrypted/);
  });

  test("uses a method we do not have, which is named", async () => {
    const entry = { name: "big.csv", content: Buffer.from("x"), method: 9 };
    await expectRefusal(rawZip([innocent, entry]), "UNSUPPORTED", /Deflate64/);
  });

  test("does not match its checksum", async () => {
    const entry = { name: "big.csv", content: Buffer.from("x"), crc: 1 };
    await expectRefusal(
      rawZip([innocent, entry]),
      "CHECKSUM",
      /"big.csv" does not match its checksum. Download it again/,
    );
  });

  test("is damaged inside its packed bytes", async () => {
    const zip = rawZip([
      { name: "noise", content: Buffer.from(Array.from({ length: 900 }, (_, i) => (i * i * 31) % 251)) },
    ]);
    zip.fill(0xff, 60, 120);
    await expectRefusal(zip, "DAMAGED", /"noise" cannot be unpacked/);
  });

  test("shares its bytes with another", async () => {
    await expectRefusal(
      rawZip([innocent, { ...innocent, name: "copy.csv", offset: 0 }]),
      "OVERLAP",
      /shares its bytes/,
    );
  });

  test("reaches into the directory", async () => {
    await expectRefusal(
      rawZip([{ ...innocent, packedBytes: 5000 }]),
      "OVERLAP",
      /"innocent.csv" shares its bytes/,
    );
  });

  test("is not where the directory says", async () => {
    await expectRefusal(
      rawZip([{ ...innocent, offset: 3, packedBytes: 0 }]),
      "DAMAGED",
      /not where the directory says/,
    );
  });
});

describe("a bomb is refused", () => {
  const zeros = Buffer.alloc(64 << 20);

  test("before anything is written, when it declares its size", async () => {
    const bomb = rawZip([{ name: "bomb", content: zeros }]);
    await expectRefusal(
      bomb,
      "SUSPICIOUS_RATIO",
      /"bomb" would unpack 6[34](?:\.\d)? KiB to 64 MiB, \d+ times as much \(limit 300\)/,
    );
  });

  test("as soon as it outgrows the size it declares", async () => {
    const small = rawZip([{ name: "bomb", content: zeros, bytes: 1000 }]);
    await expectRefusal(small, "DAMAGED", /"bomb" does not have the declared size of 1000 bytes/);
    const streamed = rawZip([{ name: "bomb", content: zeros, bytes: 20 << 20 }]);
    await expectRefusal(streamed, "DAMAGED", /"bomb" does not have the declared size/, { maxRatio: 1e9 });
  });

  test("of 10 GB in 10 kB", async () => {
    const bomb = rawZip(
      Array.from({ length: 3 }, (_, i) => ({
        name: `b${i}`,
        content: Buffer.alloc(3_000_000),
        bytes: 3.4e9,
      })),
    );
    expect(bomb.length).toBeLessThan(10_000);
    await expectRefusal(bomb, "SUSPICIOUS_RATIO", /"b0" would unpack/);
  });

  test("made of many harmless parts", async () => {
    const part = Buffer.alloc(1 << 20);
    const bomb = rawZip(Array.from({ length: 64 }, (_, i) => ({ name: `part-${i}`, content: part })));
    await expectRefusal(bomb, "SUSPICIOUS_RATIO", /limit 300/);
  });

  test("by total size", async () => {
    const noise = Buffer.from(Array.from({ length: 4000 }, (_, i) => (i * 7919) % 256));
    const zip = rawZip([
      { name: "one", content: noise },
      { name: "two", content: noise },
    ]);
    await expectRefusal(zip, "TOO_LARGE", /"two" brings the unpacked size to 8 kB \(limit 5 kB\)/, {
      maxBytes: 5000,
    });
  });

  test("by the number of entries", async () => {
    const many = rawZip(Array.from({ length: 100_000 }, (_, i) => ({ name: `e${i}`, method: 0 })));
    await expectRefusal(many, "TOO_MANY_ENTRIES", /more than 50000 entries/, { maxEntries: 50_000 });
  });
});

describe("a zip is refused when its end", () => {
  test.each([1, 10, 21, 60, 100])("misses the last %i bytes", async (missing) => {
    const zip = rawZip([innocent, { name: "b", content: Buffer.from("hello") }]);
    await expectRefusal(zip.subarray(0, zip.length - missing), "TRUNCATED", /Download it again/);
  });

  test("announces zip64 and has none", async () => {
    await expectRefusal(rawZip([innocent], { start: 0xffffffff }), "DAMAGED", /claims to be zip64/);
    await expectRefusal(rawZip([{ ...innocent, bytes: 0xffffffff }]), "DAMAGED", /no zip64 sizes/);
  });

  test("has a zip64 record that contradicts it", async () => {
    const zip = rawZip([innocent], {}, (start, size) => zip64End(1, start + 5, size, start + size));
    await expectRefusal(zip, "DAMAGED", /contradicts itself/);
  });

  test("has a zip64 record pointing beyond the file", async () => {
    const zip = rawZip([innocent], { start: 0xffffffff }, (start, size) =>
      zip64End(1, 2 ** 52, size, start + size),
    );
    await expectRefusal(zip, "DAMAGED", /reaches beyond its end/);
  });

  test("has zip64 sizes that are lies", async () => {
    const extra = Buffer.alloc(12);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(2n ** 63n, 4);
    const zip = rawZip([{ ...innocent, packedBytes: 0xffffffff, extra }]);
    await expectRefusal(zip, "OVERLAP", /shares its bytes/);
    const grown = rawZip([{ ...innocent, bytes: 0xffffffff, extra }]);
    await expectRefusal(grown, "TOO_LARGE", /brings the unpacked size/);
  });

  test("announces another number of entries than it lists", async () => {
    await expectRefusal(rawZip([innocent], { count: 7 }), "DAMAGED", /announces 7 entries and lists 1/);
  });

  test("places the directory beyond the file", async () => {
    await expectRefusal(rawZip([innocent], { start: 1e6 }), "DAMAGED", /reaches beyond its end/);
  });
});

test("any single changed byte is either refused or harmless, never a crash", async () => {
  const zip = rawZip([
    innocent,
    { name: "folder/", method: 0, mode: 0o40755 },
    { name: "folder/x", content: Buffer.from("y") },
  ]);
  const archive = join(scratch, "changed.zip");
  for (let i = 0; i < zip.length; i++) {
    const changed = Buffer.from(zip);
    changed[i] ^= 0x55;
    writeFileSync(archive, changed);
    const target = join(scratch, `changed-${i}`);
    const outcome = await extractArchive(archive, target);
    if (outcome.status === "extracted") expect(Object.keys(tree(target)).length).toBeLessThanOrEqual(3);
    else expect(readdirSync(scratch)).not.toContain(`changed-${i}`);
  }
});

function zip64End(count: number, start: number, size: number, at: number): Buffer {
  const record = Buffer.alloc(76);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(at), 64);
  return record;
}
