import fs from "node:fs";
import path from "node:path";
import type { GrayImage } from "../../../learning/features/gray-image.ts";
import { diceOfCounts } from "../../../metrics/pictures/mask-scores.ts";
import { parseRuns } from "../../../metrics/pictures/run-length.ts";
import { readPicture } from "../features/pictures.ts";
import { textsOf } from "../reading/text-table.ts";
import type { Solver } from "../workbench.ts";
import { bestMix, networkPictures, planPictureNetwork, SHARE_OF_TREES } from "./picture-network.ts";
import { type PixelPredictions, pixelStages, planPixels, thinned } from "./pixel-stages.ts";

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
  // A network is worth most of the time, but only after something else stands submitted.
  const network = planPictureNetwork(all, (1 - SHARE_OF_TREES) * clock.plannedSeconds);
  const plan = planPixels(all, (network === null ? 1 : SHARE_OF_TREES) * clock.plannedSeconds);
  const task = thinned(all, plan);
  const isOver = () => clock.isOver();
  const offer = async (
    truths: readonly Float32Array[],
    known: readonly GrayImage[],
    asked: readonly GrayImage[],
    { name, settings }: { name: string; settings: Record<string, unknown> },
  ) => {
    const best = bestThreshold(truths, known);
    journal.steps.push({ name, score: best.score, note: `from ${best.threshold} on` });
    return async (measuredOn: string) => {
      const outcome = await submit([asked.map((image) => encodeMask(image, best.threshold))]);
      if (outcome.status === "refused") return;
      journal.settings = { ...settings, threshold: best.threshold };
      journal.score = best.score;
      journal.measuredOn = measuredOn;
      tell();
    };
  };
  let standing: PixelPredictions | null = null;
  for (const stage of pixelStages(task, plan, isOver)) {
    const name = `surroundings, stage ${stage.stage}`;
    const place = await offer(task.targets, stage.outOfFold, stage.test, { name, settings: { ...plan } });
    // A second stage does not always help.
    const score = journal.steps.at(-1)?.score ?? 0;
    if (journal.score !== null && journal.score >= score) continue;
    standing = stage;
    await place(`${task.images.length} training pictures, each half segmented by the model of the other`);
  }
  if (network === null || isOver()) return;
  const made = networkPictures(all, network, isOver);
  if (made === null) return;
  const truths = made.held.map((i) => all.targets[i]);
  // Trees on a part of the pictures were measured on others: nothing can be mixed then.
  const best = bestMix(
    made,
    plan.step === 1 ? standing : null,
    (known) => bestThreshold(truths, known).score,
  );
  const name = `network, ${network.epochs} epochs`;
  const place = await offer(truths, best.known, best.test, {
    name,
    settings: { ...network, share: best.share },
  });
  if (best.share > 0 && (plan.step === 1 || best.worth > (journal.score ?? 0)))
    await place(`${made.held.length} training pictures that the network had not seen`);
};

function bestThreshold(truths: readonly Float32Array[], known: readonly GrayImage[]) {
  return THRESHOLDS.map((threshold) => ({ threshold, score: meanDice(truths, known, threshold) })).reduce(
    (a, b) => (b.score > a.score ? b : a),
  );
}

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
