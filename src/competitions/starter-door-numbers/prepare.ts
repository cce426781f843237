import fs from "node:fs";
import { join } from "node:path";
import { encodeGrayPng } from "../../formats/png-writer.ts";
import { nextDouble } from "../../random/mt19937.ts";
import { pythonRandom, pythonShuffle } from "../../random/python-random.ts";
import { definePreparer } from "../preparer.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { STARTER_SPLIT_SEED } from "../preparing/starter-seed.ts";
import { doorNumber, HEIGHT, WIDTH } from "./picture.ts";

const DIGIT_BYTES = 28 * 28;

/**
 * Handwritten digits become pictures of two-digit numbers. No digit is in both halves; those of the test half are used
 * once each, so that its pictures are independent.
 */
export const preparer = definePreparer({
  settings: { train_pictures: 5000, test_digits: 3000, split_seed: STARTER_SPLIT_SEED },
  async prepare(preparation) {
    const { settings, public: open } = preparation;
    const csv = await openRawCsv(preparation, join(preparation.raw, "digits.csv"));
    const [{ numbers: digits }] = readColumns(csv, ["digit"]);
    const pixels = fs.readFileSync(join(preparation.raw, "digits.pixels"));
    const pixelsOf = (row: number) => pixels.subarray(row * DIGIT_BYTES, (row + 1) * DIGIT_BYTES);
    const split = splitItems(digits.length, settings.test_digits, settings.split_seed);
    const generator = pythonRandom(settings.split_seed);
    const random = () => nextDouble(generator);
    const testDigits = [...split.test];
    pythonShuffle(generator, testDigits);
    const pairs = {
      train: Array.from({ length: settings.train_pictures }, () =>
        [0, 1].map(() => split.train[Math.floor(random() * split.train.length)]),
      ),
      test: Array.from({ length: testDigits.length >> 1 }, (_, i) => testDigits.slice(2 * i, 2 * i + 2)),
    };
    for (const half of ["train", "test"] as const) {
      fs.mkdirSync(join(open, half));
      const rows = pairs[half].map(([tens, ones], i): [string, number] => {
        const id = `${half}${String(i + 1).padStart(4, "0")}`;
        const picture = doorNumber(pixelsOf(tens), pixelsOf(ones), random);
        fs.writeFileSync(join(open, half, `${id}.png`), encodeGrayPng(WIDTH, HEIGHT, picture));
        if (i % 500 === 0)
          preparation.progress({ what: `painting ${half}`, done: i, total: pairs[half].length });
        return [id, 10 * digits[tens] + digits[ones]];
      });
      const labels = columns({ image_id: "text", label: "int" });
      if (half === "train") writeCsv(join(open, "train.csv"), labels, rows);
      else {
        writeCsv(join(preparation.private, "test.csv"), labels, rows);
        writeCsv(
          join(open, "sample_submission.csv"),
          labels,
          rows.map(([id]) => [id, 0]),
        );
      }
    }
  },
});
