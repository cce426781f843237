import fs from "node:fs";

/** Writes the first `length` bytes at a position of a temporary file: one call may take only a part of them. */
export function writeFully(
  descriptor: number,
  bytes: NodeJS.ArrayBufferView,
  length: number,
  position: number,
): void {
  for (let done = 0; done < length; ) {
    done += fs.writeSync(descriptor, bytes, done, length - done, position + done);
  }
}

/** Reads `length` bytes from a position of a temporary file to the byte `at` of the target. */
export function readFully(
  descriptor: number,
  target: NodeJS.ArrayBufferView,
  at: number,
  length: number,
  position: number,
): void {
  for (let done = 0; done < length; ) {
    const count = fs.readSync(descriptor, target, at + done, length - done, position + done);
    if (count === 0) throw new Error("a temporary file of a preparation was cut off");
    done += count;
  }
}
