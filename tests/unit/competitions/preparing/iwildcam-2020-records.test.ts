import { expect, test } from "vitest";
import { preparer } from "../../../../src/competitions/iwildcam-2020-fgvc7/prepare.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { read, workshop } from "./workshop.ts";

const images = ["x", "y", "z", "u", "v"].map((id, location) => ({ id, location }));
const annotations = images.map(({ id }, i) => ({ image_id: id, category_id: i }));

function raw(train: object) {
  return {
    "iwildcam2020_train_annotations.json": JSON.stringify({ categories: [], info: {}, ...train }),
    "iwildcam2020_test_information.json": '{"images": [], "categories": [], "info": {}}',
    "iwildcam2020_megadetector_results.json": "{}",
    ...Object.fromEntries(images.map(({ id }) => [`train/${id}.jpg`, id])),
  };
}

test("a category that one annotation lacks makes all categories floats and leaves its answer empty", async () => {
  const lacking = [...annotations, ...images.map(({ id }) => ({ image_id: id }))];
  const { preparation, out } = workshop(raw({ images, annotations: lacking }));
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out });
  expect(outcome).toMatchObject({ status: "prepared" });
  expect(read(out, "private/answers.csv")).toMatch(/^Id,Category\n(.,\d\.0\n)+(.,\n)+$/);
});

test("an image whose id leaves the folder of the images is refused", async () => {
  const hostile = [...images, { id: "../../secret", location: 9 }];
  const { preparation, out } = workshop(raw({ images: hostile, annotations }));
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out });
  expect(outcome).toMatchObject({ status: "failed", problem: { code: "RAW_MALFORMED" } });
});

test("a share that no choice of locations can reach is refused", async () => {
  const { preparation, out } = workshop(raw({ images, annotations }));
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out, settings: { test_size: 0.7 } });
  expect(outcome).toMatchObject({ status: "failed", problem: { code: "SPLIT_IMPOSSIBLE" } });
});
