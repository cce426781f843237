import fs from "node:fs";
import { join } from "node:path";
import { decodeGrayPng, type GrayImage } from "../../formats/png.ts";
import { compareCodePoints } from "../../table/rows/code-point-order.ts";
import { definePreparer } from "../preparer.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { listFiles, stem } from "../preparing/files/list-files.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { STARTER_SPLIT_SEED } from "../preparing/starter-seed.ts";
import { malformed } from "../preparing/stop-preparing.ts";

const PIXELS = columns({ id: "text", value: "int" });

export const preparer = definePreparer({
  settings: { test_size: 50, split_seed: STARTER_SPLIT_SEED },
  async prepare(preparation) {
    const { raw, public: open, settings } = preparation;
    const names = listFiles(join(raw, "clean"), ".png");
    const split = splitItems(names.length, settings.test_size, settings.split_seed);
    const [train, test] = [split.train, split.test].map((half) =>
      Array.from(half, (i) => names[i]).sort(compareCodePoints),
    );
    const clean = test.map((name): [string, GrayImage] => [stem(name), readImage(raw, `clean/${name}`)]);
    writeCsv(
      join(preparation.private, "test.csv"),
      PIXELS,
      pixelRows(clean, (gray) => gray),
    );
    writeCsv(
      join(open, "sample_submission.csv"),
      PIXELS,
      pixelRows(clean, () => 255),
    );
    await copyNamed(preparation, join(raw, "dirty"), join(open, "test"), test);
    await copyNamed(preparation, join(raw, "dirty"), join(open, "train"), train);
    await copyNamed(preparation, join(raw, "clean"), join(open, "train_cleaned"), train);
  },
});

function readImage(folder: string, name: string): GrayImage {
  const image = decodeGrayPng(fs.readFileSync(join(folder, name)), name);
  return image.status === "image" ? image : malformed(name, image.reason);
}

/** A row for each pixel, row by row; rows and columns count from 1. */
function* pixelRows(
  images: readonly [string, GrayImage][],
  value: (gray: number) => number,
): Generator<[string, number]> {
  for (const [name, { width, pixels }] of images) {
    for (const [at, gray] of pixels.entries())
      yield [`${name}_${Math.floor(at / width) + 1}_${(at % width) + 1}`, value(gray)];
  }
}
