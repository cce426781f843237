import { splitTable, without } from "../preparing/splits/split-table.ts";
import { STARTER_SPLIT_SEED } from "../preparing/starter-seed.ts";

export const preparer = splitTable({
  testSize: 0.35,
  splitSeed: STARTER_SPLIT_SEED,
  test: without("spam"),
  answerColumns: ["mail_id", "spam"],
  sample: ["mail_id", { name: "spam", value: "0.7" }],
});
