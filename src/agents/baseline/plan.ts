import {
  boostingSeconds,
  forestSeconds,
  kernelRidgeSeconds,
  labelSetSeconds,
  logisticSeconds,
  neighbourSeconds,
  perceptronSeconds,
  pictureClassesSeconds,
  ridgeSeconds,
} from "../../learning/cost.ts";
import { pictureClassesProducts } from "../../learning/networks/planes/picture-classes.ts";
import type { FeatureSource } from "./features/features.ts";
import { FREQUENT_WORDS, isChosen, type TextChoice, type TextMatrix } from "./features/texts.ts";
import {
  type BoostingSettings,
  boosting,
  convolutional,
  forest,
  kernelRidge,
  type Learner,
  labelSet,
  logistic,
  naiveBayes,
  neighbours,
  perceptron,
  prior,
  ridge,
  WORD_BINS,
  wordBoosting,
} from "./learners.ts";
import type { RowsProblem } from "./solvers/rows-problem.ts";

export interface Candidate {
  readonly name: string;
  readonly learn: Learner;
  /** What all folds together should take, by the cost model. */
  readonly seconds: number;
  /** What a single fit should take: not every learner can be stopped in the middle. */
  readonly longestFit: number;
  /** What its models, and learning them, take while they are needed. */
  readonly modelBytes: number;
}

export interface Plan {
  readonly chosen: readonly Candidate[];
  readonly leftOut: readonly Candidate[];
}

/**
 * From cheap to dear, as long as the estimates fit the budget; what does not fit is left out, and something cheaper
 * after it may still fit. No clock has a part in this: the same data and budget give the same plan.
 */
export function makePlan(
  problem: RowsProblem,
  source: FeatureSource,
  { seconds, modelBytes }: { seconds: number; modelBytes: number },
): Plan {
  const predictionBytes = 8 * problem.outputs * (problem.scoredRows.length + problem.testRows);
  const mostChosen = Math.max(1, Math.floor(modelBytes / 2 / predictionBytes));
  const chosen: Candidate[] = [];
  const leftOut: Candidate[] = [];
  let left = seconds;
  for (const candidate of candidates(problem, source, { seconds, modelBytes })) {
    const fits =
      candidate.seconds <= left &&
      candidate.longestFit <= LONGEST_FIT * seconds &&
      candidate.modelBytes <= modelBytes / 2 &&
      chosen.length < mostChosen;
    (fits ? chosen : leftOut).push(candidate);
    if (fits) left -= candidate.seconds;
  }
  return { chosen, leftOut };
}

const LONGEST_FIT = 0.3;
const LABEL_EPOCHS = 15;
/** Filters of convolutional networks, from strong to weak. */
const NETWORKS = [
  [16, 32, 64],
  [8, 16, 32],
];
const SHARE_OF_NETWORK = 0.6;
const [MIN_EPOCHS, ENOUGH_EPOCHS, MAX_EPOCHS] = [4, 16, 40];
const NANO = 1e-9;
/** Nanoseconds for a row to go down one level of a tree. */
const PER_BOOSTED_TREE = 6;
const PER_FOREST_TREE = 10;
/** Leaves of one row alone are rare. */
const NODES_OF_A_ROW = 1;
const BYTES_OF_A_NODE = 13;
/** A kernel and, while it is made or applied, its copy. */
const BYTES_OF_A_PAIR = 10;
const MAX_KERNEL_ROWS = 4000;
const MAX_ROWS_FOR_NETWORKS = 100_000;
const MANY_ROWS = 100_000;
/** A tree that may choose among so many features finds a good one. */
const ENOUGH_FEATURES = 400;
const MANY_COLUMNS = 500;

/** Histograms of a wide table are large, and most of a tree's time: there they are coarser. */
export function binsFor(columns: number): number {
  return columns > MANY_COLUMNS ? 63 : 255;
}

/** All texts first, then words and letters by themselves, then column by column. */
function textChoices({ blocks }: TextMatrix): { choice: TextChoice; called: string }[] {
  const columns = [...new Set(blocks.map(({ name }) => name))];
  return [
    { choice: "all", called: "texts" },
    { choice: "balanced", called: "words beside characters" },
    { choice: "words", called: "words" },
    { choice: "characters", called: "characters" },
    ...(columns.length > 1 ? columns : []).map((column) => ({
      choice: { column },
      called: `texts of ${column}`,
    })),
  ];
}

function entriesOf({ matrix, blocks }: TextMatrix, choice: TextChoice): number {
  const isUsed = new Uint8Array(matrix.columns);
  for (const block of blocks) if (isChosen(choice, block)) isUsed.fill(1, block.from, block.to);
  let entries = 0;
  for (const column of matrix.indices) entries += isUsed[column];
  return entries;
}

