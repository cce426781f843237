import { type FormatProblem, unreadable } from "./format-problem.ts";
import type { NpyArray } from "./npy.ts";

/**
 * The run-length code of a mask of shape (H, W) or (H, W, 1): "start length …", counted from 1 down the columns, or "-"
 * without a set pixel. A run goes on from the foot of one column to the head of the next. Only the value 1 is set.
 */
export function encodeMaskRuns({ header, data }: NpyArray): string | FormatProblem {
  const [height, width] = header.shape;
  const { itemBytes } = header;
  const one = oneOf(header.descr[1], itemBytes);
  if (one === null || data.length !== height * width * itemBytes) {
    return unreadable(
      "the mask",
      `has type ${header.descr} and shape (${header.shape.join(", ")}), not (H, W, 1)`,
    );
  }
  const parts: string[] = [];
  let start = 0;
  for (let index = 1; index <= height * width + 1; index++) {
    const column = Math.floor((index - 1) / height);
    const at = (((index - 1) % height) * width + column) * itemBytes;
    const set = index <= height * width && one.compare(data, at, at + itemBytes) === 0;
    if (set && start === 0) start = index;
    if (!set && start > 0) {
      parts.push(`${start} ${index - start}`);
      start = 0;
    }
  }
  return parts.length === 0 ? "-" : parts.join(" ");
}

/** The number 1 as a NumPy type stores it; null for types without numbers. Masks are mostly integers, but floats compare as well. */
function oneOf(kind: string, itemBytes: number): Buffer | null {
  const one = Buffer.alloc(itemBytes);
  if ("iub".includes(kind)) one[0] = 1;
  else if (kind === "f" && itemBytes === 2) one.writeUInt16LE(0x3c00);
  else if (kind === "f" && itemBytes === 4) one.writeFloatLE(1);
  else if (kind === "f" && itemBytes === 8) one.writeDoubleLE(1);
  else return null;
  return one;
}
