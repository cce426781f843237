import { dice } from "../../metrics/pictures/mask-scores.ts";
import { defineCompetition } from "../competition.ts";
import { alignedMasks, meanOfImages } from "../shapes/pictures/aligned-masks.ts";

export const competition = defineCompetition({
  id: "hubmap-kidney-segmentation",
  name: "HuBMAP - Hacking the Kidney",
  category: "Image Segmentation",
  complexity: "medium",
  contest: "code",
  dataSizeGB: 32.97,
  opened: "2020-11-16",
  closed: "2021-05-10",
  metric: { name: "dice-coefficient", direction: "maximize" },
  columns: { id: ["id"], target: ["predicted"] },
  files: {
    answers: "prepared/private/test.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
    goldSubmission: "prepared/private/gold_submission.csv",
  },
  sampleScore: 0,
  errata: [
    {
      defect: "Public test keeps JSON annotations that give the mask of each image.",
      v2: "They are removed.",
      corrects: "data",
    },
  ],
  grade: alignedMasks({
    id: "id",
    predicted: "predicted",
    truth: "encoding",
    image: { height: "height_pixels", width: "width_pixels" },
    combine: meanOfImages(({ predicted, truth }) => dice(predicted, truth, 1)),
  }),
});
