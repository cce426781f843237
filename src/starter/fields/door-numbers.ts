import { shuffledFolds } from "../../learning/features/folds.ts";
import { gradientHistograms } from "../../learning/features/gradient-histograms.ts";
import { type GrayImage, resizeImage } from "../../learning/features/gray-image.ts";
import type { DenseMatrix } from "../../learning/matrix.ts";
import { predictNetwork } from "../../learning/networks/network.ts";
import { fitConvolutional } from "../../learning/networks/small-convolutional.ts";
import { tableOf } from "../learners/clips.ts";
import { composeField } from "../learners/compose.ts";
import { drawLearner } from "../learners/draw-learners.ts";
import { readShades } from "../learners/pictures.ts";
import { readLabelledFiles, submissionWriter } from "../learners/read-table.ts";
import { type Draw, drawFrom } from "../making/draw.ts";
import type { Field } from "../making/field.ts";
import { fixedView, type Learner, type Method, type Target, type View } from "../making/method.ts";
import { constantRule } from "../making/rules.ts";

const DIGITS = 10;
/** Digits reach over the middle. */
const HALF_WIDTH = 28;
const EFFORT = { trees: 20, epochs: 12, iterations: 12 };
const ALL = ["linear", "neighbours", "neighbours", "bayes", "tree", "forest", "boosting", "network"] as const;
const SERIOUS = ["linear", "neighbours", "forest", "network", "network"] as const;

/** Every solution reads the two digits one by one: ten chances for the first, ten for the second. */
export const field: Field = {
  competitionId: "starter-door-numbers",
  open(folder, seed) {
    const draw = drawFrom(seed);
    const { labels, items: images, testRows } = readLabelledFiles(folder, "image_id", readShades);
    const write = submissionWriter(folder);
    const digits = [labels.map((label) => Math.floor(label / DIGITS)), labels.map((label) => label % DIGITS)];
    const target: Target = { kind: "labels", values: indicators(digits), outputs: 2 * DIGITS };
    const views = viewsOf(images);
    return composeField({
      problem: {
        trainRows: labels.length,
        testRows,
        folds: shuffledFolds(labels.length, 2, seed),
        goodness(rows, prediction) {
          const numbers = readNumbers(prediction);
          return rows.filter((row, i) => numbers[i] === labels[row]).length;
        },
      },
      target,
      draw,
      rules: [
        constantRule("always 11", 11, write),
        constantRule("always 0", 0, write),
        constantRule("always 77", 77, write),
      ],
      decisions: [
        {
          name: "",
          tuned: false,
          submit(prediction) {
            const numbers = readNumbers(prediction);
            return write((row) => numbers[row]);
          },
        },
      ],
      singles: 92,
      ensembles: 8,
      pool: 3,
      // Each learns ten classes twice: many are content with a part of the pictures.
      shares: [0.5, 0.5, 0.3, 0.2, 0.2, 0.1],
      drawMethod(serious) {
        if (draw.chance(0.15)) return bothDigits(views.evened16, drawConvolutional(draw), digits);
        const kind = draw.pick(serious ? SERIOUS : ALL);
        const few = [views.raw8, views.evened8, views.edges3];
        const many = [views.raw12, views.evened12, views.evened16, views.edges4, views.edges5];
        // Boosting of ten classes on hundreds of columns would take minutes.
        const view = draw.pick(
          kind === "boosting"
            ? few
            : serious
              ? [views.edges4, views.edges5, views.evened12]
              : [...few, ...many],
        );
        return bothDigits(view, drawLearner(draw, kind, EFFORT, "classes"), digits);
      },
    });
  },
};

type Halves = { readonly name: string; readonly halves: readonly View<DenseMatrix>[] };

