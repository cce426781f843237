import { splitTable } from "../preparing/splits/split-table.ts";

const THIRD = "0.3333333333333333";

export const preparer = splitTable({
  testSize: 0.1,
  test: ["id", "prompt", "response_a", "response_b"],
  answers: "answers.csv",
  sample: [
    "id",
    { name: "winner_model_a", value: THIRD },
    { name: "winner_model_b", value: THIRD },
    { name: "winner_tie", value: THIRD },
  ],
});
