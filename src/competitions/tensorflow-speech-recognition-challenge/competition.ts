import { defineCompetition } from "../competition.ts";
import { labelAccuracy } from "../shapes/graders/accuracy.ts";

export const competition = defineCompetition({
  id: "tensorflow-speech-recognition-challenge",
  name: "TensorFlow Speech Recognition Challenge",
  category: "Audio Classification",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 3.76,
  opened: "2017-11-15",
  closed: "2018-01-16",
  metric: { name: "accuracy", direction: "maximize" },
  columns: { id: ["fname"], target: ["label"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  errata: [
    {
      defect: "Test labels keep all 30 spoken words instead of the 12 classes of the task.",
      v2: "Labels are mapped to the 12 classes.",
      corrects: "data",
    },
    {
      defect: "Speakers are shared between train and test.",
      v2: "The split is by speaker.",
      corrects: "data",
    },
  ],
  grade: labelAccuracy({ id: "fname", target: "label" }),
});
