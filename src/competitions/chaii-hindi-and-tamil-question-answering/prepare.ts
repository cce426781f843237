import { splitTable } from "../preparing/splits/split-table.ts";

export const preparer = splitTable({
  testSize: 0.1,
  test: ["id", "context", "question", "language"],
  answerColumns: ["id", { name: "PredictionString", from: "answer_text" }],
  sample: ["id", { name: "PredictionString", value: "dummy text" }],
});
