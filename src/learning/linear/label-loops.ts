import {
  add,
  addFloats,
  assemble,
  type Code,
  constant,
  get,
  loadInt,
  loadPair,
  loadSplat,
  loopUntil,
  multiplyFloats,
  notBelow,
  set,
  storePair,
  zeroVector,
} from "../../formats/webassembly.ts";

/** Weights of one column are read this many at a time. */
export const LABEL_PANEL = 8;

const VECTORS = [0, 1];
const BYTES = 4 * LABEL_PANEL;

/**
 * A sparse row with the weights of all its columns. An entry is two words: where its column's weights begin, in bytes,
 * and its value. `scores(entry, end, weights, weightsEnd, out)` adds up value times weights, for each label;
 * `move(entry, end, weights, weightsEnd, steps)` adds value times steps to the weights. `weightsEnd` less `weights` is
 * the size of one column's weights.
 */
export function assembleLabelLoops(): Uint8Array<ArrayBuffer> {
  const [first, end, weights, weightsEnd, labels] = [0, 1, 2, 3, 4];
  const [entry, at] = [5, 6];
  const [splat, sums] = [7, 8];
  const sum = (v: number) => sums + v;
  const eachPanel = (body: Code): Code =>
    loopUntil(notBelow(get(weights), get(weightsEnd)), [
      ...body,
      ...set(weights, add(get(weights), constant(BYTES))),
      ...set(labels, add(get(labels), constant(BYTES))),
    ]);
  const eachEntry = (body: Code): Code => [
    ...set(entry, get(first)),
    ...loopUntil(notBelow(get(entry), get(end)), [
      ...set(at, add(get(weights), loadInt(get(entry)))),
      ...set(splat, loadSplat(get(entry), 4)),
      ...body,
      ...set(entry, add(get(entry), constant(8))),
    ]),
  ];
  const scores = eachPanel([
    ...VECTORS.flatMap((v) => set(sum(v), zeroVector)),
    ...eachEntry(
      VECTORS.flatMap((v) =>
        set(sum(v), addFloats(get(sum(v)), multiplyFloats(get(splat), loadPair(get(at), 16 * v)))),
      ),
    ),
    ...VECTORS.flatMap((v) => storePair(get(labels), get(sum(v)), 16 * v)),
  ]);
  const move = eachPanel([
    ...VECTORS.flatMap((v) => set(sum(v), loadPair(get(labels), 16 * v))),
    ...eachEntry(
      VECTORS.flatMap((v) =>
        storePair(
          get(at),
          addFloats(loadPair(get(at), 16 * v), multiplyFloats(get(splat), get(sum(v)))),
          16 * v,
        ),
      ),
    ),
  ]);
  const shape = { parameters: 5, locals: 2, vectors: 3, returnsInt: false };
  return assemble([
    { ...shape, name: "scores", body: scores },
    { ...shape, name: "move", body: move },
  ]);
}
