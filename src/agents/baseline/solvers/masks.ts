import fs from "node:fs";
import path from "node:path";
import type { GrayImage } from "../../../learning/features/gray-image.ts";
import { diceOfCounts } from "../../../metrics/pictures/mask-scores.ts";
import { parseRuns } from "../../../metrics/pictures/run-length.ts";
import { readPicture } from "../features/pictures.ts";
import { textsOf } from "../reading/text-table.ts";
import type { Solver } from "../workbench.ts";
import { pixelStages, planPixels, thinned } from "./pixel-stages.ts";

const THRESHOLDS = [0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55];

/** Pictures in which pixels have to be found; masks are run lengths, row by row from 1. */
export const solveMasks: Solver<"masks"> = async (_, { view, seed, submit, journal, clock, tell }) => {
  const { train, sample, media } = view;
  if (train === null || media === null) return;
  const read = (folder: string, id: string) =>
    readPicture(fs.readFileSync(path.join(folder, `${id}.${media.extension}`)));
  const images = (textsOf(train, sample.header[0]) ?? []).map((id) => read(media.trainFolder, id));
  const masks = textsOf(train, sample.header[1]) ?? [];
  const targets = images.map(({ width, height }, i) => decodeMask(masks[i], width * height));
  if (images.length < 4 || targets.some((target) => target === null)) return;
  const test = Array.from(sample.columns[0], (id) => read(media.testFolder, id));
  const all = { images, targets: targets as Float32Array[], test, loss: "log" as const, seed };
  const plan = planPixels(all, clock.plannedSeconds);
  const task = thinned(all, plan);
  for (const { stage, outOfFold, test: predicted } of pixelStages(task, plan, () => clock.isOver())) {
    const best = THRESHOLDS.map((threshold) => ({
      threshold,
      score: meanDice(task.targets, outOfFold, threshold),
    })).reduce((a, b) => (b.score > a.score ? b : a));
    const note = `from ${best.threshold} on; ${plan.trees} trees on ${plan.pixels} pixels`;
    journal.steps.push({ name: `surroundings, stage ${stage}`, score: best.score, note });
    // A second stage does not always help.
    if (journal.score !== null && journal.score >= best.score) continue;
    const outcome = await submit([predicted.map((image) => encodeMask(image, best.threshold))]);
    if (outcome.status === "refused") continue;
    journal.settings = { ...plan, stage, threshold: best.threshold };
    journal.score = best.score;
    journal.measuredOn = `${task.images.length} training pictures, each half segmented by the model of the other`;
    tell();
  }
};

function decodeMask(text: string, size: number): Float32Array | null {
  const runs = parseRuns(text, size);
  if ("error" in runs) return null;
  const mask = new Float32Array(size);
  for (const [i, start] of runs.starts.entries()) mask.fill(1, start, runs.ends[i]);
  return mask;
}

/** Pixels from the threshold on; the likeliest pixel alone if there is none, as an empty mask can never be right. */
export function encodeMask({ pixels }: GrayImage, threshold: number): string {
  const runs: string[] = [];
  for (let at = 0; at < pixels.length; at++) {
    if (pixels[at] < threshold) continue;
    const start = at;
    while (at < pixels.length && pixels[at] >= threshold) at++;
    runs.push(`${start + 1} ${at - start}`);
  }
  if (runs.length > 0) return runs.join(" ");
  let likeliest = 0;
  for (let at = 1; at < pixels.length; at++) if (pixels[at] > pixels[likeliest]) likeliest = at;
  return `${likeliest + 1} 1`;
}

function meanDice(
  truths: readonly Float32Array[],
  predicted: readonly GrayImage[],
  threshold: number,
): number {
  let sum = 0;
  for (const [i, truth] of truths.entries()) {
    let [shared, first, second] = [0, 0, 0];
    for (let p = 0; p < truth.length; p++) {
      const isFound = predicted[i].pixels[p] >= threshold;
      first += truth[p];
      if (isFound) second++;
      if (isFound && truth[p] === 1) shared++;
    }
    sum += diceOfCounts(shared, first, second, 1);
  }
  return sum / truths.length;
}
