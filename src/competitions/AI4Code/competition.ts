import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "AI4Code",
  name: "Google AI4Code - Understand Code in Python Notebooks",
  category: "Text Classification",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 2.16,
  opened: "2022-05-11",
  closed: "2022-11-10",
  metric: { name: "kendall-tau", direction: "maximize" },
  columns: { id: ["id"], target: ["cell_order"] },
  files: {
    answers: "prepared/private/test_orders.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  sampleScore: 0.39187,
  grade,
});
