import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

const VIEWS = ["All29", "Endzone", "Sideline"];
const SIDE_TABLES = ["baseline_helmets", "player_tracking", "video_metadata"];

/** Whole plays go to one half or the other; rows keep the order of their files. */
export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const labels = await openRawCsv(preparation, join(preparation.raw, "train_labels.csv"), {
      defaultFloats: true,
    });
    const [gamePlay] = readColumns(labels, ["game_play"]).map(plainTexts);
    const plays = [...new Set(gamePlay)];
    const split = splitItems(plays.length, preparation.settings.test_size);
    const testPlays = new Set(Array.from(split.test, (position) => plays[position]));
    const isTest = (play: string) => testPlays.has(play);
    const isTrain = (play: string) => !testPlays.has(play);

    const test = rowsWhere(labels.rowCount, (row) => isTest(gamePlay[row]));
    const train = rowsWhere(labels.rowCount, (row) => isTrain(gamePlay[row]));
    await writeRows(preparation, labels, [
      { path: join(preparation.public, "train_labels.csv"), rows: train, columns: labels.header },
      { path: join(preparation.private, "test.csv"), rows: test, columns: labels.header },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["contact_id", { name: "contact", value: "0" }],
      },
    ]);
    const known = new Set(plays);
    for (const name of SIDE_TABLES) {
      const csv = await openRawCsv(preparation, join(preparation.raw, `train_${name}.csv`), {
        defaultFloats: true,
      });
      const [play] = readColumns(csv, ["game_play"]).map(plainTexts);
      const rowsOf = (holds: (play: string) => boolean) =>
        rowsWhere(csv.rowCount, (row) => known.has(play[row]) && holds(play[row]));
      await writeRows(preparation, csv, [
        { path: join(preparation.public, `train_${name}.csv`), rows: rowsOf(isTrain), columns: csv.header },
        { path: join(preparation.public, `test_${name}.csv`), rows: rowsOf(isTest), columns: csv.header },
      ]);
    }
    for (const [folder, positions] of Object.entries({ train: split.train, test: split.test })) {
      const videos = Array.from(positions, (position) =>
        VIEWS.map((view) => `${plays[position]}_${view}.mp4`),
      ).flat();
      await copyNamed(preparation, join(preparation.raw, "train"), join(preparation.public, folder), videos);
    }
  },
});
