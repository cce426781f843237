import { join } from "node:path";
import { pythonChoice, pythonRandom, pythonShuffle } from "../../random/python-random.ts";
import { definePreparer } from "../preparer.ts";
import { copyFiles } from "../preparing/files/copy-files.ts";
import { listFiles } from "../preparing/files/list-files.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

const HIDING = ["JMiPOD", "JUNIWARD", "UERD"];
const OFFICIAL_COUNT = 75_000;

export const preparer = definePreparer({
  settings: { test_size: 5000 },
  async prepare(preparation) {
    const { raw, public: open } = preparation;
    const names = listFiles(join(raw, "Cover"), ".jpg");
    if (names.length !== OFFICIAL_COUNT)
      preparation.warn(`Cover has ${names.length} images; the official data have ${OFFICIAL_COUNT}`);
    const split = splitItems(names.length, preparation.settings.test_size, 42);

    const trainCopies = ["Cover", ...HIDING].flatMap((folder) =>
      Array.from(split.train, (from, i): [string, string] => [
        join(raw, folder, names[from]),
        join(open, folder, `${String(i + 1).padStart(5, "0")}.jpg`),
      ]),
    );
    const test = drawTest(Array.from(split.test, (i) => names[i]));
    const testCopies = test.map(({ id, folder, name }): [string, string] => [
      join(raw, folder, name),
      join(open, "Test", id),
    ]);
    await copyFiles(preparation, "copying images", [...trainCopies, ...testCopies]);

    const table = columns({ Id: "text", Label: "int" });
    writeCsv(
      join(preparation.private, "test.csv"),
      table,
      test.map(({ id, folder }) => [id, folder === "Cover" ? 0 : 1]),
    );
    writeCsv(
      join(open, "sample_submission.csv"),
      table,
      test.map(({ id }) => [id, 0]),
    );
  },
});

/** Which variant of each test image is shown. Where something is hidden, how is drawn right after whether. */
function drawTest(names: string[]): { id: string; folder: string; name: string }[] {
  const generator = pythonRandom(0);
  pythonShuffle(generator, names);
  return names.map((name, i) => {
    const untouched = pythonChoice(generator, [true, false]);
    const folder = untouched ? "Cover" : pythonChoice(generator, HIDING);
    return { id: `${String(i + 1).padStart(4, "0")}.jpg`, folder, name };
  });
}
