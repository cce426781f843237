import { join } from "node:path";
import { copyTree } from "../preparing/files/copy-files.ts";
import { copyHalves } from "../preparing/files/copy-halves.ts";
import { splitTable } from "../preparing/splits/split-table.ts";

const copySignals = copyHalves({
  from: "train",
  train: "train",
  test: "test",
  column: "id",
  // By code points, as Python counts characters.
  name: (id) => join([...id][0], `${id}.npy`),
});

export const preparer = splitTable({
  table: "train_labels.csv",
  testSize: 0.1,
  sample: ["id", { name: "target", value: "0.5" }],
  async afterwards(preparation, split) {
    await copySignals(preparation, split);
    const [from, to] = [preparation.raw, preparation.public].map((folder) => join(folder, "old_leaky_data"));
    await copyTree(preparation, from, to);
  },
});
