/** The share of each class among the labels. */
export function classShares(labels: Float64Array, classes: number): Float64Array {
  const shares = new Float64Array(classes);
  for (const label of labels) shares[label] += 1 / labels.length;
  return shares;
}

/**
 * The likeliest class of each row, after dividing by a power of how frequent the class is: in a macro mean rare classes
 * count as much as others.
 */
export function likeliest(
  prediction: Float64Array,
  rows: number,
  shares: Float64Array,
  power: number,
): Float64Array {
  const probability = (row: number, label: number) => {
    if (shares.length > 2) return prediction[label * rows + row];
    return label === 1 ? prediction[row] : 1 - prediction[row];
  };
  return Float64Array.from({ length: rows }, (_, row) => {
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let label = 0; label < shares.length; label++) {
      const weighted = probability(row, label) / shares[label] ** power;
      if (weighted > most) [best, most] = [label, weighted];
    }
    return best;
  });
}
