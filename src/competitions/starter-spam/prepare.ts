import { splitTable, without } from "../preparing/split-table.ts";

export const preparer = splitTable({
  testSize: 0.35,
  test: without("spam"),
  answerColumns: ["mail_id", "spam"],
  sample: ["mail_id", { name: "spam", value: "0.7" }],
});
