import { splitTable, without } from "../preparing/splits/split-table.ts";
import { STARTER_SPLIT_SEED } from "../preparing/starter-seed.ts";

export const preparer = splitTable({
  testSize: 0.6,
  splitSeed: STARTER_SPLIT_SEED,
  test: without("damage"),
  answerColumns: ["strike_id", "damage"],
  sample: ["strike_id", { name: "damage", value: "0.5" }],
});
