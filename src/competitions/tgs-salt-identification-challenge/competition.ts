import { iouThresholdScore } from "../../metrics/pictures/mask-scores.ts";
import { intersection } from "../../metrics/pictures/run-length.ts";
import { defineCompetition } from "../competition.ts";
import type { Grader } from "../grader.ts";
import { alignedMasks, type MaskPair, meanOfImages } from "../shapes/pictures/aligned-masks.ts";

export const competition = defineCompetition({
  id: "tgs-salt-identification-challenge",
  name: "TGS Salt Identification Challenge",
  category: "Image Segmentation",
  complexity: "medium",
  contest: "simple",
  dataSizeGB: 0.5,
  opened: "2018-07-19",
  closed: "2018-10-19",
  metric: { name: "mean-precision-intersection-over-union-at-different-thresholds", direction: "maximize" },
  columns: { id: ["id"], target: ["rle_mask"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  errata: [
    {
      defect: "An empty prediction for an image with salt counts as a full mask.",
      v2: "It counts as empty.",
      corrects: "grader",
    },
  ],
  grade: saltMasks(({ predicted, truth, size }) =>
    iouThresholdScore(truth.pixels, predicted.pixels, intersection(predicted, truth), size),
  ),
  versions: {
    v2: {
      grade: saltMasks(({ predicted, truth, size }) =>
        predicted.pixels === 0
          ? Number(truth.pixels === 0)
          : iouThresholdScore(truth.pixels, predicted.pixels, intersection(predicted, truth), size),
      ),
    },
  },
});

function saltMasks(scoreOf: (pair: MaskPair) => number): Grader {
  return alignedMasks({
    id: "id",
    predicted: "rle_mask",
    truth: "rle_mask",
    image: 101 * 101,
    exactColumns: true,
    combine: meanOfImages(scoreOf),
  });
}
