import { splitTable } from "../preparing/splits/split-table.ts";

export const preparer = splitTable({
  testSize: 0.1,
  test: ["textID", "text", "sentiment"],
  sample: ["textID", { name: "selected_text", value: "" }],
});
