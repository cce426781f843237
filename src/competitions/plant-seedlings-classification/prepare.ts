import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { copyFiles } from "../preparing/files/copy-files.ts";
import { listFiles, listFolders } from "../preparing/files/list-files.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

export const preparer = definePreparer({
  settings: { test_size: 0.14 },
  async prepare(preparation) {
    const folder = join(preparation.raw, "train");
    const images = listFolders(folder).flatMap((species) =>
      listFiles(join(folder, species), ".png").map((file) => ({ file, species })),
    );
    const { train, test } = splitItems(images.length, preparation.settings.test_size);
    const table = columns({ file: "text", species: "text" });
    writeCsv(
      join(preparation.private, "answers.csv"),
      table,
      Array.from(test, (row) => [images[row].file, images[row].species]),
    );
    writeCsv(
      join(preparation.public, "sample_submission.csv"),
      table,
      Array.from(test, (row) => [images[row].file, "Sugar beet"]),
    );
    const source = (row: number) => join(folder, images[row].species, images[row].file);
    await copyFiles(
      preparation,
      "copying images",
      Array.from(train, (row) => [
        source(row),
        join(preparation.public, "train", images[row].species, images[row].file),
      ]),
    );
    await copyFiles(
      preparation,
      "copying images",
      Array.from(test, (row) => [source(row), join(preparation.public, "test", images[row].file)]),
    );
  },
});
