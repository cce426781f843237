/** Corners of a rectangle, counter-clockwise. */
export type Corners = readonly (readonly [x: number, y: number])[];

const RIGHT_ANGLE_TOLERANCE = 1e-8;

/**
 * Corners of a `length` × `width` rectangle turned by `yaw`. Null if rounding bends a corner away from a right
 * angle, which only absurdly large coordinates or sizes do.
 */
export function rectangleCorners(
  centerX: number,
  centerY: number,
  length: number,
  width: number,
  yaw: number,
): Corners | null {
  const w = Math.cos(yaw / 2);
  const z = Math.sin(yaw / 2);
  const cos = w * w - z * z;
  const sin = 2 * w * z;
  const [lx, ly] = [(length / 2) * cos, (length / 2) * sin];
  const [wx, wy] = [(width / 2) * sin, (width / 2) * cos];
  const corners: Corners = [
    [centerX + lx + wx, centerY + ly - wy],
    [centerX + lx - wx, centerY + ly + wy],
    [centerX - lx - wx, centerY - ly + wy],
    [centerX - lx + wx, centerY - ly - wy],
  ];
  for (let i = 0; i < 4; i++) {
    const [before, here, after] = [corners[(i + 3) % 4], corners[i], corners[(i + 1) % 4]];
    const dot = (before[0] - here[0]) * (after[0] - here[0]) + (before[1] - here[1]) * (after[1] - here[1]);
    if (!(Math.abs(dot) <= RIGHT_ANGLE_TOLERANCE)) return null;
  }
  return corners;
}

/** Area two convex counter-clockwise polygons share, by cutting the first along each edge of the second. */
export function sharedArea(a: Corners, b: Corners): number {
  let polygon = a;
  for (let i = 0; i < b.length && polygon.length > 2; i++) {
    polygon = leftOf(polygon, b[i], b[(i + 1) % b.length]);
  }
  return Math.max(0, area(polygon));
}

function leftOf(polygon: Corners, from: Corners[number], to: Corners[number]): Corners {
  const kept: (readonly [number, number])[] = [];
  const side = polygon.map(([x, y]) => (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]));
  for (let i = 0; i < polygon.length; i++) {
    const next = (i + 1) % polygon.length;
    if (side[i] >= 0) kept.push(polygon[i]);
    if (side[i] >= 0 !== side[next] >= 0) {
      const share = side[i] / (side[i] - side[next]);
      const [x, y] = polygon[i];
      kept.push([x + (polygon[next][0] - x) * share, y + (polygon[next][1] - y) * share]);
    }
  }
  return kept;
}

/** Shoelace formula with x measured from the first corner, so that far-away polygons keep their digits. */
function area(polygon: Corners): number {
  let sum = 0;
  for (let i = 1; i < polygon.length; i++) {
    const x = polygon[i][0] - polygon[0][0];
    sum += x * (polygon[(i + 1) % polygon.length][1] - polygon[i - 1][1]);
  }
  return sum / 2;
}
