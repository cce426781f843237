import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extractArchive } from "../../../src/archive/extract.ts";
import { listTar } from "../../../src/archive/tar.ts";
import { createTarParser } from "../../../src/archive/tar-parser.ts";
import { writeTar } from "../../../src/archive/tar-writer.ts";
import { hasProgram } from "../../tools.ts";
import { scratchFolder, tree } from "./scratch.ts";

const scratch = scratchFolder();
const hasTar = hasProgram("tar", "archives of tar, and ours in it", "sudo apt-get install tar");
const longName = `${"deep/".repeat(30)}${"ü".repeat(60)}.jpg`;
let counter = 0;
const fresh = () => join(scratch, `place-${counter++}`);

function header(name: string, type: string, size: number): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write(size.toString(8).padStart(11, "0"), 124);
  block.write("        ", 148);
  block.write(type, 156);
  block.write("ustar\x0000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

const file = (name: string, text: string) =>
  Buffer.concat([
    header(name, "0", text.length),
    Buffer.from(text),
    Buffer.alloc((512 - (text.length % 512)) % 512),
  ]);
const end = Buffer.alloc(1024);

async function extractBytes(bytes: Buffer, limits = {}) {
  const place = fresh();
  writeFileSync(`${place}.tar.gz`, bytes);
  return { place, outcome: await extractArchive(`${place}.tar.gz`, place, { limits }) };
}

describe("a tar we write", () => {
  test("comes back, plain or gzipped, with long names and folders", async () => {
    const archive = join(scratch, "ours.tar.gz");
    const text = "x".repeat(700);
    await writeTar(archive, [
      { name: "empty/", content: "folder" },
      { name: longName, content: "bytes", bytes: Buffer.from(text) },
      { name: "none.txt", content: "bytes", bytes: Buffer.alloc(0) },
    ]);
    const expected = { "empty/": "", [longName]: text, "none.txt": "" };
    const plain = fresh();
    expect(await extractArchive(archive, plain)).toMatchObject({
      status: "extracted",
      format: "tar",
      files: 2,
      bytes: 700,
    });
    expect(tree(plain)).toEqual(expected);
    const { place, outcome } = await extractBytes(gzipSync(readFileSync(archive)));
    expect(outcome).toMatchObject({ status: "extracted", format: "gzip" });
    expect(tree(place)).toEqual(expected);
    const listing = await listTar(archive);
    expect(listing.status === "listed" && listing.entries.map((entry) => entry.path)).toEqual([
      "empty",
      longName,
      "none.txt",
    ]);
  });

  test.runIf(hasTar)("satisfies tar", async () => {
    const archive = join(scratch, "theirs.tar");
    await writeTar(archive, [{ name: longName, content: "bytes", bytes: Buffer.from("x") }]);
    expect(execFileSync("tar", ["-tf", archive, "--quoting-style=literal"], { encoding: "utf8" })).toBe(
      `${longName}\n`,
    );
  });
});

test.runIf(hasTar).each(["gnu", "pax", "ustar"])(
  "tars of format %s written by tar are read",
  async (format) => {
    const folder = fresh();
    const name = format === "ustar" ? `${"a".repeat(90)}/${"b".repeat(90)}.txt` : longName;
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), "content");
    const place = fresh();
    execFileSync("tar", ["-czf", `${place}.tgz`, `--format=${format}`, "."], { cwd: folder });
    expect(await extractArchive(`${place}.tgz`, place)).toMatchObject({ status: "extracted", files: 1 });
    expect(tree(place)).toEqual({ [name]: "content" });
  },
);

test.runIf(hasTar)("a symbolic link or a hard link in a tar is refused", async () => {
  const folder = fresh();
  mkdirSync(folder);
  symlinkSync("/etc", join(folder, "link"));
  execFileSync("tar", ["-cf", `${folder}.tar`, "link"], { cwd: folder });
  const target = fresh();
  expect(await extractArchive(`${folder}.tar`, target)).toMatchObject({ code: "LINK", entry: "link" });
  const { outcome } = await extractBytes(Buffer.concat([file("a", "x"), header("b", "1", 0), end]));
  expect(outcome).toMatchObject({ code: "LINK", entry: "b" });
});

