import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { packZip, unpackRaw } from "../preparing/files/nested-archive.ts";
import { openRawCsv } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

export const preparer = definePreparer({
  settings: { test_size: 0.3 },
  async prepare(preparation) {
    const unpacked = await unpackRaw(preparation, "train.tsv.zip", "raw");
    const csv = await openRawCsv(preparation, join(unpacked, "train.tsv"), {
      separator: "\t",
      defaultFloats: true,
    });
    const { train, test } = splitItems(csv.rowCount, preparation.settings.test_size);
    const tables = ["train.tsv", "test.tsv"].map((name) => ({ name, file: join(preparation.scratch, name) }));
    await writeRows(
      preparation,
      csv,
      [
        { path: tables[0].file, rows: train, columns: csv.header },
        { path: tables[1].file, rows: test, columns: ["PhraseId", "SentenceId", "Phrase"] },
      ],
      { separator: "\t" },
    );
    await writeRows(preparation, csv, [
      { path: join(preparation.private, "answers.csv"), rows: test, columns: csv.header },
      {
        path: join(preparation.public, "sampleSubmission.csv"),
        rows: test,
        columns: ["PhraseId", { name: "Sentiment", value: "2" }],
      },
    ]);
    for (const { name, file } of tables) {
      await packZip(preparation, join(preparation.public, `${name}.zip`), [[name, file]]);
    }
  },
});
