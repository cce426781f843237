import { splitTable, without } from "../preparing/splits/split-table.ts";
import { STARTER_SPLIT_SEED } from "../preparing/starter-seed.ts";

export const preparer = splitTable({
  testSize: 0.5,
  splitSeed: STARTER_SPLIT_SEED,
  test: without("sale_price"),
  answerColumns: ["house_id", "sale_price"],
  sample: ["house_id", { name: "sale_price", value: "180000" }],
});
