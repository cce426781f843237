/** 1 where the drawing is, row by row. */
export interface Mask {
  readonly width: number;
  readonly height: number;
  readonly set: Uint8Array;
}

/** "start length" of each run, counted from 1 row by row; a run may go on into the next row. */
export function runsOf({ set }: Mask): string {
  const runs: string[] = [];
  for (let from = 0; from < set.length; from++) {
    if (set[from] === 0) continue;
    let to = from;
    while (to < set.length && set[to] === 1) to++;
    runs.push(`${from + 1} ${to - from}`);
    from = to;
  }
  return runs.join(" ");
}

export function maskOf(runs: string, width: number, height: number): Mask {
  const numbers = runs.split(" ").map(Number);
  const set = new Uint8Array(width * height);
  for (let i = 0; i < numbers.length; i += 2) set.fill(1, numbers[i] - 1, numbers[i] - 1 + numbers[i + 1]);
  return { width, height, set };
}

/** Dice of two masks of one size. */
export function overlap(a: Uint8Array, b: ArrayLike<number>): number {
  let [both, all] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    both += a[i] * b[i];
    all += a[i] + b[i];
  }
  return all === 0 ? 1 : (2 * both) / all;
}

/** Sets whatever lies within `radius` of a set pixel, along rows and columns. */
export function dilate(mask: Mask, radius: number): Mask {
  return spread(mask, radius, 1);
}

/** Clears whatever lies within `radius` of a clear pixel; beyond the border nothing is clear. */
export function erode(mask: Mask, radius: number): Mask {
  return spread(mask, radius, 0);
}

export function open(mask: Mask, radius: number): Mask {
  return dilate(erode(mask, radius), radius);
}

export function close(mask: Mask, radius: number): Mask {
  return erode(dilate(mask, radius), radius);
}

function spread({ width, height, set }: Mask, radius: number, value: 0 | 1): Mask {
  let from = set;
  for (let step = 0; step < radius; step++) {
    const next = from.slice();
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        if (from[at] !== value) continue;
        if (x > 0) next[at - 1] = value;
        if (x < width - 1) next[at + 1] = value;
        if (y > 0) next[at - width] = value;
        if (y < height - 1) next[at + width] = value;
      }
    }
    from = next;
  }
  return { width, height, set: from };
}

/** Groups of neighbouring pixels with this value, each as a list of pixels. */
function components({ width, set }: Mask, value: 0 | 1): number[][] {
  const seen = new Uint8Array(set.length);
  const found: number[][] = [];
  for (let start = 0; start < set.length; start++) {
    if (set[start] !== value || seen[start]) continue;
    const group = [start];
    const meet = (other: number) => {
      if (set[other] !== value || seen[other]) return;
      seen[other] = 1;
      group.push(other);
    };
    seen[start] = 1;
    for (let i = 0; i < group.length; i++) {
      const [at, x] = [group[i], group[i] % width];
      if (x > 0) meet(at - 1);
      if (x < width - 1) meet(at + 1);
      // Above the first row and below the last nothing is set, nor is it clear.
      meet(at - width);
      meet(at + width);
    }
    found.push(group);
  }
  return found;
}

/** Sets the clear pixels that are shut in on all sides. */
export function fillHoles(mask: Mask): Mask {
  const { width, height } = mask;
  const set = mask.set.slice();
  const isBorder = (at: number) =>
    at < width || at >= width * (height - 1) || at % width === 0 || at % width === width - 1;
  for (const group of components(mask, 0)) {
    if (!group.some(isBorder)) for (const at of group) set[at] = 1;
  }
  return { ...mask, set };
}

/** Clears the groups of less than this share of the largest one. */
export function dropSmall(mask: Mask, share: number): Mask {
  const groups = components(mask, 1);
  const largest = Math.max(0, ...groups.map((group) => group.length));
  const set = mask.set.slice();
  for (const group of groups) if (group.length < share * largest) for (const at of group) set[at] = 0;
  return { ...mask, set };
}
