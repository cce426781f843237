import { splitTable, without } from "../preparing/split-table.ts";

export const preparer = splitTable({
  testSize: 0.35,
  test: without("damage"),
  answerColumns: ["strike_id", "damage"],
  sample: ["strike_id", { name: "damage", value: "0.5" }],
});
