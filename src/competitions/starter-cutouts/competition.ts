import { dice } from "../../metrics/pictures/mask-scores.ts";
import { defineCompetition } from "../competition.ts";
import { alignedMasks, meanOfImages } from "../shapes/pictures/aligned-masks.ts";

export const competition = defineCompetition({
  id: "starter-cutouts",
  name: "Cut-outs",
  category: "Image Segmentation",
  complexity: "starter",
  contest: "simple",
  dataSizeGB: 0.001,
  opened: null,
  closed: null,
  metric: { name: "dice-coefficient", direction: "maximize" },
  columns: { id: ["image_id"], target: ["mask"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  shippedRaw: "../../../data/starter/starter-cutouts.tar.gz",
  sampleScore: 0,
  grade: alignedMasks({
    id: "image_id",
    predicted: "mask",
    truth: "mask",
    image: 64 * 64,
    combine: meanOfImages(({ predicted, truth }) => dice(predicted, truth, 1)),
  }),
});