describe("a tar is refused, leaving nothing, when", () => {
  const cases: [string, Buffer, string][] = [
    ["a path leaves the target", Buffer.concat([file("../x", "x"), end]), "UNSAFE_PATH"],
    ["a path is absolute", Buffer.concat([file("/x", "x"), end]), "UNSAFE_PATH"],
    ["an entry is there twice", Buffer.concat([file("x", "1"), file("x", "2"), end]), "DUPLICATE"],
    ["a file is also a folder", Buffer.concat([file("x", "1"), file("x/y", "2"), end]), "DUPLICATE"],
    ["an entry is a device", Buffer.concat([header("x", "3", 0), end]), "LINK"],
    ["an entry is sparse", Buffer.concat([header("x", "S", 0), end]), "UNSUPPORTED"],
    ["the end is missing", file("x", "1"), "TRUNCATED"],
    ["an entry is cut off", file("x", "1".repeat(3000)).subarray(0, 1200), "TRUNCATED"],
    [
      "a header is damaged",
      Buffer.concat([file("x", "1"), header("y", "0", 0).fill("z", 0, 3), end]),
      "DAMAGED",
    ],
    [
      "the gzip is cut off",
      gzipSync(Buffer.concat([file("x", "1".repeat(5000)), end])).subarray(0, -20),
      "TRUNCATED",
    ],
    ["it is gzip but no tar", gzipSync(Buffer.from("just a text, compressed".repeat(50))), "DAMAGED"],
    [
      "an entry lies about a huge size",
      gzipSync(Buffer.concat([header("x", "0", 8e9), end])),
      "SUSPICIOUS_RATIO",
    ],
    ["zeros go on after the end", gzipSync(Buffer.concat([end, Buffer.alloc(40 << 20)])), "DAMAGED"],
  ];
  test.each(cases)("%s", async (_, bytes, code) => {
    const { place, outcome } = await extractBytes(bytes);
    expect(outcome).toMatchObject({ status: "refused", code });
    expect(readdirSync(scratch).filter((name) => name.startsWith(`${place.split("/").at(-1)}`))).toEqual([
      `${place.split("/").at(-1)}.tar.gz`,
    ]);
  });

  test("it is a bomb of real zeros", async () => {
    const bomb = gzipSync(Buffer.concat([header("x", "0", 64 << 20), Buffer.alloc(64 << 20), end]));
    expect((await extractBytes(bomb)).outcome).toMatchObject({ code: "SUSPICIOUS_RATIO", entry: "x" });
  });

  test("the size in its headers passes the limit", async () => {
    const { outcome } = await extractBytes(Buffer.concat([file("x", "12345"), file("y", "12345"), end]), {
      maxBytes: 7,
    });
    expect(outcome).toMatchObject({ code: "TOO_LARGE", entry: "y" });
  });
});

test("a tar arriving in pieces of any size reads the same", () => {
  const tar = Buffer.concat([file("a", "x".repeat(1500)), header("d", "5", 0), file("d/b", ""), end]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 20 }), (sizes) => {
      const events: string[] = [];
      let bytes = 0;
      const parser = createTarParser("t", {
        open(entry) {
          events.push(`${entry.path} ${entry.bytes}`);
          return null;
        },
        data(chunk) {
          bytes += chunk.length;
        },
        close() {
          events.push("end");
        },
      });
      for (let at = 0, i = 0; at < tar.length; i++) {
        const next = at + sizes[i % sizes.length];
        expect(parser.push(tar.subarray(at, next))).toBeNull();
        at = next;
      }
      expect(parser.finish()).toBeNull();
      expect(events).toEqual(["a 1500", "end", "d 0", "end", "d/b 0", "end"]);
      expect(bytes).toBe(1500);
    }),
  );
});
