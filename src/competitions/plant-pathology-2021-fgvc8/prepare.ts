import { copyHalves } from "../preparing/files/copy-halves.ts";
import { splitTable } from "../preparing/splits/split-table.ts";

export const preparer = splitTable({
  testSize: 0.2,
  answers: "answers.csv",
  sample: ["image", { name: "labels", value: "healthy" }],
  afterwards: copyHalves({
    from: "train_images",
    train: "train_images",
    test: "test_images",
    column: "image",
    name: (image) => image,
  }),
});
