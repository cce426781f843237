import type { DenseMatrix } from "../../../learning/matrix.ts";
import type { ImageShape } from "../../../learning/networks/convolution-layer.ts";
import type { MemoryPlan } from "../memory-plan.ts";
import {
  type CodedColumn,
  columnKind,
  type Describer,
  dateDescriber,
  encodeColumn,
  frequencyDescriber,
  matrixDescriber,
  numberDescriber,
  type Part,
  type TableColumn,
  textShapeDescriber,
} from "./column-describers.ts";
import type { FeatureSource, Features } from "./features.ts";
import { linearLayout } from "./linear-columns.ts";
import { textFeatures } from "./texts.ts";

/** What was made of a file for each row. */
export interface MediaFeatures {
  readonly described: Readonly<Record<Part, DenseMatrix>>;
  readonly pictures: {
    readonly of: "pictures" | "sounds";
    readonly shape: ImageShape;
    readonly pixels: Readonly<Record<Part, DenseMatrix>>;
  } | null;
}

export interface SourceSizes {
  readonly trainRows: number;
  readonly testRows: number;
  readonly memory: Pick<MemoryPlan, "blockRows" | "linearBytes">;
}

/** Nanoseconds to describe a number, and a byte of text. */
const PER_NUMBER = 30;
const PER_TEXT_BYTE = 400;
const NANO = 1e-9;

/** Features of a table's columns, each taken for what its cells look like, and of a file for each row. */
export function tableFeatures(
  columns: readonly TableColumn[],
  media: MediaFeatures | null,
  { trainRows, testRows, memory }: SourceSizes,
): FeatureSource {
  const describers: Describer[] = media === null ? [] : [matrixDescriber(media.described)];
  const coded: CodedColumn[] = [];
  const textColumns: TableColumn[] = [];
  for (const column of columns) {
    const kind = columnKind(column);
    if (kind === "numbers") describers.push(numberDescriber(column));
    else if (kind === "dates") describers.push(dateDescriber(column));
    else if (kind === "texts") {
      textColumns.push(column);
      describers.push(textShapeDescriber(column));
    } else if (kind === "categories") {
      const own = encodeColumn(column);
      coded.push(own);
      describers.push(frequencyDescriber(own));
    }
  }
  const width = describers.reduce((sum, describer) => sum + describer.width, 0);
  const describe = (part: Part, from: number, to: number): DenseMatrix => {
    const values = new Float64Array((to - from) * width);
    let offset = 0;
    for (const describer of describers) {
      describer.write(part, from, to, values, width, offset);
      offset += describer.width;
    }
    return { rows: to - from, columns: width, values };
  };
  const categories = (part: Part, from: number, to: number) =>
    coded.map(({ name, codes, counts }) => ({ name, codes: codes[part].subarray(from, to), counts }));
  const pictures = (part: Part, from: number, to: number): Features["pictures"] => {
    if (!media?.pictures) return null;
    const { of, shape, pixels } = media.pictures;
    const { columns: size, values } = pixels[part];
    return {
      of,
      shape,
      pixels: { rows: to - from, columns: size, values: values.subarray(from * size, to * size) },
    };
  };
  const texts = textFeatures(textColumns);
  const numbers = describe("train", 0, trainRows);
  const layout = linearLayout(numbers, categories("train", 0, trainRows), {
    withLogarithms: media?.pictures?.of !== "pictures",
    mostColumns: Math.floor(memory.linearBytes / (16 * trainRows)),
  });
  const assembled = (part: Part, from: number, to: number): Features => {
    const isTrain = part === "train";
    const own = isTrain ? numbers : describe(part, from, to);
    const ownCategories = categories(part, from, to);
    let linear: DenseMatrix | null = null;
    return {
      rows: to - from,
      numbers: own,
      categories: ownCategories,
      linear() {
        linear ??= layout.describe(own, ownCategories);
        return linear;
      },
      texts: texts && (isTrain ? texts.train : texts.describe(from, to)),
      pictures: pictures(part, from, to),
    };
  };
  const { blockRows } = memory;
  const blockCount = Math.ceil(testRows / blockRows);
  const textBytes = textColumns.reduce((sum, { test }) => sum + sampleLength(test), 0);
  let only: Features | null = null;
  return {
    train: assembled("train", 0, trainRows),
    testRows,
    linearColumns: layout.columns,
    blockCount,
    *blocks() {
      for (let from = 0; from < testRows; from += blockRows) {
        const to = Math.min(testRows, from + blockRows);
        const features = only ?? assembled("test", from, to);
        if (blockCount === 1) only = features;
        yield { from, features };
      }
    },
    passSeconds:
      blockCount === 1
        ? 0
        : NANO * testRows * (PER_NUMBER * (width + layout.columns) + PER_TEXT_BYTE * textBytes),
  };
}

/** The mean length of the first cells. */
function sampleLength(cells: TableColumn["test"]): number {
  const count = Math.min(1000, cells.length);
  let sum = 0;
  for (let row = 0; row < count; row++) sum += cells.at(row)?.length ?? 0;
  return sum / Math.max(1, count);
}