function candidates(
  problem: RowsProblem,
  source: FeatureSource,
  { seconds, modelBytes }: { seconds: number; modelBytes: number },
): Candidate[] {
  const { kind, classes, outputs, metric } = problem;
  const features = source.train;
  const folds = problem.folds.length;
  const rows = problem.folds[0].train.length;
  const asked = problem.folds[0].validation.length + problem.testRows;
  const questions = kind === "classes" ? 1 : outputs;
  const treeOutputs = kind === "classes" && classes > 2 ? classes : 1;
  const encoded = features.categories.length * (kind === "classes" && classes > 2 ? classes : 1);
  const treeColumns = features.numbers.columns + encoded;
  const columns = source.linearColumns;
  const list: Candidate[] = [];
  const keptModels = questions * (source.blockCount > 1 ? folds : 1);
  const add = (name: string, learn: Learner, secondsOfFit: number, bytesOfModel = 0, canBeStopped = false) =>
    list.push({
      name,
      learn,
      seconds: source.passSeconds + folds * questions * secondsOfFit,
      longestFit: canBeStopped ? 0 : secondsOfFit,
      modelBytes: keptModels * bytesOfModel,
    });

  const forestReading = (trees: number) => NANO * PER_FOREST_TREE * trees * asked * Math.log2(rows);
  const forestBytes = (trees: number) =>
    trees * rows * NODES_OF_A_ROW * (BYTES_OF_A_NODE + 8 * Math.max(1, kind === "number" ? 1 : classes));

  const kernelRows = Math.min(rows, MAX_KERNEL_ROWS, Math.floor(Math.sqrt(modelBytes / 2 / BYTES_OF_A_PAIR)));
  const addKernel = (l2: number, reach: number) =>
    add(
      `kernel of reach ${reach}, l2 ${l2}`,
      kernelRidge(l2, reach, kernelRows),
      kernelRidgeSeconds({ rows: kernelRows, asked, columns, outputs: treeOutputs }) / questions,
      (BYTES_OF_A_PAIR * kernelRows ** 2) / keptModels,
    );

  /** The strongest network that can be trained enough in its share of the time; the weakest, if it can at all. */
  const addConvolutional = () => {
    if (features.pictures === null) return;
    const { shape, pixels } = features.pictures;
    const sized = NETWORKS.map((filters) => {
      const products = pictureClassesProducts({ ...shape, outputs: treeOutputs, filters });
      const one = pictureClassesSeconds({ rows, epochs: 1, pixels: pixels.columns, products });
      const share = (SHARE_OF_NETWORK * seconds) / folds / questions;
      return { filters, one, epochs: Math.min(MAX_EPOCHS, Math.floor(share / one)) };
    });
    const chosen = sized.find(({ epochs }) => epochs >= ENOUGH_EPOCHS) ?? sized.at(-1);
    if (chosen === undefined || chosen.epochs < MIN_EPOCHS) return;
    const { filters, one, epochs } = chosen;
    const name = `convolutional network ${filters.join(", ")}, ${epochs} epochs`;
    add(name, convolutional(filters, epochs), one * epochs, 0, true);
  };

  add("prior", prior, 0.001);
  if (features.texts !== null) {
    const share = rows / features.texts.matrix.rows;
    const choices = textChoices(features.texts);
    const isMany = kind === "labels" || treeOutputs > 2;
    for (const { choice, called } of choices) {
      const entries = share * entriesOf(features.texts, choice);
      if (kind === "number") {
        for (const l2 of [1, 4])
          add(
            `ridge on ${called}, l2 ${l2}`,
            ridge({ texts: choice }, l2),
            logisticSeconds({ rows, entries, outputs: 1, iterations: 60 }),
          );
      } else {
        const cost = labelSetSeconds({ rows, entries, labels: outputs, epochs: LABEL_EPOCHS }) / questions;
        for (const l2 of isMany ? [0.4, 0.1] : choice === "all" ? [0.004, 0.001, 0.02] : [0.002])
          add(`logistic on ${called}, l2 ${l2}`, labelSet({ texts: choice }, l2, LABEL_EPOCHS), cost);
        if (kind === "classes" && classes === 2)
          add(
            `naive Bayes and logistic on ${called}`,
            naiveBayes({ texts: choice }, 0.01, LABEL_EPOCHS),
            cost,
          );
      }
    }
  }
  if (features.texts !== null && kind !== "labels") {
    const width = features.numbers.columns + FREQUENT_WORDS;
    const settings = { trees: 150, learningRate: 0.08, maxLeaves: 12, featureFraction: 0.3 };
    const { trees, maxLeaves: leaves, featureFraction } = settings;
    const size = { rows, features: width, trees, outputs: treeOutputs, leaves, featureFraction };
    add(
      "boosting with words",
      wordBoosting(settings),
      boostingSeconds({ ...size, maxBins: WORD_BINS }),
      ((4 * asked + 5 * rows) * width) / keptModels,
    );
  }
  if (features.pictures?.of === "pictures") {
    const dense = (hidden: number) =>
      perceptronSeconds({ rows, epochs: 30, sizes: [columns, hidden, treeOutputs] });
    add(
      "15 neighbours",
      neighbours(15, "cosine"),
      neighbourSeconds({ known: rows, queries: asked, columns }) / questions,
    );
    add("perceptron", perceptron([64], 30), dense(64));
    for (const [l2, reach] of [
      [0.1, 0.5],
      [0.03, 0.7],
    ])
      addKernel(l2, reach);
    add(
      "extra trees",
      forest("extra", 100),
      forestSeconds({
        rows,
        features: treeColumns,
        trees: 100,
        outputs: Math.max(1, classes),
        kind: "extra",
      }) + forestReading(100),
      forestBytes(100),
    );
    addConvolutional();
    add("wide perceptron", perceptron([256], 30), dense(256));
    return list;
  }
  if (columns > 0) {
    const entries = rows * columns;
    if (kind === "number") {
      for (const l2 of [3, 30]) add(`ridge, l2 ${l2}`, ridge("linear", l2), ridgeSeconds({ rows, columns }));
    } else {
      for (const l2 of [1, 10])
        add(
          `logistic, l2 ${l2}`,
          logistic("linear", l2, 60),
          logisticSeconds({ rows, entries, outputs: treeOutputs, iterations: 60 }),
        );
    }
  }
  if (treeColumns > 0) {
    const addBoosting = (name: string, settings: BoostingSettings) => {
      const { trees, maxLeaves: leaves } = settings;
      const featureFraction = Math.min(settings.featureFraction, ENOUGH_FEATURES / treeColumns);
      const size = { rows, features: treeColumns, trees, outputs: treeOutputs, leaves, featureFraction };
      const reading = NANO * PER_BOOSTED_TREE * trees * treeOutputs * asked * Math.log2(leaves);
      const bins = treeColumns * (Math.min(rows, maxBins) + 1);
      add(
        name,
        boosting({ ...settings, featureFraction }),
        boostingSeconds({ ...size, maxBins }) + reading,
        (rows * (treeColumns + 40) + 16 * bins * (leaves + 1)) / keptModels,
      );
    };
    const maxBins = binsFor(treeColumns);
    const quick = { trees: 40, learningRate: 0.2, maxLeaves: 12, featureFraction: 0.5 };
    if (rows + asked > MANY_ROWS) addBoosting("boosting, few trees", quick);
    const first = { trees: 150, learningRate: 0.06, maxLeaves: 8, featureFraction: 0.5 };
    addBoosting("boosting, small trees", first);
    const forested = (which: "random" | "extra", trees: number) =>
      forestSeconds({
        rows,
        features: treeColumns,
        trees,
        outputs: Math.max(1, kind === "number" ? 1 : classes),
        kind: which,
      }) + forestReading(trees);
    add("extra trees", forest("extra", 150), forested("extra", 150), forestBytes(150));
    if (metric === "mae") addBoosting("boosting, absolute loss", { ...first, absolute: true });
    addBoosting("boosting, middle", {
      trees: 300,
      learningRate: 0.04,
      maxLeaves: 12,
      featureFraction: 0.3,
    });
    add("random forest", forest("random", 150), forested("random", 150), forestBytes(150));
    addBoosting("boosting, slow", { trees: 800, learningRate: 0.02, maxLeaves: 8, featureFraction: 0.2 });
    addBoosting("boosting, large trees", {
      trees: 400,
      learningRate: 0.03,
      maxLeaves: 31,
      featureFraction: 0.2,
    });
  }
  addConvolutional();
  if (columns > 0) {
    const search = neighbourSeconds({ known: rows, queries: asked, columns }) / questions;
    if (kernelRows > 0)
      for (const [l2, reach] of kind === "number"
        ? [
            [0.1, 1.5],
            [0.3, 1],
          ]
        : [[0.3, 1]])
        addKernel(l2, reach);
    add("5 neighbours", neighbours(5, "euclidean"), search);
    add("15 neighbours", neighbours(15, "euclidean"), search);
    const epochs = rows < 5000 ? 40 : 15;
    const sizes = [columns, 64, treeOutputs];
    if (rows < MAX_ROWS_FOR_NETWORKS)
      add("perceptron", perceptron([64], epochs), perceptronSeconds({ rows, epochs, sizes }));
  }
  return list;
}
