import { splitTable, without } from "../preparing/splits/split-table.ts";

export const preparer = splitTable({
  testSize: 0.1,
  test: without("Cover_Type"),
  sample: ["Id", { name: "Cover_Type", value: "2" }],
});
