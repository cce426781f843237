// The data sets of the comparison: three that come with scikit-learn, five made here. Each is a folder of raw
// 64-bit numbers (values row by row, target, fold of each row) with a description beside it.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { seeded, shuffledOrder } from "../seeded.mjs";

const BUNDLED_SCRIPT = path.resolve(import.meta.dirname, "../python/learn_bundled.py");

const MADE = {
  friedman: { rows: 10_000, columns: 10, loss: "squared", folds: 5, make: friedman },
  moons: { rows: 5_000, columns: 2, loss: "log", folds: 5, make: moons },
  clusters: { rows: 20_000, columns: 20, loss: "softmax", classes: 4, folds: 3, make: clusters },
  wide: { rows: 2_000, columns: 500, loss: "log", folds: 3, make: wide },
  large: { rows: 100_000, columns: 20, loss: "log", folds: 2, make: interactions },
};
const BUNDLED = ["breast_cancer", "diabetes", "digits"];

/** Writes what is not there yet; gives the descriptions, each with its folder. */
export function makeDataSets(folder, python) {
  for (const [name, { make, ...description }] of Object.entries(MADE)) {
    const target = path.join(folder, name);
    if (!fs.existsSync(path.join(target, "set.json"))) writeSet(target, { name, ...description }, make);
  }
  const missing = BUNDLED.filter((name) => !fs.existsSync(path.join(folder, name, "set.json")));
  if (python && missing.length > 0) {
    const { status, stderr } = spawnSync(python, [BUNDLED_SCRIPT, folder, ...missing], { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
  }
  return [...BUNDLED, ...Object.keys(MADE)]
    .map((name) => path.join(folder, name))
    .filter((set) => fs.existsSync(path.join(set, "set.json")))
    .map((set) => ({ folder: set, ...JSON.parse(fs.readFileSync(path.join(set, "set.json"), "utf8")) }));
}

/** The numbers of one of a set's files. */
export function readNumbers(folder, name) {
  const bytes = fs.readFileSync(path.join(folder, name));
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

function writeSet(folder, description, make) {
  fs.mkdirSync(folder, { recursive: true });
  const { rows, columns, folds } = description;
  const random = seeded(rows + columns);
  const values = new Float64Array(rows * columns);
  const target = new Float64Array(rows);
  for (let row = 0; row < rows; row++)
    target[row] = make(values.subarray(row * columns, (row + 1) * columns), random);
  const fold = new Float64Array(rows);
  for (const [i, row] of shuffledOrder(rows, random).entries()) fold[row] = i % folds;
  for (const [name, numbers] of Object.entries({ values, target, fold })) {
    fs.writeFileSync(path.join(folder, `${name}.f64`), numbers);
  }
  fs.writeFileSync(path.join(folder, "set.json"), JSON.stringify(description));
}

function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function fill(row, draw) {
  for (let i = 0; i < row.length; i++) row[i] = draw(i);
}

/** Friedman's first function: five features matter, five do not. */
function friedman(row, random) {
  fill(row, random);
  const [a, b, c, d, e] = row;
  return 10 * Math.sin(Math.PI * a * b) + 20 * (c - 0.5) ** 2 + 10 * d + 5 * e + normal(random);
}

/** Two half circles that reach into each other. */
function moons(row, random) {
  const upper = random() < 0.5;
  const angle = Math.PI * random();
  row[0] = (upper ? Math.cos(angle) : 1 - Math.cos(angle)) + 0.25 * normal(random);
  row[1] = (upper ? Math.sin(angle) : 0.5 - Math.sin(angle)) + 0.25 * normal(random);
  return upper ? 1 : 0;
}

/** Eight clouds in eight dimensions for four classes, mixed into further columns; a twentieth of the values is missing. */
function clusters(row, random) {
  const cloud = Math.floor(random() * 8);
  fill(row, (i) => {
    if (i >= 8) return i < 14 ? row[i - 8] - row[i - 7] + 0.3 * normal(random) : normal(random);
    return ((cloud >> (i % 3)) & 1 ? 1 : -1) * (i < 3 ? 1.2 : 0.4) + normal(random);
  });
  fill(row, (i) => (random() < 0.05 ? Number.NaN : row[i]));
  return random() < 0.05 ? Math.floor(random() * 4) : cloud % 4;
}

/** Few rows, many columns, of which ten matter. */
function wide(row, random) {
  fill(row, () => normal(random));
  let sum = 0;
  for (let i = 0; i < 10; i++) sum += i % 2 ? row[i] : Math.abs(row[i]) - 0.8;
  return sum + normal(random) > 0 ? 1 : 0;
}

/** Products, waves and squares of seven columns out of twenty. */
function interactions(row, random) {
  fill(row, () => normal(random));
  const [a, b, c, d, e, f, g] = row;
  const sum = a * b + Math.sin(2 * c) + 0.5 * d - 0.3 * e * e + (g > 0 ? 0.5 * f : 0);
  return sum + 0.5 * normal(random) > 0 ? 1 : 0;
}
