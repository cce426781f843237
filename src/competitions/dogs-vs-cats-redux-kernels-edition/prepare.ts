import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { moveFiles } from "../preparing/files/copy-files.ts";
import { listFiles } from "../preparing/files/list-files.ts";
import { packZip, unpackRaw } from "../preparing/files/nested-archive.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

/** Images get new names, so that nothing but the picture tells cats from dogs. */
export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const images = join(await unpackRaw(preparation, "train.zip"), "train");
    const names = listFiles(images, ".jpg");
    const split = splitItems(names.length, preparation.settings.test_size);
    const counts = { cat: 0, dog: 0 };
    const train = Array.from(split.train, (i): [string, string] => {
      const animal = names[i].includes("cat") ? "cat" : "dog";
      return [names[i], `${animal}.${counts[animal]++}.jpg`];
    });
    const test = Array.from(split.test, (i, position): [string, string] => [names[i], `${position + 1}.jpg`]);

    for (const [side, renamed] of Object.entries({ train, test })) {
      const placed = renamed.map(([from, to]) => [from, to, join(preparation.public, side, to)]);
      await moveFiles(
        preparation,
        `placing ${side} images`,
        placed.map(([from, , file]) => [join(images, from), file]),
      );
      await packZip(
        preparation,
        join(preparation.public, `${side}.zip`),
        placed.map(([, to, file]) => [to, file]),
      );
    }
    writeCsv(
      join(preparation.private, "answers.csv"),
      columns({ id: "int", label: "int" }),
      test.map(([name], position) => [position + 1, name.includes("dog") ? 1 : 0]),
    );
    writeCsv(
      join(preparation.public, "sample_submission.csv"),
      columns({ id: "int", label: "float" }),
      test.map((_, position) => [position + 1, 0.5]),
    );
  },
});
