import { copyNamed } from "../preparing/files/copy-files.ts";
import { copyHalves } from "../preparing/files/copy-halves.ts";
import { splitTable } from "../preparing/splits/split-table.ts";

const copyImages = copyHalves({
  from: "train",
  train: "train",
  test: "test",
  column: "id",
  name: (id) => `${id}.png`,
});

export const preparer = splitTable({
  testSize: 0.15,
  answers: "answers.csv",
  sample: ["id", { name: "attribute_ids", value: "0 1 2" }],
  async afterwards(preparation, split) {
    await copyImages(preparation, split);
    await copyNamed(preparation, preparation.raw, preparation.public, ["labels.csv"]);
  },
});
