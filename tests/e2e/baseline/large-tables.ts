import path from "node:path";
import { seededRandom } from "../../../src/learning/seeded-random.ts";
import { createChunkedFile } from "../../../src/table/csv/chunked-file.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

export interface LargeTable {
  readonly trainRows: number;
  readonly testRows: number;
  /** Columns of numbers beyond the fifteen mixed ones. */
  readonly furtherColumns: number;
}

const CITIES = Array.from({ length: 300 }, (_, i) => `city ${i} of somewhere`);
const COLOURS = ["red", "green", "blue", "yellow", ""];

/**
 * The public folder of a competition: whole numbers, fractions, gaps, categories, a date and a short text. The target
 * depends on a fraction, a category and a whole number.
 */
export function writeLargeTable({ trainRows, testRows, furtherColumns }: LargeTable): string {
  const folder = temporaryFolder();
  const random = seededRandom(5);
  const features = [
    "a",
    "b",
    "c",
    "d",
    "e",
    "f",
    "g",
    "city",
    "colour",
    "day",
    "note",
    "count",
    "share",
    "code",
  ];
  const header = ["id", ...features, ...Array.from({ length: furtherColumns }, (_, i) => `x${i}`)];
  const cellsOf = () => {
    const [a, count] = [random(), Math.floor(random() * 1000)];
    const city = Math.floor(random() * CITIES.length);
    const day = new Date(Date.UTC(2020, 0, 1 + Math.floor(random() * 700))).toISOString().slice(0, 10);
    const gap = random() < 0.1 ? "" : random().toFixed(4);
    const plain = [a.toFixed(6), random().toFixed(6), random().toFixed(3), gap, (random() * 1e5).toFixed(1)];
    const further = Array.from({ length: furtherColumns }, () => random().toFixed(5));
    const mixed = [String(Math.floor(random() * 7)), random().toFixed(5), CITIES[city]];
    const last = [COLOURS[count % 5], day, `k${Math.floor(random() * 5000)}`, String(count)];
    const cells = [...plain, ...mixed, ...last, (random() ** 3).toFixed(6), String(count * 7), ...further];
    const value = Math.sin(6 * a) + (city % 7) / 3 + (count > 500 ? 1 : 0) + 0.3 * random();
    return { cells, value };
  };
  const write = (name: string, rows: number, first: number, hasTarget: boolean) => {
    const file = createChunkedFile(path.join(folder, name));
    file.write(`${[...header, ...(hasTarget ? ["target"] : [])].join(",")}\n`);
    for (let row = 0; row < rows; row++) {
      const { cells, value } = cellsOf();
      file.write(`${first + row},${cells.join(",")}${hasTarget ? `,${value.toFixed(5)}` : ""}\n`);
    }
    file.close();
  };
  write("train.csv", trainRows, 0, true);
  write("test.csv", testRows, trainRows, false);
  const sample = createChunkedFile(path.join(folder, "sample_submission.csv"));
  sample.write("id,target\n");
  for (let row = 0; row < testRows; row++) sample.write(`${trainRows + row},1.5\n`);
  sample.close();
  writeText(
    folder,
    "description.md",
    "# Large\n\n## Evaluation\n\n**Root mean squared error.** Lower is better.\n",
  );
  return folder;
}
