import fs from "node:fs";
import { join } from "node:path";
import { splitTable, without } from "../preparing/splits/split-table.ts";
import { STARTER_SPLIT_SEED } from "../preparing/starter-seed.ts";

export const preparer = splitTable({
  testSize: 6000,
  splitSeed: STARTER_SPLIT_SEED,
  test: without("label"),
  answerColumns: ["entry_id", "label"],
  sample: ["entry_id", { name: "label", value: "0" }],
  async afterwards({ raw, public: open }) {
    fs.copyFileSync(join(raw, "labels.csv"), join(open, "labels.csv"));
  },
});
