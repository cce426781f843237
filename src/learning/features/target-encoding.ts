/** For each category its mean target, drawn towards the mean of all the more the rarer it is. */
export interface CategoryMeans {
  readonly means: ReadonlyMap<number, number>;
  /** For a category never seen. */
  readonly overall: number;
}

/** `smoothing` rows of the overall mean are added to each category. */
export function measureCategoryMeans(
  codes: ArrayLike<number>,
  target: ArrayLike<number>,
  rows: ArrayLike<number>,
  smoothing: number,
): CategoryMeans {
  const sums = new Map<number, { sum: number; count: number }>();
  let total = 0;
  for (let i = 0; i < rows.length; i++) {
    const [code, value] = [codes[rows[i]], target[rows[i]]];
    const own = sums.get(code) ?? { sum: 0, count: 0 };
    own.sum += value;
    own.count++;
    sums.set(code, own);
    total += value;
  }
  const overall = rows.length === 0 ? 0 : total / rows.length;
  const means = new Map(
    [...sums].map(([code, { sum, count }]) => [code, (sum + smoothing * overall) / (count + smoothing)]),
  );
  return { means, overall };
}

/** Each row's category mean. */
export function encodeCategories(codes: ArrayLike<number>, { means, overall }: CategoryMeans): Float64Array {
  return Float64Array.from({ length: codes.length }, (_, row) => means.get(codes[row]) ?? overall);
}

/**
 * Encodes the rows of each fold by the means of the other folds, so that no row sees its own target. A learner that
 * did would trust the encoding far more than it deserves.
 */
export function encodeOutOfFold(
  codes: ArrayLike<number>,
  target: ArrayLike<number>,
  folds: ArrayLike<number>,
  smoothing: number,
): Float64Array {
  const encoded = new Float64Array(codes.length);
  const rowsOfFold = new Map<number, number[]>();
  for (let row = 0; row < codes.length; row++) {
    const own = rowsOfFold.get(folds[row]);
    if (own) own.push(row);
    else rowsOfFold.set(folds[row], [row]);
  }
  for (const [fold, rows] of rowsOfFold) {
    const others = [...rowsOfFold].filter(([other]) => other !== fold).flatMap(([, list]) => list);
    const { means, overall } = measureCategoryMeans(codes, target, others, smoothing);
    for (const row of rows) encoded[row] = means.get(codes[row]) ?? overall;
  }
  return encoded;
}
