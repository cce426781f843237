import { splitTable, without } from "../preparing/splits/split-table.ts";
import { STARTER_SPLIT_SEED } from "../preparing/starter-seed.ts";

export const preparer = splitTable({
  testSize: 0.3,
  splitSeed: STARTER_SPLIT_SEED,
  test: without("frames"),
  answerColumns: ["verb_id", "frames"],
  sample: ["verb_id", { name: "frames", value: "f8" }],
});
