import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import type { FileMetaData } from "hyparquet";
import { type FormatProblem, unreadable } from "./format-problem.ts";

/** The types that occur in the catalogue. FLOAT stays 32 bits wide, so that it prints as short as it is stored. */
const physicalTypes = {
  INT32: Int32Array,
  INT64: BigInt64Array,
  FLOAT: Float32Array,
  DOUBLE: Float64Array,
} as const;

export type ParquetType = keyof typeof physicalTypes;
export type ParquetColumn = { name: string; type: ParquetType };
export type ParquetValues = Int32Array | BigInt64Array | Float32Array | Float64Array;
/** Some rows of the file: one array per column, in the order of the columns asked for. */
export type ParquetBatch = { rows: number; columns: ParquetValues[] };

export type ParquetFile = {
  status: "open";
  rows: number;
  columns: ParquetColumn[];
  /** Visits all rows of the named columns in file order, in batches of bounded size. A missing float is NaN, a missing integer a problem. */
  readBatches(
    names: string[],
    visit: (batch: ParquetBatch) => void | Promise<void>,
  ): Promise<FormatProblem | null>;
};

export type ParquetWriter = { write(batch: ParquetBatch): void; finish(): void };

const rowsPerBatch = 1_000_000;
const rowsPerGroup = 1_000_000;
const installCommand = "npm install hyparquet@1.31.5 hyparquet-compressors@1.1.2 hyparquet-writer@0.16.10";

/** Opens a Parquet file of flat number columns. The library is loaded only now; without it the problem names the command. */
export async function openParquet(path: string): Promise<ParquetFile | FormatProblem> {
  const library = await load(() => import("hyparquet"));
  const codecs = await load(() => import("hyparquet-compressors"));
  if (library === null || codecs === null) return missingLibrary(path);
  const { parquetMetadataAsync, parquetScan } = library;
  const { compressors } = codecs;
  const byteLength = statSync(path).size;
  const file = {
    byteLength,
    slice: (start: number, end?: number) => readSlice(path, start, end ?? byteLength),
  };
  let metadata: FileMetaData;
  try {
    metadata = await parquetMetadataAsync(file);
  } catch {
    return unreadable(path, "is not a Parquet file, or a damaged one");
  }
  const columns: ParquetColumn[] = [];
  for (const { name, type, num_children } of metadata.schema.slice(1)) {
    if (num_children || !type || !(type in physicalTypes)) {
      return unreadable(path, `has a column "${name}" of a type we cannot read (${type ?? "nested"})`);
    }
    columns.push({ name, type: type as ParquetType });
  }
  return {
    status: "open",
    rows: Number(metadata.num_rows),
    columns,
    async readBatches(names, visit) {
      const wanted = names.map((name) => columns.find((column) => column.name === name));
      const absent = names.filter((_, i) => wanted[i] === undefined);
      if (absent.length > 0) return unreadable(path, `has no column "${absent[0]}"`);
      const scan = await parquetScan({ file, metadata, columns: names, compressors });
      for (const range of scan.ranges) {
        for (let rowStart = range.rowStart; rowStart < range.rowEnd; rowStart += rowsPerBatch) {
          const rowEnd = Math.min(rowStart + rowsPerBatch, range.rowEnd);
          const values: ParquetValues[] = [];
          for (const column of wanted) {
            if (column === undefined) continue;
            let decoded: ArrayLike<unknown>;
            try {
              decoded = await scan.readColumn({ column: column.name, rowStart, rowEnd });
            } catch {
              return unreadable(path, `has a damaged column "${column.name}"`);
            }
            const typed = toTyped(decoded, column.type);
            if (typed === null) return unreadable(path, `has missing values in column "${column.name}"`);
            values.push(typed);
          }
          await visit({ rows: rowEnd - rowStart, columns: values });
        }
      }
      return null;
    },
  };
}

/**
 * Starts a Parquet file (plain encoding, snappy, optional columns, as the original's writer has them; its bytes depend
 * on library versions and are not reproduced). Rows may arrive in any number of batches; `finish` completes the file.
 */
export async function createParquet(
  path: string,
  columns: ParquetColumn[],
): Promise<ParquetWriter | FormatProblem> {
  const library = await load(() => import("hyparquet-writer"));
  if (library === null) return missingLibrary(path);
  const root = { name: "schema", num_children: columns.length };
  const leaves = columns.map(({ name, type }) => ({ name, type, repetition_type: "OPTIONAL" as const }));
  const writer = new library.ParquetWriter({ writer: library.fileWriter(path), schema: [root, ...leaves] });
  return {
    write(batch) {
      const columnData = columns.map(({ name }, i) => ({
        name,
        data: batch.columns[i],
        encoding: "PLAIN" as const,
        offsetIndex: false,
      }));
      if (batch.rows > 0) writer.write({ columnData, rowGroupSize: rowsPerGroup });
    },
    finish() {
      writer.finish();
    },
  };
}

function toTyped(values: ArrayLike<unknown>, type: ParquetType): ParquetValues | null {
  const wanted = type === "INT64" ? "bigint" : "number";
  const hasNaN = type === "FLOAT" || type === "DOUBLE";
  const typed = new physicalTypes[type](values.length);
  for (let i = 0; i < values.length; i++) {
    const value = hasNaN ? (values[i] ?? Number.NaN) : values[i];
    // The type of the value follows the type of the array; the compiler cannot see that they go together.
    if (typeof value !== wanted) return null;
    (typed as unknown as unknown[])[i] = value;
  }
  return typed;
}

async function readSlice(path: string, start: number, end: number): Promise<ArrayBuffer> {
  const file = await open(path, "r");
  try {
    const bytes = new ArrayBuffer(end - start);
    const view = new Uint8Array(bytes);
    for (let at = 0; at < view.length; ) {
      const { bytesRead } = await file.read(view, at, view.length - at, start + at);
      if (bytesRead === 0) throw new Error("read beyond the end");
      at += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}

async function load<T>(importLibrary: () => Promise<T>): Promise<T | null> {
  try {
    return await importLibrary();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return null;
    throw error;
  }
}

function missingLibrary(path: string): FormatProblem {
  return unreadable(path, `is a Parquet file, which needs optional packages: ${installCommand}`);
}
