import fs from "node:fs";
import { join } from "node:path";
import { nextDouble } from "../../random/mt19937.ts";
import { pythonRandom, pythonShuffle } from "../../random/python-random.ts";
import { definePreparer } from "../preparer.ts";
import { waveFile } from "../preparing/files/wave-file.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { STARTER_SPLIT_SEED } from "../preparing/starter-seed.ts";
import { overTheLine, RATE, readAdpcm } from "./speech.ts";

const RECORDING_BYTES = RATE / 2;

/** Each recording is heard once, over a bad line of its own. */
export const preparer = definePreparer({
  settings: { test_size: 0.4, split_seed: STARTER_SPLIT_SEED },
  async prepare(preparation) {
    const { settings, public: open } = preparation;
    const csv = await openRawCsv(preparation, join(preparation.raw, "recordings.csv"));
    const languages = plainTexts(readColumns(csv, ["language"])[0]);
    const bytes = fs.readFileSync(join(preparation.raw, "recordings.adpcm"));
    const names = [...new Set(languages)].sort();
    const split = splitItems(languages.length, settings.test_size, settings.split_seed);
    const generator = pythonRandom(settings.split_seed);
    for (const half of ["train", "test"] as const) {
      fs.mkdirSync(join(open, half));
      const chosen = [...split[half]];
      pythonShuffle(generator, chosen);
      const rows = chosen.map((recording, i): [string, number] => {
        const id = `${half}${String(i + 1).padStart(4, "0")}`;
        const spoken = readAdpcm(
          bytes.subarray(recording * RECORDING_BYTES, (recording + 1) * RECORDING_BYTES),
        );
        const heard = overTheLine(spoken, () => nextDouble(generator));
        fs.writeFileSync(join(open, half, `${id}.wav`), waveFile(heard, RATE));
        return [id, names.indexOf(languages[recording])];
      });
      const labels = columns({ clip_id: "text", label: "int" });
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
    writeCsv(join(open, "labels.csv"), columns({ label: "int", language: "text" }), names.entries());
  },
});
