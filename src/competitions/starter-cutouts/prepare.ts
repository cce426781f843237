import { copyHalves } from "../preparing/files/copy-halves.ts";
import { splitTable } from "../preparing/splits/split-table.ts";
import { STARTER_SPLIT_SEED } from "../preparing/starter-seed.ts";

const copyImages = copyHalves({
  from: "images",
  train: "train",
  test: "test",
  column: "image_id",
  name: (id) => `${id}.png`,
});

export const preparer = splitTable({
  testSize: 0.35,
  splitSeed: STARTER_SPLIT_SEED,
  sample: ["image_id", { name: "mask", value: "1 1" }],
  async afterwards(preparation, split) {
    await copyImages(preparation, split);
  },
});
