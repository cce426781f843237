import type { Table } from "../../../table/table.ts";

interface SizeColumns {
  height: string;
  width: string;
}

/** The number of pixels of the image of a row, from columns of heights and widths. */
export function imageSizes(answers: Table, image: SizeColumns): (row: number) => number {
  const one = oneImageSize(answers, image);
  if (one !== null) return () => one;
  const heights = answers.column(image.height)!.numbers;
  const widths = answers.column(image.width)!.numbers;
  return (row) => heights[row] * widths[row];
}

/** The number of pixels that every image has; null where they differ. */
export function oneImageSize(answers: Table, image: SizeColumns): number | null {
  const height = answers.column(image.height)!.onlyNumber;
  const width = answers.column(image.width)!.onlyNumber;
  return height === null || width === null ? null : height * width;
}
