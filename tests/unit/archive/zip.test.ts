import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extractArchive } from "../../../src/archive/extract.ts";
import type { PackEntry } from "../../../src/archive/pack-entry.ts";
import { listZip, readZipEntry } from "../../../src/archive/zip-reader.ts";
import { writeZip } from "../../../src/archive/zip-writer.ts";
import { hasProgram } from "../../tools.ts";
import { rawZip } from "./raw-zip.ts";
import { scratchFolder, tree } from "./scratch.ts";

const scratch = scratchFolder();
const has = (tool: string) => hasProgram(tool, "zips of other programs, and ours in them");
let counter = 0;
const fresh = () => join(scratch, `place-${counter++}`);

function bytesEntry(name: string, text: string): PackEntry {
  return { name, content: "bytes", bytes: Buffer.from(text, "latin1") };
}

describe("a zip we write", () => {
  const part = fc.stringMatching(/^[a-zA-Z0-9 äé漢🙂_-]{1,12}$/u).filter((name) => !name.startsWith("."));
  const files = fc.dictionary(
    fc.tuple(part, part).map((parts) => parts.join("/")),
    fc.uint8Array({ maxLength: 3000 }),
    {
      maxKeys: 12,
    },
  );

  test("comes back byte for byte, whatever the names and contents", async () => {
    await fc.assert(
      fc.asyncProperty(
        files,
        fc.constantFrom("deflate" as const, "store" as const),
        async (contents, method) => {
          const place = fresh();
          const entries = Object.entries(contents).map(([name, bytes]) => ({
            name,
            content: "bytes" as const,
            bytes,
          }));
          await writeZip(`${place}.zip`, entries, method);
          const outcome = await extractArchive(`${place}.zip`, place);
          expect(outcome).toMatchObject({ status: "extracted", format: "zip", files: entries.length });
          const expected = entries.map(({ name, bytes }) => [name, Buffer.from(bytes).toString("latin1")]);
          expect(tree(place)).toEqual(Object.fromEntries(expected));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("has the same bytes each time", async () => {
    const entries = [bytesEntry("train/a.txt", "hello"), bytesEntry("b", "x".repeat(1000))];
    await writeZip(join(scratch, "one.zip"), entries, "deflate");
    await writeZip(join(scratch, "two.zip"), entries, "deflate");
    expect(readFileSync(join(scratch, "one.zip"))).toEqual(readFileSync(join(scratch, "two.zip")));
  });

  test.runIf(has("unzip"))("satisfies unzip, with its folder entry", async () => {
    const archive = join(scratch, "checked.zip");
    await writeZip(
      archive,
      [{ name: "train2/", content: "folder" }, bytesEntry("train2/é.aif", "x")],
      "deflate",
    );
    expect(execFileSync("unzip", ["-t", archive], { encoding: "utf8" })).toMatch(/No errors detected/);
  });

  test("refuses a name that would leave the target of whoever unpacks it", async () => {
    await expect(writeZip(join(scratch, "bad.zip"), [bytesEntry("../x", "")], "store")).rejects.toThrow(
      /leaves the target/,
    );
  });

  test("may have more than 65,535 entries, by zip64", async () => {
    const archive = join(scratch, "many.zip");
    const entries = Array.from({ length: 70_000 }, (_, i) => bytesEntry(`f${i}`, `${i}`));
    await writeZip(archive, entries, "store");
    const listing = listZip(archive);
    expect(listing.status === "listed" && listing.entries.length).toBe(70_000);
    expect(readZipEntry(archive, "f69999", 100)).toEqual({ status: "read", bytes: Buffer.from("69999") });
  });
});

describe("large entries are streamed", () => {
  const size = 40 << 20;
  const source = join(scratch, "large.bin");
  const content = Buffer.alloc(size);
  for (let i = 0; i < size; i += 4) content.writeUInt32LE(Math.imul(i, 2654435761) >>> 12, i);
  writeFileSync(source, content);
  const digest = createHash("md5").update(content).digest("hex");

  test.each(["deflate", "store"] as const)(
    "and come back (%s), with progress that ends at the total",
    async (method) => {
      const place = fresh();
      await writeZip(`${place}.zip`, [{ name: "deep/large.bin", content: "file", file: source }], method);
      const seen: number[] = [];
      const outcome = await extractArchive(`${place}.zip`, place, {
        onProgress: ({ doneBytes }) => seen.push(doneBytes),
      });
      expect(outcome).toMatchObject({ status: "extracted", bytes: size });
      expect(
        createHash("md5")
          .update(readFileSync(join(place, "deep/large.bin")))
          .digest("hex"),
      ).toBe(digest);
      expect(seen.at(-1)).toBe(size);
    },
  );

  test("and a cut or damaged one is refused", async () => {
    const zip = rawZip([{ name: "large.bin", content }]);
    const damaged = Buffer.from(zip);
    damaged[zip.length >> 1] ^= 1;
    writeFileSync(join(scratch, "damaged.zip"), damaged);
    const outcome = await extractArchive(join(scratch, "damaged.zip"), fresh());
    expect(outcome).toMatchObject({ status: "refused", entry: "large.bin" });
    expect(["CHECKSUM", "DAMAGED"]).toContain(outcome.status === "refused" && outcome.code);
  });

  test("and stop when the caller aborts", async () => {
    const place = fresh();
    await writeZip(`${place}.zip`, [{ name: "large.bin", content: "file", file: source }], "store");
    const stop = new AbortController();
    const outcome = await extractArchive(`${place}.zip`, place, {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    // The last report comes when all is done; a stop before that leaves nothing.
    if (outcome.status === "refused")
      expect(outcome).toMatchObject({ code: "INTERRUPTED", blame: "user", retryable: true });
    stop.abort();
    expect(await extractArchive(`${place}.zip`, fresh(), { signal: stop.signal })).toMatchObject({
      code: "INTERRUPTED",
    });
  });
});

test("names without the UTF-8 flag are read by code page 437", () => {
  const archive = join(scratch, "cp437.zip");
  const zip = rawZip([{ name: "z??.txt", content: Buffer.from("x"), flags: 0 }]);
  for (let at = zip.indexOf("??"); at >= 0; at = zip.indexOf("??", at + 1)) zip.set([0x84, 0xe1], at);
  writeFileSync(archive, zip);
  const listing = listZip(archive);
  expect(listing.status === "listed" && listing.entries[0].path).toBe("zäß.txt");
});

test("only the wanted entries are extracted, and a bad one elsewhere does not matter", async () => {
  const archive = join(scratch, "partly.zip");
  const broken = { name: "test/b.csv", content: Buffer.from("b"), crc: 7 };
  writeFileSync(archive, rawZip([{ name: "train/a.csv", content: Buffer.from("a") }, broken]));
  const place = fresh();
  const outcome = await extractArchive(archive, place, { only: (path) => path.startsWith("train/") });
  expect(outcome).toMatchObject({ status: "extracted", files: 1 });
  expect(tree(place)).toEqual({ "train/a.csv": "a" });
});

test("one entry is read without extracting; a missing or too large one says so", () => {
  const archive = join(scratch, "read.zip");
  writeFileSync(archive, rawZip([{ name: "a.csv", content: Buffer.from("id\n1\n") }]));
  expect(readZipEntry(archive, "a.csv", 100)).toEqual({ status: "read", bytes: Buffer.from("id\n1\n") });
  expect(readZipEntry(archive, "b.csv", 100)).toMatchObject({ code: "NO_SUCH_ENTRY", entry: "b.csv" });
  expect(readZipEntry(archive, "a.csv", 2)).toMatchObject({ code: "TOO_LARGE", entry: "a.csv" });
  expect(readZipEntry(join(scratch, "none.zip"), "a", 1)).toMatchObject({ code: "NOT_FOUND", blame: "user" });
});

test.runIf(has("zip"))("zips of the zip tool are read, also with data descriptors from a pipe", async () => {
  const folder = fresh();
  mkdirSync(join(folder, "sub"), { recursive: true });
  writeFileSync(join(folder, "sub/é.csv"), "a,b\n".repeat(500));
  const piped = execFileSync("sh", ["-c", "zip -q -r - . | cat"], { cwd: folder });
  const place = fresh();
  writeFileSync(`${place}.zip`, piped);
  expect(await extractArchive(`${place}.zip`, place)).toMatchObject({ status: "extracted", files: 1 });
  expect(Object.values(tree(place))).toEqual(["a,b\n".repeat(500)]);
});
