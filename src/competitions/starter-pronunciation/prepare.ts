import { splitTable, without } from "../preparing/splits/split-table.ts";
import { STARTER_SPLIT_SEED } from "../preparing/starter-seed.ts";

export const preparer = splitTable({
  testSize: 4000,
  splitSeed: STARTER_SPLIT_SEED,
  test: without("phonemes"),
  answerColumns: ["word_id", "phonemes"],
  sample: ["word_id", { name: "phonemes", value: "AH N" }],
});
