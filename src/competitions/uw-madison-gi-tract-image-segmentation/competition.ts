import { defineCompetition } from "../competition.ts";
import { grade } from "./grade.ts";

export const competition = defineCompetition({
  id: "uw-madison-gi-tract-image-segmentation",
  name: "UW-Madison GI Tract Image Segmentation",
  category: "Image Segmentation",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 2.47,
  opened: "2022-04-14",
  closed: "2022-07-15",
  metric: { name: "dice-hausdorff-combo", direction: "maximize" },
  columns: { id: ["id", "class"], target: ["predicted"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade,
});
