import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { listFiles, stem } from "../preparing/files/list-files.ts";
import { packZip, unpackRaw } from "../preparing/files/nested-archive.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { malformed } from "../preparing/stop-preparing.ts";

/** The recordings are of four days: the first two are for training, the last two for the test. */
export const preparer = definePreparer({
  async prepare(preparation) {
    const folder = join(await unpackRaw(preparation, "train2.zip"), "train2");
    const clips = listFiles(folder, ".aif");
    const dates = [...new Set(clips.map(dateOf))];
    if (dates.length !== 4)
      malformed("train2.zip", `has clips of ${dates.length} dates instead of four: ${dates.join(", ")}`);
    const train = clips.filter((clip) => dates.indexOf(dateOf(clip)) < 2);
    const test = clips.filter((clip) => dates.indexOf(dateOf(clip)) >= 2);
    const trainNames = train.map((clip, i) => clip.replace(/TRAIN\d+/, `TRAIN${i}`));
    const testNames = test.map((clip, i) => `${clip.split("TRAIN")[0]}Test${i}.aif`);

    const table = columns({ clip: "text", probability: "int" });
    writeCsv(
      join(preparation.private, "test.csv"),
      table,
      test.map((clip, i) => [testNames[i], stem(clip).endsWith("_1") ? 1 : 0]),
    );
    writeCsv(
      join(preparation.public, "sampleSubmission.csv"),
      table,
      testNames.map((name) => [name, 0]),
    );
    for (const [name, files, names] of [
      ["train2", train, trainNames],
      ["test2", test, testNames],
    ] as const) {
      await packZip(preparation, join(preparation.public, `${name}.zip`), [
        [`${name}/`, folder],
        ...files.map((file, i) => [`${name}/${names[i]}`, join(folder, file)] as const),
      ]);
    }
  },
});

/** `20090328_000000_002s3ms_TRAIN0_0.aif` → `20090328`. As names are sorted, dates come in order. */
function dateOf(clip: string): string {
  return clip.split("_")[0];
}
