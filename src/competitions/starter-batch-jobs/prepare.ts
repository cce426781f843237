import { splitTable, without } from "../preparing/splits/split-table.ts";
import { STARTER_SPLIT_SEED } from "../preparing/starter-seed.ts";

export const preparer = splitTable({
  testSize: 0.35,
  splitSeed: STARTER_SPLIT_SEED,
  test: without("duration"),
  answerColumns: ["job_id", "duration"],
  sample: ["job_id", { name: "duration", value: "0" }],
});
