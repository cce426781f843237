import { splitTable, without } from "../preparing/splits/split-table.ts";

export const preparer = splitTable({
  testSize: 0.1,
  test: without("Transported"),
  sample: ["PassengerId", { name: "Transported", value: "False" }],
});
