/**
 * How many seconds a fit will take on one core, from the size of its data alone. A plan made from these is the same
 * on a fast machine as on a slow one; the clock may only cut it. Constants were measured once (AMD EPYC, Node 20)
 * and hold within a third there; times for small data are dominated by the compiler warming up.
 */
const NANO = 1e-9;
const WARM_UP = 0.05;

export interface TreeFit {
  readonly rows: number;
  readonly features: number;
  readonly trees: number;
  /** 1, or the number of classes. */
  readonly outputs?: number;
}

/** `fitBoosting`, binning included. Helper threads share what is done feature by feature, the rest stays with one. */
export function boostingSeconds(
  fit: TreeFit & {
    readonly leaves?: number;
    readonly threads?: number;
    /** The share of features that each tree may use. */
    readonly featureFraction?: number;
    readonly maxBins?: number;
  },
): number {
  const { rows, features, trees, outputs = 1, leaves = 31, threads = 1 } = fit;
  const { featureFraction = 1, maxBins = 255 } = fit;
  const depth = Math.log2(Math.max(2, leaves));
  const used = features * featureFraction;
  const shared = 1.1 * rows * used * depth + 8 * used * Math.min(rows, maxBins + 1) * leaves;
  const alone = 4.3 * rows * depth + 19_000 * leaves;
  return WARM_UP + NANO * (180 * rows * features + trees * outputs * (alone + shared / threads));
}

/** `fitForest` without limits on depth, binning not included. */
export function forestSeconds(fit: TreeFit & { readonly kind: "random" | "extra" }): number {
  const { rows, features, trees, outputs = 1, kind } = fit;
  const drawn = outputs === 1 ? features / 3 : Math.sqrt(features);
  const perRow = (kind === "random" ? 50 : 30) + 10 * (outputs - 1);
  return WARM_UP + NANO * trees * perRow * rows * Math.max(1, drawn) * Math.log2(Math.max(2, rows));
}

/** `fitLogistic` or its like on a matrix with this many entries that are not zero. */
export function logisticSeconds(fit: {
  readonly rows: number;
  readonly entries: number;
  readonly outputs: number;
  readonly iterations: number;
}): number {
  const { rows, entries, outputs, iterations } = fit;
  return WARM_UP + NANO * iterations * outputs * (8 * entries + 60 * rows);
}

/** `fitLabelSet` on a matrix with this many entries that are not zero. */
export function labelSetSeconds(fit: {
  readonly rows: number;
  readonly entries: number;
  readonly labels: number;
  readonly epochs: number;
}): number {
  const { rows, entries, labels, epochs } = fit;
  return WARM_UP + NANO * (20 * entries + epochs * labels * (0.5 * entries + 40 * rows));
}

/** `fitRidge` in closed form. */
export function ridgeSeconds({ rows, columns }: { readonly rows: number; readonly columns: number }): number {
  return WARM_UP + NANO * (1.2 * rows * columns * columns + columns ** 3);
}

/** `fitKernelRidge`, and predicting the rows asked for. */
export function kernelRidgeSeconds(fit: {
  readonly rows: number;
  readonly asked: number;
  readonly columns: number;
  readonly outputs: number;
}): number {
  const { rows, asked, columns, outputs } = fit;
  const perPair = 20 + 0.2 * columns;
  const iterations = 60;
  return (
    WARM_UP +
    NANO * (rows * (rows + asked) * perPair + iterations * rows * rows * (2 + 0.15 * Math.max(8, outputs)))
  );
}

/** `nearestNeighbours`. */
export function neighbourSeconds(search: {
  readonly known: number;
  readonly queries: number;
  readonly columns: number;
}): number {
  const { known, queries, columns } = search;
  return WARM_UP + NANO * known * queries * (10 + 0.08 * columns);
}

/** `fitPerceptron` with layers of these sizes, inputs first and outputs last. */
export function perceptronSeconds(fit: {
  readonly rows: number;
  readonly epochs: number;
  readonly sizes: readonly number[];
}): number {
  const weights = fit.sizes.slice(1).reduce((sum, size, i) => sum + size * fit.sizes[i], 0);
  return WARM_UP + NANO * fit.rows * fit.epochs * (2500 + 0.7 * weights);
}

/** `fitConvolutional` with its usual filters on square pictures. */
export function convolutionalSeconds(fit: {
  readonly rows: number;
  readonly epochs: number;
  readonly pixels: number;
}): number {
  return WARM_UP + NANO * fit.rows * fit.epochs * 1300 * fit.pixels;
}

/** `fitPictureNetwork` with so many products for a pixel, and predicting. */
export function pictureNetworkSeconds(fit: {
  readonly products: number;
  readonly pixels: number;
  readonly trained: number;
  readonly epochs: number;
  readonly predicted: number;
}): number {
  const passes = 3 * fit.epochs * fit.trained + 2 * fit.predicted;
  return NANO * passes * fit.pixels * (60 + 0.09 * fit.products);
}

/** `fitSequenceLabels` on so many signs in all. */
export function sequenceLabelsSeconds(fit: {
  readonly signs: number;
  readonly epochs: number;
  readonly size: number;
  readonly labels: number;
}): number {
  const products = 6 * fit.size ** 2 + 2 * fit.size * fit.labels;
  return WARM_UP + NANO * fit.signs * fit.epochs * (100 * fit.size + 0.4 * products);
}

/** `fitPictureClasses` with so many products for a picture. */
export function pictureClassesSeconds(fit: {
  readonly rows: number;
  readonly epochs: number;
  readonly pixels: number;
  readonly products: number;
}): number {
  return WARM_UP + NANO * 3 * fit.rows * fit.epochs * (40 * fit.pixels + 0.1 * fit.products);
}
