import type { Table } from "../../../table/table.ts";

/** The number of pixels of the image of a row, from columns of heights and widths. */
export function imageSizes(
  answers: Table,
  image: { height: string; width: string },
): (row: number) => number {
  const heights = answers.column(image.height)!.numbers;
  const widths = answers.column(image.width)!.numbers;
  return (row) => heights[row] * widths[row];
}
