import type { DenseMatrix } from "../../../learning/matrix.ts";
import type { ImageShape } from "../../../learning/networks/convolution-layer.ts";
import type { TextMatrix } from "./texts.ts";

export interface Category {
  readonly name: string;
  /** One code for each of these rows. */
  readonly codes: Int32Array;
  /** How often each code occurs in all rows, those of the test included. */
  readonly counts: Float64Array;
}

/** What is known of some rows before any target is looked at. */
export interface Features {
  readonly rows: number;
  /** For trees: plain numbers, NaN where missing. */
  readonly numbers: DenseMatrix;
  readonly categories: readonly Category[];
  /** For linear models, neighbours and networks: scaled numbers and one column for each frequent category. */
  linear(): DenseMatrix;
  /** Weighted n-grams of the texts. */
  readonly texts: TextMatrix | null;
  /** What a convolutional network sees: pictures, or sounds as bands over time. */
  readonly pictures: {
    readonly of: "pictures" | "sounds";
    readonly shape: ImageShape;
    readonly pixels: DenseMatrix;
  } | null;
}

/** All rows of a task, described. */
export interface FeatureSource {
  readonly train: Features;
  readonly testRows: number;
  readonly linearColumns: number;
  /** Blocks that the test is handed out in. */
  readonly blockCount: number;
  /** The test rows in their order, one block after another; `from` is the first row of a block. */
  blocks(): Iterable<{ readonly from: number; readonly features: Features }>;
  /** What going over all blocks takes once, by estimate; 0 where they are kept. */
  readonly passSeconds: number;
}
