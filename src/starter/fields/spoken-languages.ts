import { stratifiedFolds } from "../../learning/features/folds.ts";
import { logMelBands, summariseFrames } from "../../learning/features/mel-bands.ts";
import type { DenseMatrix } from "../../learning/matrix.ts";
import { balancedGoodness, likeliest } from "../learners/class-decisions.ts";
import { drawClipMethod, loudest, readClip, tableOf, waveShapes } from "../learners/clips.ts";
import { composeField } from "../learners/compose.ts";
import { readLabelledFiles, submissionWriter } from "../learners/read-table.ts";
import { drawFrom } from "../making/draw.ts";
import type { Field, Solution } from "../making/field.ts";
import { fixedView, type Target, type View } from "../making/method.ts";
import { byGroup, commonest, constantRule } from "../making/rules.ts";

const CLASSES = 5;
const RATE = 6000;
const EFFORT = { trees: 120, epochs: 80 };
const SERIOUS = ["linear", "linear", "forest", "boosting", "boosting", "network", "network"] as const;

export const field: Field = {
  competitionId: "starter-spoken-languages",
  open(folder, seed) {
    const draw = drawFrom(seed);
    const { labels, items: clips, testRows } = readLabelledFiles(folder, "clip_id", readClip);
    const write = submissionWriter(folder);
    const target: Target = { kind: "classes", values: labels, outputs: CLASSES };
    const views = viewsOf(clips);
    const shapes = clips.map(waveShapes);
    const rule = (name: string, key: (own: Float64Array) => number): Solution => ({
      name,
      family: "rule",
      solve: () => write(byGroup(shapes.map(key), labels, commonest, commonest(labels))),
    });
    return composeField({
      problem: {
        trainRows: labels.length,
        testRows,
        folds: stratifiedFolds(labels, 4, seed),
        goodness: balancedGoodness(labels, CLASSES),
      },
      target,
      draw,
      rules: [
        constantRule("the commonest language", commonest(labels), write),
        constantRule("always Russian", 4, write),
        rule("how often the wave crosses zero at first", (own) => Math.floor(own[1] / 0.04)),
        rule("how often the wave crosses zero over all", (own) =>
          Math.floor((own[1] + own[5] + own[9] + own[13]) / 0.1),
        ),
        rule("how loud the end is", (own) => Math.floor(own[14] / 1.5)),
      ],
      decisions: [likeliest(CLASSES, write)],
      singles: 92,
      ensembles: 22,
      drawMethod: (serious) =>
        drawClipMethod(draw, views, target, { serious, kinds: SERIOUS, effort: EFFORT }),
    });
  },
};

/** The clips as tables: how strong each band of frequencies is and how it changes, as it is or against the whole. */
function viewsOf(clips: readonly Float64Array[]): View<DenseMatrix>[] {
  const bandsOf = (clip: Float64Array, bands: number, frame: number) =>
    logMelBands(loudest(clip), { sampleRate: RATE, bands, frame });
  return [
    fixedView("shapes of the wave", () => tableOf(clips, waveShapes)),
    ...[12, 24].map((bands) =>
      fixedView(`summaries of ${bands} bands`, () =>
        tableOf(clips, (clip) => summariseFrames(bandsOf(clip, bands, 256))),
      ),
    ),
    ...[16, 24, 32].map((bands) =>
      fixedView(`summaries of ${bands} bands, loudness taken out`, () =>
        tableOf(clips, (clip) => {
          const evened = withoutLoudness(bandsOf(clip, bands, 256));
          return Float64Array.of(...summariseFrames(evened), ...pairsOfBands(evened));
        }),
      ),
    ),
    fixedView("16 bands frame by frame", () =>
      tableOf(clips, (clip) => withoutLoudness(bandsOf(clip, 16, 512)).values),
    ),
  ];
}

/** In each frame, what a band has more than the others. */
function withoutLoudness({ rows, columns, values }: DenseMatrix): DenseMatrix {
  const evened = Float64Array.from(values);
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let k = 0; k < columns; k++) sum += values[row * columns + k];
    for (let k = 0; k < columns; k++) evened[row * columns + k] -= sum / columns;
  }
  return { rows, columns, values: evened };
}

/** How bands rise and fall together with the second and the fourth above them. */
function pairsOfBands({ rows, columns, values }: DenseMatrix): number[] {
  const pairs: number[] = [];
  for (const apart of [2, 4])
    for (let k = 0; k + apart < columns; k++) {
      let sum = 0;
      for (let row = 0; row < rows; row++)
        sum += values[row * columns + k] * values[row * columns + k + apart];
      pairs.push(sum / rows);
    }
  return pairs;
}
