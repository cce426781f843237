import { defineCompetition } from "../competition.ts";
import { labelAccuracy } from "../shapes/graders/accuracy.ts";

export const competition = defineCompetition({
  id: "spaceship-titanic",
  name: "Spaceship Titanic",
  category: "Development",
  complexity: "dev",
  contest: "simple",
  dataSizeGB: null,
  opened: null,
  closed: null,
  metric: { name: "accuracy", direction: "maximize" },
  columns: { id: ["PassengerId"], target: ["Transported"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade: labelAccuracy({ id: "PassengerId", target: "Transported", truth: "true/false" }),
});
