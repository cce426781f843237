/** Two label lists rewritten as positions in the sorted list of the labels that occur in either. */
export interface LabelPositions {
  classes: number;
  truth: Uint32Array;
  predicted: Uint32Array;
}

/** Replaces labels by their rank among all labels seen, so that gaps between label values disappear. */
export function labelPositions(truth: ArrayLike<number>, predicted: ArrayLike<number>): LabelPositions {
  const seen = new Set<number>();
  for (let row = 0; row < truth.length; row++) seen.add(truth[row]);
  for (let row = 0; row < predicted.length; row++) seen.add(predicted[row]);
  const labels = Float64Array.from(seen).sort();
  const positions = new Map<number, number>();
  labels.forEach((label, position) => {
    positions.set(label, position);
  });
  const locate = (list: ArrayLike<number>): Uint32Array => {
    const located = new Uint32Array(list.length);
    for (let row = 0; row < list.length; row++) located[row] = positions.get(list[row])!;
    return located;
  };
  return { classes: labels.length, truth: locate(truth), predicted: locate(predicted) };
}
