import type { Table } from "../../table/table.ts";

/** The number of pixels of each row's image, from columns of heights and widths. */
export function imageSizes(answers: Table, image: { height: string; width: string }): Float64Array {
  const heights = answers.column(image.height)!.numbers;
  const widths = answers.column(image.width)!.numbers;
  return heights.map((height, row) => height * widths[row]);
}
