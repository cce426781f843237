import { diceOfCounts } from "../../metrics/pictures/mask-scores.ts";
import { intersection } from "../../metrics/pictures/run-length.ts";
import { defineCompetition } from "../competition.ts";
import { alignedMasks, type MaskPair } from "../shapes/pictures/aligned-masks.ts";

export const competition = defineCompetition({
  id: "google-research-identify-contrails-reduce-global-warming",
  name: "Google Research - Identify Contrails to Reduce Global Warming",
  category: "Image Segmentation",
  complexity: "high",
  contest: "code",
  dataSizeGB: 450.91,
  opened: "2023-05-10",
  closed: "2023-08-09",
  metric: { name: "global-dice", direction: "maximize" },
  columns: { id: ["record_id"], target: ["encoded_pixels"] },
  files: {
    answers: "prepared/private/answers.csv",
    sampleSubmission: "prepared/public/sample_submission.csv",
  },
  sampleScore: 0.00006,
  grade: alignedMasks({
    id: "record_id",
    predicted: "encoded_pixels",
    truth: "encoded_pixels",
    image: { height: "height", width: "width" },
    emptyText: "-",
    combine: pooledDice,
    anyOrder: true,
  }),
});

/** Dice over the pixels of all images together; NaN, which is a score, when no image has any on either side. */
function pooledDice(pairs: Iterable<MaskPair>): number {
  let shared = 0;
  let predictedPixels = 0;
  let truePixels = 0;
  for (const { predicted, truth } of pairs) {
    shared += intersection(predicted, truth);
    predictedPixels += predicted.pixels;
    truePixels += truth.pixels;
  }
  return diceOfCounts(shared, predictedPixels, truePixels, Number.NaN);
}
