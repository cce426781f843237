import { expect, it } from "vitest";
import { isCrowded } from "../../../src/leaderboards/crowded.ts";
import { sketch } from "./boards.ts";

it.each([
  ["aerial-cactus-identification", 1, 1, 0.9173, true],
  ["jigsaw-toxic-comment-classification-challenge", 0.9874, 0.98639, 0.91937, true],
  ["tabular-playground-series-dec-2021", 0.9566, 0.95658, 0.89781, true],
  ["tabular-playground-series-may-2022", 0.99823, 0.99818, 0.65101, true],
  ["bms-molecular-translation (lower is better)", 0.62, 1.99, 79.62, true],
  ["us-patent-phrase-to-phrase-matching, just not", 0.87, 0.8616, 0.4526, false],
  ["playground-series-s3e18, just not", 0.66088, 0.6588, 0.55903, false],
  ["exactly two per cent", 0.7, 0.69, 0.2, true],
  ["a hair above two per cent", 0.7, 0.68999, 0.2, false],
  ["everybody equal", 0.5, 0.5, 0.5, true],
  ["no distance to the field, but one to bronze", 0.5, 0.4, 0.5, false],
])("%s: gold %f, bronze %f, 90th percentile %f is crowded: %s", (_, gold, bronze, ninetieth, crowded) => {
  expect(isCrowded(sketch({ gold, silver: bronze, bronze }, ninetieth))).toBe(crowded);
});
