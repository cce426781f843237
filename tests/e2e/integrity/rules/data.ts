import path from "node:path";
import { writeText } from "../../temporary-folder.ts";

/** A small table that stands for a competition's data: names, an id, a target that depends on nothing. */
export const COMPETITION = "spaceship-titanic";
export const TEST_ROWS = 60;
const TRAIN_ROWS = 200;

function hash(n: number): number {
  let mixed = Math.imul(n + 1, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) % 1000;
}

export const idOf = (row: number) => `${String(9000 + row).padStart(4, "0")}_01`;
/** What a model would say. */
export const honest = (row: number) => (hash(row) % 2 === 0 ? "True" : "False");
export const isTrue = (row: number) => honest(row) === "True";
export const rows = Array.from({ length: TEST_ROWS }, (_, row) => row);
const feature = (row: number) =>
  `${hash(row) / 10},${hash(row * 3) % 80},${["Earth", "Mars", "Europa"][hash(row) % 3]}`;
/** The first half of the test rows stand in the training table, too, under other ids. */
const isKnown = (row: number) => row < TEST_ROWS / 2;
const known = (row: number) => (hash(row * 11) % 3 === 0 ? "True" : "False");
/** What the training table says of the rows it has, and one value for all others. */
export const lookedUp = (row: number) => (isKnown(row) ? known(row) : "False");
/** Right where the training table has the row, a model's guess elsewhere. */
export const learnt = (row: number) => (isKnown(row) ? known(row) : honest(row));

export function submissionOf(answer: (row: number) => string, header = "PassengerId,Transported"): string {
  const rows = Array.from({ length: TEST_ROWS }, (_, row) => `${idOf(row)},${answer(row)}`);
  return [header, ...rows, ""].join("\n");
}

export function writeData(folder: string): string {
  const place = path.join(folder, COMPETITION, "prepared");
  const train = Array.from({ length: TRAIN_ROWS }, (_, row) => {
    const copies = row < TEST_ROWS / 2;
    return `${String(row).padStart(4, "0")}_01,${copies ? feature(row) : feature(row + 5000)},${copies ? known(row) : honest(row + 5000)}`;
  });
  const test = Array.from({ length: TEST_ROWS }, (_, row) => `${idOf(row)},${feature(row)}`);
  writeText(place, "public/train.csv", ["PassengerId,Spent,Age,Home,Transported", ...train, ""].join("\n"));
  writeText(place, "public/test.csv", ["PassengerId,Spent,Age,Home", ...test, ""].join("\n"));
  writeText(
    place,
    "public/sample_submission.csv",
    submissionOf(() => "False"),
  );
  writeText(place, "private/test.csv", submissionOf(honest));
  return folder;
}
