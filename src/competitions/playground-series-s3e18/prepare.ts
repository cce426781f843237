import { splitTable, without } from "../preparing/splits/split-table.ts";

export const preparer = splitTable({
  testSize: 0.1,
  test: without("EC1", "EC2", "EC3", "EC4", "EC5", "EC6"),
  sample: ["id", { name: "EC1", value: "0.5" }, { name: "EC2", value: "0.5" }],
});
