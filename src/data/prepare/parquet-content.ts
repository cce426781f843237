import { createHash } from "node:crypto";
import { openParquet } from "../../formats/parquet.ts";

export type ParquetContent =
  | { status: "read"; checksum: string; rows: number; columns: string[] }
  | { status: "unreadable"; reason: string };

/**
 * A checksum of a Parquet file's names, types and values. Two libraries write the same table as different bytes, so
 * an md5 of the file would tell who wrote it and not what is in it.
 */
export async function parquetContent(file: string): Promise<ParquetContent> {
  const opened = await openParquet(file);
  if (opened.status === "unreadable") return opened;
  const names = opened.columns.map(({ name }) => name);
  const hashes = opened.columns.map(({ name, type }) => createHash("md5").update(`${name}\n${type}\n`));
  const problem = await opened.readBatches(names, ({ columns }) => {
    for (const [i, { buffer, byteOffset, byteLength }] of columns.entries())
      hashes[i].update(new Uint8Array(buffer, byteOffset, byteLength));
  });
  if (problem) return problem;
  const whole = createHash("md5");
  for (const hash of hashes) whole.update(hash.digest());
  return { status: "read", checksum: `parquet:${whole.digest("hex")}`, rows: opened.rows, columns: names };
}
