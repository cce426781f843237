import { copyHalves } from "../preparing/files/copy-halves.ts";
import { splitTable } from "../preparing/splits/split-table.ts";

export const preparer = splitTable({
  testSize: 0.1,
  test: ["id_code"],
  sample: ["id_code", { name: "diagnosis", value: "0" }],
  afterwards: copyHalves({
    from: "train_images",
    train: "train_images",
    test: "test_images",
    column: "id_code",
    name: (id) => `${id}.png`,
  }),
});
