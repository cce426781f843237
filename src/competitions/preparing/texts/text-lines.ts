import fs from "node:fs";

const CHUNK = 4 * 2 ** 20;
const LINE_FEED = 10;

/**
 * The lines of a file of any size as bytes, without their line feed; a carriage return before it stays. The bytes are only valid until the
 * next line. A last line without line feed counts, an empty rest does not.
 */
export function* readLines(file: string): Generator<Buffer> {
  const descriptor = fs.openSync(file, "r");
  try {
    let bytes = Buffer.allocUnsafe(CHUNK);
    let used = 0;
    for (;;) {
      const count = fs.readSync(descriptor, bytes, used, bytes.length - used, null);
      if (count === 0) break;
      used += count;
      let start = 0;
      for (
        let end = bytes.indexOf(LINE_FEED);
        end !== -1 && end < used;
        end = bytes.indexOf(LINE_FEED, start)
      ) {
        yield bytes.subarray(start, end);
        start = end + 1;
      }
      const larger = used - start === bytes.length ? Buffer.allocUnsafe(2 * bytes.length) : bytes;
      bytes.copy(larger, 0, start, used);
      bytes = larger;
      used -= start;
    }
    if (used > 0) yield bytes.subarray(0, used);
  } finally {
    fs.closeSync(descriptor);
  }
}
