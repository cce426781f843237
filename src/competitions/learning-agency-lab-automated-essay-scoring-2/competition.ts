import { defineCompetition } from "../competition.ts";
import { gradeKappa } from "../shapes/graders/quadratic-kappa.ts";

export const competition = defineCompetition({
  id: "learning-agency-lab-automated-essay-scoring-2",
  name: "Learning Agency Lab - Automated Essay Scoring 2.0",
  category: "Text Classification",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 0.036,
  opened: "2024-04-02",
  closed: "2024-07-02",
  metric: { name: "quadratic-weighted-kappa", direction: "maximize" },
  columns: { id: ["essay_id"], target: ["score"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  grade: gradeKappa({ id: "essay_id", target: "score" }),
});
