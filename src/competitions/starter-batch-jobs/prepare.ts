import { splitTable, without } from "../preparing/split-table.ts";

export const preparer = splitTable({
  testSize: 0.35,
  test: without("duration"),
  answerColumns: ["job_id", "duration"],
  sample: ["job_id", { name: "duration", value: "0" }],
});
