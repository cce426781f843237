import { defineCompetition } from "../competition.ts";
import { labelAccuracy } from "../shapes/graders/accuracy.ts";

export const competition = defineCompetition({
  id: "cdiscount-image-classification-challenge",
  name: "Cdiscount’s Image Classification Challenge",
  category: "Image Classification",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 78.12,
  opened: "2017-09-14",
  closed: "2017-12-14",
  metric: { name: "accuracy", direction: "maximize" },
  columns: { id: ["_id"], target: ["category_id"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  sampleScore: 0.00885,
  grade: labelAccuracy({ id: "_id", target: "category_id" }),
});
