import { createHash } from "node:crypto";
import fs from "node:fs";

/** The md5 of a file, in hexadecimal, read in pieces. Throws what the file system throws. */
export async function md5OfFile(
  file: string,
  meter: { add: (bytes: number) => void; finish: () => void },
  signal: AbortSignal | null,
): Promise<string> {
  const hash = createHash("md5");
  const stream = fs.createReadStream(file, {
    highWaterMark: 1024 * 1024,
    ...(signal === null ? {} : { signal }),
  });
  for await (const chunk of stream) {
    hash.update(chunk);
    meter.add(chunk.length);
  }
  meter.finish();
  return hash.digest("hex");
}
