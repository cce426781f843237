import { expect, test } from "vitest";
import { preparer as herbarium2021 } from "../../../../src/competitions/herbarium-2021-fgvc8/prepare.ts";
import { preparer as herbarium2022 } from "../../../../src/competitions/herbarium-2022-fgvc9/prepare.ts";
import type { Preparer } from "../../../../src/competitions/preparer.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { read, workshop } from "./workshop.ts";

function metadata(file: (i: number) => string, categories = [3, 3, 8], imageIds = [0, 1, 2]): string {
  return JSON.stringify({
    annotations: categories.map((category_id, i) => ({ category_id, image_id: imageIds[i] })),
    images: categories.map((_, i) => ({ id: i, image_id: i, file_name: file(i) })),
    info: {},
    licenses: [],
  });
}

async function prepared(preparer: Preparer, raw: Record<string, string>) {
  const { preparation, out } = workshop(raw);
  return { outcome: await runPreparer({ preparer, raw: preparation.raw, out }), out };
}

const pictures = { "train/0.jpg": "0", "train/1.jpg": "1", "train/2.jpg": "2" };

test("of a category of two the last image is tested, a single one stays in train", async () => {
  const text = metadata((i) => `${i}.jpg`);
  const { outcome, out } = await prepared(herbarium2021, { "train/metadata.json": text, ...pictures });
  expect(outcome).toMatchObject({ status: "prepared" });
  expect(read(out, "private/answers.csv")).toBe("Id,Predicted\n0,3\n");
  expect(read(out, "public/test/images/000/0.jpg")).toBe("1");
  expect(read(out, "public/train/2.jpg")).toBe("2");
});

test("in 2022 a category of one image cannot be split", async () => {
  const { outcome } = await prepared(herbarium2022, { "train_metadata.json": metadata((i) => `${i}.jpg`) });
  expect(outcome).toMatchObject({ status: "failed", problem: { code: "SPLIT_IMPOSSIBLE" } });
});

test.each([
  ["an image outside its folder", metadata((i) => `../${i}.jpg`)],
  ["annotations of other images", metadata((i) => `${i}.jpg`, [3, 3, 8], [0, 2, 1])],
  ["a category that is not a number", metadata((i) => `${i}.jpg`, [3, 0.5, 8])],
])("%s is refused as malformed", async (_, text) => {
  const { outcome } = await prepared(herbarium2021, { "train/metadata.json": text, ...pictures });
  expect(outcome).toMatchObject({
    status: "failed",
    problem: { code: "RAW_MALFORMED", file: "train/metadata.json" },
  });
});
