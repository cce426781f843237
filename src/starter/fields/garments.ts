import { stratifiedFolds } from "../../learning/features/folds.ts";
import { gradientHistograms } from "../../learning/features/gradient-histograms.ts";
import { type GrayImage, resizeImage } from "../../learning/features/gray-image.ts";
import type { DenseMatrix } from "../../learning/matrix.ts";
import { predictNetwork } from "../../learning/networks/network.ts";
import { fitConvolutional } from "../../learning/networks/small-convolutional.ts";
import { likeliest, likeliestClasses } from "../learners/class-decisions.ts";
import { columnSubset } from "../learners/column-subset.ts";
import { composeField } from "../learners/compose.ts";
import { drawLearner } from "../learners/draw-learners.ts";
import { readShades } from "../learners/pictures.ts";
import { readLabelledFiles, submissionWriter, type WriteSubmission } from "../learners/read-table.ts";
import { type Draw, drawFrom } from "../making/draw.ts";
import type { Field, Solution } from "../making/field.ts";
import { fixedView, type Learner, methodOf, type Target, type View } from "../making/method.ts";
import type { Problem } from "../making/problem.ts";
import { byGroup, commonest, constantRule, mean } from "../making/rules.ts";

const CLASSES = 10;
const SIZE = 28;
const EFFORT = { trees: 30, epochs: 40, iterations: 20 };
const ALL = ["linear", "neighbours", "neighbours", "bayes", "tree", "forest", "boosting", "network"] as const;
const SERIOUS = ["linear", "neighbours", "forest", "boosting", "network"] as const;

export const field: Field = {
  competitionId: "starter-garments",
  open(folder, seed) {
    const draw = drawFrom(seed);
    const { labels, items: images, testRows } = readLabelledFiles(folder, "image_id", readShades);
    const write = submissionWriter(folder);
    const target: Target = { kind: "classes", values: labels, outputs: CLASSES };
    const problem: Problem = {
      trainRows: labels.length,
      testRows,
      folds: stratifiedFolds(labels, 3, seed),
      goodness(rows, prediction) {
        const predicted = likeliestClasses(prediction, CLASSES, null);
        return rows.filter((row, i) => predicted[i] === labels[row]).length;
      },
    };
    const views = viewsOf(images);
    return composeField({
      problem,
      target,
      draw,
      rules: rulesOfThumb(images, labels, write),
      decisions: [likeliest(CLASSES, write)],
      singles: 92,
      ensembles: 20,
      pool: 12,
      drawMethod(serious) {
        if (draw.chance(serious ? 0.15 : 0.05))
          return methodOf(views.pixels14, drawConvolutional(draw), target);
        const kind = draw.pick(serious ? SERIOUS : ALL);
        // Trees of ten classes on hundreds of columns would take minutes.
        const small = kind === "boosting" ? [views.pixels7, views.edges3, views.both] : null;
        const wide = serious
          ? [views.pixels14, views.edges4, views.edges5, views.both]
          : [views.pixels7, views.pixels14, views.pixels28, views.edges3, views.edges4, views.both];
        const share = draw.pick(serious ? [0.6, 1, 1] : [0.1, 0.3, 0.6, 1, 1]);
        const view = columnSubset(draw.pick(small ?? wide), share, draw);
        return methodOf(view, drawLearner(draw, kind, EFFORT, "classes"), target);
      },
    });
  },
};

function viewsOf(images: readonly GrayImage[]) {
  const table = (row: (image: GrayImage) => ArrayLike<number>): DenseMatrix => {
    const rows = images.map(row);
    const values = new Float32Array(rows.length * rows[0].length);
    for (const [i, own] of rows.entries()) values.set(own, i * own.length);
    return { rows: rows.length, columns: rows[0].length, values };
  };
  const pixels = (size: number) =>
    fixedView(`${size} × ${size} pixels`, () => table((image) => resizeImage(image, size, size).pixels));
  const edges = (cells: number) =>
    fixedView(`edges in ${cells} × ${cells} cells`, () =>
      table((image) => gradientHistograms(image, { cells })),
    );
  return {
    pixels7: pixels(7),
    pixels14: pixels(14),
    pixels28: pixels(SIZE),
    edges3: edges(3),
    edges4: edges(4),
    edges5: edges(5),
    both: fixedView("7 × 7 pixels and edges in 4 × 4 cells", () =>
      table((image) => [
        ...resizeImage(image, 7, 7).pixels,
        ...gradientHistograms(image, { cells: 4, directions: 6 }),
      ]),
    ),
  } satisfies Record<string, View<DenseMatrix>>;
}

/** Pictures also mirrored: a shoe that points to the left is still a shoe. */
function drawConvolutional(draw: Draw): Learner<DenseMatrix> {
  const filters = draw.pick([
    [6, 12],
    [8, 16],
    [12, 24],
  ] as const);
  const epochs = draw.whole(6, 14);
  const dropout = draw.pick([0, 0.25, 0.5]);
  const learningRate = draw.pick([0.001, 0.002]);
  const mirror = draw.chance(0.5);
  const seed = draw.seed();
  return {
    name: `convolutions ${filters.join("-")}, ${epochs} epochs, rate ${learningRate}, dropout ${dropout}${mirror ? ", mirrored too" : ""}`,
    family: "network",
    predict(train, target, asked) {
      const side = Math.sqrt(train.columns);
      const shape = { height: side, width: side, channels: 1 };
      const known = mirror ? withMirrored(train, side) : train;
      const labels = mirror ? Float64Array.of(...target.values, ...target.values) : target.values;
      const fitted = fitConvolutional(known, labels, {
        loss: "softmax",
        outputs: CLASSES,
        shape,
        filters,
        hidden: 48,
        dropout,
        epochs: mirror ? Math.ceil(epochs / 2) : epochs,
        learningRate,
        seed,
      });
      return predictNetwork(fitted, asked);
    },
  };
}

function withMirrored({ rows, columns, values }: DenseMatrix, side: number): DenseMatrix {
  const both = new Float32Array(2 * values.length);
  both.set(values);
  for (let row = 0; row < rows; row++)
    for (let at = 0; at < columns; at++) {
      const mirrored = at - (at % side) + side - 1 - (at % side);
      both[(rows + row) * columns + at] = values[row * columns + mirrored];
    }
  return { rows: 2 * rows, columns, values: both };
}

function rulesOfThumb(
  images: readonly GrayImage[],
  labels: Float64Array,
  write: WriteSubmission,
): Solution[] {
  const rule = (name: string, key: (image: GrayImage) => string): Solution => ({
    name,
    family: "rule",
    solve: () => write(byGroup(images.map(key), labels, commonest, commonest(labels))),
  });
  const steps = (image: GrayImage, size: number, levels: number) =>
    [...resizeImage(image, size, size).pixels].map((gray) => Math.floor(levels * gray)).join(" ");
  return [
    constantRule("always the commonest kind", commonest(labels), write),
    constantRule("always trousers", 1, write),
    rule("how bright the picture is", ({ pixels }) => String(Math.floor(20 * mean(pixels)))),
    rule("how many pixels are not black", ({ pixels }) =>
      String(Math.floor(mean(pixels.map((gray) => Number(gray > 0))) * 25)),
    ),
    rule("the four quarters, light or dark", (image) => steps(image, 2, 4)),
    rule("nine parts, light or dark", (image) => steps(image, 3, 2)),
  ];
}
