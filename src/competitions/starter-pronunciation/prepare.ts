import { splitTable, without } from "../preparing/split-table.ts";

export const preparer = splitTable({
  testSize: 4000,
  test: without("phonemes"),
  answerColumns: ["word_id", "phonemes"],
  sample: ["word_id", { name: "phonemes", value: "AH N" }],
});
