import { splitTable, without } from "../preparing/split-table.ts";

export const preparer = splitTable({
  testSize: 0.3,
  test: without("frames"),
  answerColumns: ["verb_id", "frames"],
  sample: ["verb_id", { name: "frames", value: "f8" }],
});
