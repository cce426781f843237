import { groupedFolds } from "../../learning/features/folds.ts";
import { logMelBands, summariseFrames } from "../../learning/features/mel-bands.ts";
import type { DenseMatrix } from "../../learning/matrix.ts";
import {
  balancedGoodness,
  classShares,
  likeliest,
  likeliestForItsShare,
} from "../learners/class-decisions.ts";
import { drawClipMethod, fromOnset, loudest, readClip, tableOf, waveShapes } from "../learners/clips.ts";
import { composeField } from "../learners/compose.ts";
import { readLabelledFiles, submissionWriter, type WriteSubmission } from "../learners/read-table.ts";
import { drawFrom } from "../making/draw.ts";
import type { Field, Solution } from "../making/field.ts";
import { fixedView, type Target, type View } from "../making/method.ts";
import type { Problem } from "../making/problem.ts";
import { byGroup, commonest, constantRule } from "../making/rules.ts";

const CLASSES = 8;
const RATE = 11_025;
const EFFORT = { trees: 60, epochs: 60 };
const SERIOUS = ["linear", "neighbours", "forest", "forest", "boosting", "network"] as const;

/** Six clips of one recording are nearly one clip: folds are made of recordings. */
export const field: Field = {
  competitionId: "starter-sounds",
  open(folder, seed) {
    const draw = drawFrom(seed);
    const { train, labels, items: clips, testRows } = readLabelledFiles(folder, "clip_id", readClip);
    const write = submissionWriter(folder);
    const target: Target = { kind: "classes", values: labels, outputs: CLASSES };
    const problem: Problem = {
      trainRows: labels.length,
      testRows,
      folds: groupedFolds(train.numbers("recording"), 4, seed),
      goodness: balancedGoodness(labels, CLASSES),
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
      drawMethod: (serious) =>
        drawClipMethod(draw, views, target, { serious, kinds: SERIOUS, effort: EFFORT }),
    });
  },
};

/** The clips as tables: a summary of each frequency band, every frame of them, or only a few shapes of the wave. */
function viewsOf(clips: readonly Float64Array[]): View<DenseMatrix>[] {
  const table = (row: (clip: Float64Array) => Float64Array) => tableOf(clips, row);
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
