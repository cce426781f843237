import { openParquet } from "../../src/formats/parquet.ts";
import { float32Text } from "../../src/table/cells/float-format.ts";
import { floatText } from "../../src/table/python-text.ts";

const TYPES = { INT32: "int32", INT64: "int64", FLOAT: "float", DOUBLE: "double" };

/** A Parquet file as the vectors record it: every cell a text in the number format of CSV. */
export async function readParquetTexts(
  file: string,
): Promise<{ types: string[]; columns: string[]; rows: string[][] }> {
  const opened = await openParquet(file);
  if (opened.status === "unreadable") throw new Error(opened.reason);
  const columns = opened.columns.map(({ name }) => name);
  const rows: string[][] = [];
  const problem = await opened.readBatches(columns, (batch) => {
    for (let row = 0; row < batch.rows; row++) {
      rows.push(batch.columns.map((values) => cell(values, row)));
    }
  });
  if (problem) throw new Error(problem.reason);
  return { types: opened.columns.map(({ type }) => TYPES[type]), columns, rows };
}

function cell(values: ArrayLike<number | bigint>, row: number): string {
  const value = values[row];
  if (values instanceof Float32Array) return float32Text(Number(value));
  return values instanceof Float64Array ? floatText(Number(value)) : String(value);
}
