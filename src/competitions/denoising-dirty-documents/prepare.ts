import fs from "node:fs";
import { join } from "node:path";
import { decodeGrayPng, type GrayImage } from "../../formats/png.ts";
import { compareCodePoints } from "../../table/rows/code-point-order.ts";
import { definePreparer } from "../preparer.ts";
import { type Copy, moveFiles } from "../preparing/files/copy-files.ts";
import { listFiles, listTree, stem } from "../preparing/files/list-files.ts";
import { unpackRaw } from "../preparing/files/nested-archive.ts";
import { pause } from "../preparing/pause.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { malformed, missingFile } from "../preparing/stop-preparing.ts";

export const preparer = definePreparer({
  settings: { test_size: 0.2 },
  async prepare(preparation) {
    const unpacked = await unpackRaw(preparation, "train.zip", "unpacked");
    await unpackRaw(preparation, "train_cleaned.zip", "unpacked");
    const names = listFiles(join(unpacked, "train"), ".png");
    const split = splitItems(names.length, preparation.settings.test_size);
    const test = Array.from(split.test, (i) => names[i]).sort(compareCodePoints);

    const cleaned: [string, GrayImage][] = [];
    for (const name of test) {
      cleaned.push([stem(name), readImage(unpacked, `train_cleaned/${name}`)]);
      preparation.progress({ what: "reading cleaned images", done: cleaned.length, total: test.length });
      await pause(preparation);
    }
    writeCsv(
      join(preparation.private, "answers.csv"),
      columns({ id: "text", value: "float" }),
      pixels(cleaned, (gray) => gray / 255),
    );
    writeCsv(
      join(preparation.public, "sampleSubmission.csv"),
      columns({ id: "text", value: "int" }),
      pixels(cleaned, () => 1),
    );

    const dirty = new Set(test.map((name) => `train/${name}`));
    const answers = new Set(test.map((name) => `train_cleaned/${name}`));
    const moves = listTree(unpacked).flatMap((file): Copy[] => {
      if (answers.has(file)) return [];
      const place = dirty.has(file) ? file.replace("train", "test") : file;
      return [[join(unpacked, file), join(preparation.public, place)]];
    });
    await moveFiles(preparation, "placing images", moves);
  },
});

function readImage(folder: string, name: string): GrayImage {
  const file = join(folder, name);
  if (!fs.existsSync(file)) missingFile(name);
  const image = decodeGrayPng(fs.readFileSync(file), name);
  return image.status === "image" ? image : malformed(name, image.reason);
}

/** A row for each pixel, row by row; rows and columns count from 1. */
function* pixels(
  images: readonly [string, GrayImage][],
  value: (gray: number) => number,
): Generator<[string, number]> {
  for (const [name, { width, height, pixels }] of images) {
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        yield [`${name}_${row + 1}_${column + 1}`, value(pixels[row * width + column])];
      }
    }
  }
}
