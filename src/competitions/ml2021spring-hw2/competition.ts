import { defineCompetition } from "../competition.ts";
import { labelAccuracy } from "../shapes/graders/accuracy.ts";

export const competition = defineCompetition({
  id: "ml2021spring-hw2",
  name: "ML2021Spring-hw2",
  category: "Development",
  complexity: "dev",
  contest: "simple",
  dataSizeGB: null,
  opened: null,
  closed: null,
  metric: { name: "accuracy", direction: "maximize" },
  columns: { id: ["Id"], target: ["ClassId"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sampleSubmission.csv",
  },
  grade: labelAccuracy({ id: "Id", target: "ClassId" }),
});
