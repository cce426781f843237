import fs from "node:fs";
import { join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { extractArchive } from "../../../../src/archive/extract.ts";
import { writeTar } from "../../../../src/archive/tar-writer.ts";
import { writeZip } from "../../../../src/archive/zip-writer.ts";
import { withoutLabels } from "../../../../src/competitions/multi-modal-gesture-recognition/mat-labels.ts";
import { preparer } from "../../../../src/competitions/multi-modal-gesture-recognition/prepare.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { read, workshop } from "./workshop.ts";

function element(type: number, content: Buffer): Buffer {
  const tag = Buffer.alloc(8);
  tag.writeUInt32LE(type, 0);
  tag.writeUInt32LE(content.length, 4);
  const padding = type === 15 ? 0 : (8 - (content.length % 8)) % 8;
  return Buffer.concat([tag, content, Buffer.alloc(padding)]);
}

function matrix(kind: number, ...rest: Buffer[]): Buffer {
  const flags = Buffer.alloc(8);
  flags[0] = kind;
  const dimensions = Buffer.from(new Int32Array([1, 1]).buffer);
  return element(14, Buffer.concat([element(6, flags), element(5, dimensions), ...rest]));
}

function text(value: string): Buffer {
  return matrix(4, element(1, Buffer.alloc(0)), element(16, Buffer.from(value)));
}

/** A MATLAB file with one struct. */
function mat(fields: Record<string, string>, packed = true): Buffer {
  const names = Object.keys(fields).map((name) => name.padEnd(16, "\0"));
  const video = matrix(
    2,
    element(1, Buffer.from("Video")),
    Buffer.from([5, 0, 4, 0, 16, 0, 0, 0]),
    element(1, Buffer.from(names.join(""))),
    ...Object.values(fields).map(text),
  );
  const header = Buffer.from(`${"MATLAB 5.0 MAT-file".padEnd(124, " ")}\0\u0001IM`, "latin1");
  return Buffer.concat([header, packed ? element(15, deflateSync(video)) : video]);
}

const SESSION = { NumFrames: "1254", Labels: "vattene", FrameRate: "20" };

test.each([true, false])("labels are emptied and the other fields stay (compressed: %s)", (packed) => {
  const empty = Buffer.from([14, 0, 0, 0, 0, 0, 0, 0]);
  const bare = mat({ ...SESSION, Labels: "@" }, false).toString("latin1");
  const expected = Buffer.from(
    bare.replace(text("@").toString("latin1"), empty.toString("latin1")),
    "latin1",
  );
  const cleaned = withoutLabels(mat(SESSION, packed))!;
  expect(cleaned.includes("vattene")).toBe(false);
  if (!packed) {
    expected.writeUInt32LE(expected.length - 136, 132);
    expect(cleaned).toEqual(expected);
  }
  expect(withoutLabels(cleaned)).toEqual(cleaned);
});

test("a file without labels, or that is not a MATLAB file, is not called clean", () => {
  expect(withoutLabels(mat({ NumFrames: "1254" }))).toBeNull();
  expect(withoutLabels(Buffer.from("MATLAB 7.3 MAT-file"))).toBeNull();
});

test("no bytes make the reader throw", () => {
  const good = mat(SESSION, false);
  const change = fc.tuple(fc.nat(good.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 5 }), fc.nat(good.length), (changes, length) => {
      const bytes = Buffer.from(good);
      for (const [at, value] of changes) bytes[at] = value;
      withoutLabels(bytes.subarray(0, length));
    }),
  );
});

const COPIED = ["training1", "training2", "training3", "validation1", "validation2", "validation3"];
const RAW = {
  "training.csv": "Id,Sequence\n0001,3 1\n0002,2\n0003,5\n",
  "devel01-40.7z": "7z",
  "valid_all_files_combined.7z": "7z",
  "sample_code_mmrgc.zip": "zip",
  ...Object.fromEntries(COPIED.map((name) => [`${name}.tar.gz`, name])),
};

async function packSessions(raw: string, root: string, sessions: readonly string[]): Promise<void> {
  const tar = join(root, "training4.tar");
  await writeTar(
    tar,
    sessions.map((name) => ({ name, content: "file", file: join(root, name) })),
  );
  fs.writeFileSync(join(raw, "training4.tar.gz"), gzipSync(fs.readFileSync(tar)));
}

test("a session that is packed twice is still one session", async () => {
  const { preparation, root, out } = workshop(RAW);
  fs.writeFileSync(join(root, "Sample00003.zip"), "");
  await packSessions(preparation.raw, root, ["Sample00003.zip", "Sample00003.zip"]);
  await runPreparer({ preparer, raw: preparation.raw, out });
  expect(read(out, "public/test.csv")).toBe("Id\n0003\n");
});

test("the test archive of version v2 holds the sessions without their labels", async () => {
  const { preparation, root, out } = workshop(RAW);
  for (const [name, data] of [
    ["Sample00001", mat(SESSION)],
    ["Sample00003", mat({ Frames: "1" })],
  ] as const) {
    await writeZip(
      join(root, `${name}.zip`),
      [
        { name: `${name}_data.mat`, content: "bytes", bytes: data },
        { name: `${name}_audio.wav`, content: "bytes", bytes: Buffer.from("sound") },
      ],
      "deflate",
    );
  }
  const sessions = ["Sample00001.zip", "Sample00003.zip"];
  await packSessions(preparation.raw, root, sessions);
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out, version: "v2" });
  expect(outcome).toEqual({
    status: "prepared",
    warnings: [expect.stringContaining("Sample00003_data.mat is left out")],
  });
  const unpacked = join(root, "unpacked");
  await extractArchive(join(out, "public/test.tar.gz"), unpacked);
  for (const name of sessions) await extractArchive(join(unpacked, name), unpacked);
  expect(fs.readdirSync(unpacked).sort()).toEqual([
    "Sample00001.zip",
    "Sample00001_audio.wav",
    "Sample00001_data.mat",
    "Sample00003.zip",
    "Sample00003_audio.wav",
  ]);
  expect(fs.readFileSync(join(unpacked, "Sample00001_data.mat"))).toEqual(withoutLabels(mat(SESSION)));
});
