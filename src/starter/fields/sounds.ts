import path from "node:path";
import { groupedFolds } from "../../learning/features/folds.ts";
import { logMelBands, summariseFrames } from "../../learning/features/mel-bands.ts";
import type { DenseMatrix } from "../../learning/matrix.ts";
import {
  classShares,
  likeliest,
  likeliestClasses,
  likeliestForItsShare,
} from "../learners/class-decisions.ts";
import { columnSubset } from "../learners/column-subset.ts";
import { composeField } from "../learners/compose.ts";
import { drawLearner } from "../learners/draw-learners.ts";
import { readBytes, readTable, submissionWriter, type WriteSubmission } from "../learners/read-table.ts";
import { drawFrom } from "../making/draw.ts";
import type { Field, Solution } from "../making/field.ts";
import { fixedView, methodOf, type Target, type View } from "../making/method.ts";
import type { Problem } from "../making/problem.ts";
import { byGroup, commonest, constantRule } from "../making/rules.ts";

const CLASSES = 8;
const RATE = 11_025;
const HEADER_BYTES = 44;
const EFFORT = { trees: 60, epochs: 60 };
const ALL = [
  "linear",
  "linear",
  "neighbours",
  "neighbours",
  "bayes",
  "tree",
  "forest",
  "boosting",
  "network",
] as const;
const SERIOUS = ["linear", "neighbours", "forest", "forest", "boosting", "network"] as const;

/** Six clips of one recording are nearly one clip: folds are made of recordings. */
export const field: Field = {
  competitionId: "starter-sounds",
  open(folder, seed) {
    const draw = drawFrom(seed);
    const train = readTable(folder, "train.csv");
    const labels = train.numbers("label");
    const testIds = readTable(folder, "sample_submission.csv").texts("clip_id");
    const clips = [
      ...train.texts("clip_id").map((id) => readClip(path.join(folder, "train"), id)),
      ...testIds.map((id) => readClip(path.join(folder, "test"), id)),
    ];
    const write = submissionWriter(folder);
    const target: Target = { kind: "classes", values: labels, outputs: CLASSES };
    const problem: Problem = {
      trainRows: labels.length,
      testRows: testIds.length,
      folds: groupedFolds(train.numbers("recording"), 4, seed),
      goodness: (rows, prediction) => balancedAccuracy(rows, prediction, labels),
    };
    const views = viewsOf(clips);
    return composeField({
      problem,
      target,
      draw,
      rules: rulesOfThumb(clips, labels, write),
      decisions: [
        likeliest(CLASSES, write),
        likeliestForItsShare(CLASSES, classShares(labels, CLASSES), write),
      ],
      singles: 92,
      ensembles: 22,
      drawMethod(serious) {
        const view = draw.pick(serious ? views.filter(({ name }) => name.includes("bands")) : views);
        const share = draw.pick(serious ? [0.7, 1, 1] : [0.3, 0.5, 0.7, 1, 1]);
        const learner = drawLearner(draw, draw.pick(serious ? SERIOUS : ALL), EFFORT, "classes");
        return methodOf(columnSubset(view, share, draw), learner, target);
      },
    });
  },
};

function readClip(folder: string, id: string): Float64Array {
  const bytes = readBytes(folder, `${id}.wav`);
  return Float64Array.from(
    { length: (bytes.length - HEADER_BYTES) / 2 },
    (_, i) => bytes.readInt16LE(HEADER_BYTES + 2 * i) / 2 ** 15,
  );
}

/** The clips as tables: a summary of each frequency band, every frame of them, or only a few shapes of the wave. */
function viewsOf(clips: readonly Float64Array[]): View<DenseMatrix>[] {
  const table = (row: (clip: Float64Array) => Float64Array): DenseMatrix => {
    const rows = clips.map(row);
    const values = new Float64Array(rows.length * rows[0].length);
    for (const [i, own] of rows.entries()) values.set(own, i * own.length);
    return { rows: rows.length, columns: rows[0].length, values };
  };
  const bandCounts = [12, 20, 32];
  return [
    fixedView("shapes of the wave", () => table(waveShapes)),
    ...bandCounts.map((bands) =>
      fixedView(`summaries of ${bands} bands`, () =>
        table((clip) =>
          summariseFrames(logMelBands(fromOnset(clip), { sampleRate: RATE, bands, frame: 512 })),
        ),
      ),
    ),
    ...bandCounts.map((bands) =>
      fixedView(`summaries of ${bands} bands, made equally loud, and shapes of the wave`, () =>
        table((clip) => {
          const frames = logMelBands(loudest(fromOnset(clip)), { sampleRate: RATE, bands, frame: 512 });
          return Float64Array.of(...summariseFrames(frames), ...waveShapes(clip));
        }),
      ),
    ),
    ...[8, 16].map((bands) =>
      fixedView(`${bands} bands frame by frame`, () =>
        table((clip) => {
          const start = loudest(fromOnset(clip)).slice(0, 4096);
          return logMelBands(start, { sampleRate: RATE, bands, frame: 512 }).values.slice() as Float64Array;
        }),
      ),
    ),
  ];
}

/** From the first loud sample on, filled up with silence. */
function fromOnset(clip: Float64Array): Float64Array {
  const peak = clip.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const start = clip.findIndex((value) => Math.abs(value) > 0.2 * peak);
  const moved = new Float64Array(clip.length);
  moved.set(clip.subarray(Math.max(0, start - 32)));
  return moved;
}

function loudest(clip: Float64Array): Float64Array {
  const peak = clip.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-6);
  return clip.map((value) => value / peak);
}

/** How the energy falls over the clip, and how often the wave crosses zero early and late. */
function waveShapes(clip: Float64Array): Float64Array {
  const moved = loudest(fromOnset(clip));
  const parts = 8;
  const size = Math.floor(moved.length / parts);
  const shapes: number[] = [];
  for (let part = 0; part < parts; part++) {
    const own = moved.subarray(part * size, (part + 1) * size);
    shapes.push(Math.log(own.reduce((sum, value) => sum + value * value, 1e-4) / size));
    let crossings = 0;
    for (let i = 1; i < own.length; i++) if (own[i] < 0 !== own[i - 1] < 0) crossings++;
    shapes.push(crossings / size);
  }
  return Float64Array.from(shapes);
}

function balancedAccuracy(rows: Int32Array, prediction: Float64Array, labels: Float64Array): number {
  const predicted = likeliestClasses(prediction, CLASSES, null);
  const shares = classShares(
    Float64Array.from(rows, (row) => labels[row]),
    CLASSES,
  );
  return rows.reduce(
    (sum, row, i) => sum + (predicted[i] === labels[row] ? 1 / (shares[labels[row]] * rows.length) : 0),
    0,
  );
}

function rulesOfThumb(
  clips: readonly Float64Array[],
  labels: Float64Array,
  write: WriteSubmission,
): Solution[] {
  const shapes = clips.map(waveShapes);
  const rule = (name: string, column: number, step: number): Solution => ({
    name,
    family: "rule",
    solve: () =>
      write(
        byGroup(
          shapes.map((own) => Math.floor(own[column] / step)),
          labels,
          commonest,
          commonest(labels),
        ),
      ),
  });
  return [
    constantRule("the commonest kind", commonest(labels), write),
    constantRule("always a kick drum", 4, write),
    rule("how often the wave crosses zero at first", 1, 0.05),
    rule("how often the wave crosses zero later", 5, 0.05),
    rule("how loud the end is", 14, 1.5),
    rule("how loud the middle is", 6, 1.5),
  ];
}
