import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { extractArchive } from "../../../src/archive/extract.ts";
import { decodeGrayPng, pngSize } from "../../../src/formats/png.ts";
import { floatText } from "../../../src/table/python-text.ts";
import { goldenCase, scratchFolder } from "./scratch.ts";

const scratch = scratchFolder();

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

function png(width: number, height: number, depth: number, colour: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = depth;
  header[9] = colour;
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

test("gray bits are spread over 0 to 255 and colours weighed", () => {
  const bits = decodeGrayPng(png(4, 1, 2, 0, Buffer.from([0, 0b00011011])), "a.png");
  expect(bits.status === "image" && [...bits.pixels]).toEqual([0, 85, 170, 255]);
  const colours = decodeGrayPng(png(3, 1, 8, 2, Buffer.from([0, 255, 0, 0, 0, 255, 0, 0, 0, 255])), "a.png");
  expect(colours.status === "image" && [...colours.pixels]).toEqual([76, 150, 29]);
});

test("the size comes from the header", () => {
  expect(pngSize(png(300, 7, 8, 0, Buffer.alloc(0)))).toEqual({ width: 300, height: 7 });
  expect(pngSize(Buffer.from("GIF89a and more bytes than that"))).toBeNull();
});

test.each([
  ["16-bit", png(1, 1, 16, 0, Buffer.from([0, 1, 2])), /16 bits/],
  ["with too few pixels", png(9, 9, 8, 0, Buffer.from([0, 1, 2])), /pixels are damaged/],
  ["with too many pixels", png(1, 1, 8, 0, Buffer.alloc(1 << 20)), /pixels are damaged/],
  ["of gigantic size", png(2 ** 31, 2 ** 31, 8, 0, Buffer.alloc(1)), /impossible size/],
  ["with an unknown filter", png(1, 1, 8, 0, Buffer.from([9, 1])), /unknown filter/],
  ["cut off", png(1, 1, 8, 0, Buffer.from([0, 1])).subarray(0, 50), /damaged PNG/],
  ["that is none", Buffer.from("not a picture at all, really"), /not a PNG/],
])("a PNG %s is a problem with a sentence", (_, bytes, words) => {
  const image = decodeGrayPng(bytes, "a.png");
  expect(image.status === "unreadable" && image.reason).toMatch(words);
});

describe("golden images", () => {
  test.each(["denoising-dirty-documents", "denoising-dirty-documents/variants/png-modes"])(
    "of %s decode to the recorded gray levels, in every PNG mode",
    async (id) => {
      const golden = await goldenCase(id, scratch);
      await extractArchive(join(golden.raw, "train_cleaned.zip"), golden.raw);
      const rows = golden.expectedText("private/answers.csv").trim().split("\n").slice(1);
      const recorded = new Map(rows.map((row) => row.split(",") as [string, string]));
      const stems = new Set(rows.map((row) => row.split("_")[0]));
      let pixels = 0;
      for (const stem of stems) {
        const image = decodeGrayPng(readFileSync(join(golden.raw, "train_cleaned", `${stem}.png`)), stem);
        if (image.status !== "image") throw new Error(image.reason);
        for (let i = 0; i < image.pixels.length; i++) {
          const key = `${stem}_${Math.floor(i / image.width) + 1}_${(i % image.width) + 1}`;
          if (recorded.get(key) !== floatText(image.pixels[i] / 255)) expect(key).toBe("equal");
          pixels++;
        }
      }
      expect(pixels).toBe(rows.length);
    },
  );
});
