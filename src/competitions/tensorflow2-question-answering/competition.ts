import { defineCompetition } from "../competition.ts";
import { grade, gradeV2 } from "./grade.ts";

export const competition = defineCompetition({
  id: "tensorflow2-question-answering",
  name: "TensorFlow 2.0 Question Answering",
  category: "Text (Other)",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 17.47,
  opened: "2019-10-28",
  closed: "2020-01-22",
  metric: { name: "micro-f1-score", direction: "maximize" },
  columns: { id: ["example_id"], target: ["PredictionString"] },
  files: {
    answers: "prepared/private/test.jsonl",
    sampleSubmission: "prepared/public/sample_submission.csv",
    goldSubmission: "prepared/private/gold_submission.csv",
  },
  errata: [
    {
      defect:
        "Validation during a run reads the JSONL answers as CSV and always fails; grading is not affected.",
      v2: "Validated properly, in v1 too.",
      corrects: "nothing",
    },
    {
      defect: "The score called micro F1 is plain accuracy over both labels.",
      v2: "F1 of the positive class.",
      corrects: "grader",
    },
  ],
  grade,
  versions: { v2: { grade: gradeV2 } },
});