/** One learner twice: what it makes of the left half says the first digit, of the right half the second. */
function bothDigits(view: Halves, learner: Learner<DenseMatrix>, digits: readonly Float64Array[]): Method {
  return {
    name: `${learner.name} on ${view.name}`,
    family: learner.family,
    predict(train, asked) {
      const chances = new Float64Array(2 * DIGITS * asked.length);
      for (const [k, half] of view.halves.entries()) {
        const seen = half.of(train, asked);
        const values = Float64Array.from(train, (row) => digits[k][row]);
        const own = learner.predict(seen.train, { kind: "classes", values, outputs: DIGITS }, seen.asked);
        chances.set(own, k * DIGITS * asked.length);
      }
      return chances;
    },
  };
}

function indicators(digits: readonly Float64Array[]): Float64Array {
  const rows = digits[0].length;
  const values = new Float64Array(2 * DIGITS * rows);
  for (const [k, own] of digits.entries())
    for (const [row, digit] of own.entries()) values[(k * DIGITS + digit) * rows + row] = 1;
  return values;
}

function readNumbers(chances: Float64Array): Int32Array {
  const rows = chances.length / (2 * DIGITS);
  const likeliest = (from: number, row: number) => {
    let best = 0;
    for (let k = 1; k < DIGITS; k++)
      if (chances[(from + k) * rows + row] > chances[(from + best) * rows + row]) best = k;
    return best;
  };
  return Int32Array.from({ length: rows }, (_, row) => DIGITS * likeliest(0, row) + likeliest(DIGITS, row));
}

function viewsOf(images: readonly GrayImage[]) {
  const of = (name: string, row: (half: GrayImage) => ArrayLike<number>): Halves => ({
    name,
    halves: [0, 1].map((side) => fixedView(name, () => tableOf(images, (image) => row(halfOf(image, side))))),
  });
  const raw = (size: number) =>
    of(`${size} × ${size} pixels of each half`, (half) => resizeImage(half, size, size).pixels);
  const evened = (size: number) =>
    of(
      `${size} × ${size} pixels of each half, contrast evened`,
      (half) => resizeImage(evenly(half), size, size).pixels,
    );
  const edges = (cells: number) =>
    of(`edges in ${cells} × ${cells} cells of each half`, (half) => gradientHistograms(half, { cells }));
  return {
    raw8: raw(8),
    raw12: raw(12),
    evened8: evened(8),
    evened12: evened(12),
    evened16: evened(16),
    edges3: edges(3),
    edges4: edges(4),
    edges5: edges(5),
  };
}

function halfOf({ width, height, pixels }: GrayImage, side: number): GrayImage {
  const left = side === 0 ? 0 : width - HALF_WIDTH;
  const own = new Float32Array(HALF_WIDTH * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < HALF_WIDTH; x++) own[y * HALF_WIDTH + x] = pixels[y * width + left + x];
  return { width: HALF_WIDTH, height, pixels: own };
}

/** How far each pixel is from the middle shade, against how far they are on the whole: ink stands out, dark or light. */
function evenly(image: GrayImage): GrayImage {
  const middle = Float32Array.from(image.pixels).sort()[image.pixels.length >> 1];
  const apart = Float32Array.from(image.pixels, (gray) => Math.abs(gray - middle));
  const mean = apart.reduce((sum, value) => sum + value, 0) / apart.length + 1e-3;
  return { ...image, pixels: apart.map((value) => Math.min(1, value / (6 * mean))) };
}

function drawConvolutional(draw: Draw): Learner<DenseMatrix> {
  const filters = draw.pick([
    [6, 12],
    [8, 16],
  ] as const);
  const epochs = draw.whole(2, 5);
  const dropout = draw.pick([0, 0.25, 0.5]);
  const learningRate = draw.pick([0.001, 0.002]);
  const seed = draw.seed();
  return {
    name: `convolutions ${filters.join("-")}, ${epochs} epochs, rate ${learningRate}, dropout ${dropout}`,
    family: "network",
    predict(train, target, asked) {
      const side = Math.sqrt(train.columns);
      const fitted = fitConvolutional(train, target.values, {
        loss: "softmax",
        outputs: DIGITS,
        shape: { height: side, width: side, channels: 1 },
        filters,
        hidden: 48,
        dropout,
        epochs,
        learningRate,
        seed,
      });
      return predictNetwork(fitted, asked);
    },
  };
}
