import fs from "node:fs";
import path from "node:path";
import type { GrayImage } from "../../../learning/features/gray-image.ts";
import { rmse } from "../../../metrics/regression/rmse.ts";
import { readPicture } from "../features/pictures.ts";
import { cellsFrom, toNumber } from "../reading/cells.ts";
import { numberText } from "../row-target.ts";
import type { Solver } from "../workbench.ts";
import { bestMix, networkPictures, planPictureNetwork, SHARE_OF_TREES } from "./picture-network.ts";
import { type PixelPredictions, pixelStages, planPixels, thinned } from "./pixel-stages.ts";

const PIXEL_ID = /^(.+)_(\d+)_(\d+)$/;

/** Pictures to be restored, pixel by pixel; ids are the picture's name, row and column, counted from 1. */
export const solvePixels: Solver<"restored pixels"> = async (
  task,
  { view, seed, submit, journal, clock, tell },
) => {
  const data = path.dirname(task.clean);
  const names = fs
    .readdirSync(path.join(data, "train"))
    .filter((name) => name.endsWith(".png"))
    .sort();
  const testNames = fs
    .readdirSync(path.join(data, "test"))
    .filter((name) => name.endsWith(".png"))
    .sort();
  const read = (folder: string, name: string) => readPicture(fs.readFileSync(path.join(folder, name)));
  const images = names.map((name) => read(path.join(data, "train"), name));
  const clean = names.map((name) => read(task.clean, name));
  if (images.length < 4 || images.some((image, i) => image.pixels.length !== clean[i].pixels.length)) return;
  const given = Array.from(view.sample.columns[1], toNumber);
  // Values from 0 to 255, or from 0 to 1: the sample's paper is white.
  const scale = Math.max(...given.slice(0, 10_000)) > 1 ? 255 : 1;
  const all = {
    images,
    targets: clean.map(({ pixels }) => Float32Array.from(pixels)),
    test: testNames.map((name) => read(path.join(data, "test"), name)),
    loss: "squared" as const,
    seed,
  };
  // A network is worth most of the time, but only after something else stands submitted.
  const network = planPictureNetwork(all, (1 - SHARE_OF_TREES) * clock.plannedSeconds);
  const plan = planPixels(all, (network === null ? 1 : SHARE_OF_TREES) * clock.plannedSeconds);
  const pixelTask = thinned(all, plan);
  const isOver = () => clock.isOver();
  const errorOf = (truths: readonly Float32Array[], made: readonly GrayImage[]) =>
    rmse(
      scaledPixels(truths, scale),
      scaledPixels(
        made.map(({ pixels }) => pixels),
        scale,
      ),
    );
  const place = async (
    test: readonly GrayImage[],
    score: number,
    { settings, measuredOn }: { settings: Record<string, unknown>; measuredOn: string },
  ) => {
    const restored = new Map(testNames.map((name, i) => [path.parse(name).name, test[i]]));
    const [ids, values] = view.sample.columns;
    const outcome = await submit([
      cellsFrom(
        view.sample.rows,
        (row) => cellOf(restored, ids.at(row) ?? "", scale) ?? values.at(row) ?? "",
      ),
    ]);
    if (outcome.status === "refused") return;
    journal.settings = settings;
    journal.score = score;
    journal.measuredOn = measuredOn;
    tell();
  };
  let standing: PixelPredictions | null = null;
  for (const predicted of pixelStages(pixelTask, plan, isOver)) {
    const { stage, outOfFold, test } = predicted;
    const score = errorOf(pixelTask.targets, outOfFold);
    const note = `${plan.trees} trees on ${plan.pixels} pixels`;
    journal.steps.push({ name: `surroundings, stage ${stage}`, score, note });
    // A second stage does not always help.
    if (journal.score !== null && journal.score <= score) continue;
    standing = predicted;
    const measuredOn = `${pixelTask.images.length} training pictures, each half restored by the model of the other`;
    await place(test, score, { settings: { ...plan, stage }, measuredOn });
  }
  if (network === null || isOver()) return;
  const made = networkPictures(all, network, isOver);
  if (made === null) return;
  const truths = made.held.map((i) => all.targets[i]);
  // Trees on a part of the pictures were measured on others: nothing can be mixed then.
  const best = bestMix(made, plan.step === 1 ? standing : null, (known) => -errorOf(truths, known));
  const note = `share ${best.share}`;
  journal.steps.push({ name: `network, ${network.epochs} epochs`, score: -best.worth, note });
  if (best.share > 0 && (plan.step === 1 || -best.worth < (journal.score ?? Number.POSITIVE_INFINITY)))
    await place(best.test, -best.worth, {
      settings: { ...network, share: best.share },
      measuredOn: `${made.held.length} training pictures that the network had not seen`,
    });
};

function scaledPixels(images: readonly GrayImage["pixels"][], scale: number): Float64Array {
  const all = new Float64Array(images.reduce((sum, { length }) => sum + length, 0));
  let to = 0;
  for (const pixels of images)
    for (const value of pixels) all[to++] = scale * Math.min(1, Math.max(0, value));
  return all;
}

function cellOf(restored: ReadonlyMap<string, GrayImage>, id: string, scale: number): string | null {
  const [, name, row, column] = PIXEL_ID.exec(id) ?? [];
  const image = restored.get(name ?? "");
  if (image === undefined) return null;
  const value = image.pixels[(Number(row) - 1) * image.width + Number(column) - 1];
  return value === undefined ? null : numberText(scale * Math.min(1, Math.max(0, value)));
}
