import { splitTable, without } from "../preparing/split-table.ts";

export const preparer = splitTable({
  testSize: 0.35,
  test: without("sale_price"),
  answerColumns: ["house_id", "sale_price"],
  sample: ["house_id", { name: "sale_price", value: "180000" }],
});
