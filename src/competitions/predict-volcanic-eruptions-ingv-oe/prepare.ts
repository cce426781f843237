import { copyHalves } from "../preparing/files/copy-halves.ts";
import { splitTable } from "../preparing/splits/split-table.ts";

export const preparer = splitTable({
  testSize: 0.1,
  sample: ["segment_id", { name: "time_to_eruption", value: "0" }],
  afterwards: copyHalves({
    from: "train",
    train: "train",
    test: "test",
    column: "segment_id",
    name: (segment) => `${segment}.csv`,
  }),
});
