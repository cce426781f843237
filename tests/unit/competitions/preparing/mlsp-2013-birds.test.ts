import { join } from "node:path";
import { expect, test } from "vitest";
import { writeZip } from "../../../../src/archive/zip-writer.ts";
import { preparer } from "../../../../src/competitions/mlsp-2013-birds/prepare.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { read, workshop } from "./workshop.ts";

const BITMAPS = ["filtered_spectrograms", "spectrograms", "supervised_segmentation", "segmentation_examples"];

/** Five recordings of fold 0 with the numbers 10 to 14, and whatever else the tables hold. */
async function prepared(folds: string, fileNames: string): Promise<string> {
  const { preparation, out } = workshop();
  const ids = [10, 11, 12, 13, 14];
  const files: Record<string, string> = {
    "essential_data/CVfolds_2.txt": folds,
    "essential_data/rec_id2filename.txt": fileNames,
    "essential_data/rec_labels_test_hidden.txt": `rec_id,[labels]\n${ids.map((id) => `${id},3,7\n`).join("")}`,
    "essential_data/species_list.txt": "",
    "supplemental_data/segment_clusters.bmp": "",
    "supplemental_data/segment_mosaic.bmp": "",
  };
  for (const name of ["histogram_of_segments", "segment_features", "segment_rectangles"])
    files[`supplemental_data/${name}.txt`] = "rec_id,[x]\n10,1.50\n99,2\n";
  for (const id of ids) {
    files[`essential_data/src_wavs/f${id}.wav`] = "";
    for (const folder of BITMAPS) files[`supplemental_data/${folder}/f${id}.bmp`] = "";
  }
  const entries = Object.entries(files).map(([name, text]) => {
    const bytes = Buffer.from(text);
    return { name: `mlsp_contest_dataset/${name}`, content: "bytes", bytes } as const;
  });
  await writeZip(join(preparation.raw, "mlsp_contest_dataset.zip"), entries, "deflate");
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out });
  expect(outcome).toMatchObject({ status: "prepared" });
  return out;
}

const FOLDS = "rec_id,fold\n10,0\n11,0\n12,0\n13,0\n14,0\n";
const NAMES = "rec_id,filename\n10,f10\n11,f11\n12,f12\n13,f13\n14,f14\n";

test("the table of folds keeps its columns and their order", async () => {
  const out = await prepared("w,fold,rec_id\n1.50,0,10\n,0,11\n7,1,98\n,0,12\n,0,13\n2,0,14\n", NAMES);
  expect(read(out, "public/essential_data/CVfolds_2.txt")).toBe(
    "w,fold,rec_id\n1.5,0,0\n,0,1\n,1,2\n,0,3\n2.0,0,4\n",
  );
});

test("a gap makes a column float, but an id stays the same id", async () => {
  const plain = await prepared(FOLDS, NAMES);
  const gaps = await prepared(`${FOLDS}97,\n,1\n`, `${NAMES},orphan\n`);
  expect(read(gaps, "public/essential_data/CVfolds_2.txt")).toBe(
    "rec_id,fold\n0,0.0\n1,0.0\n2,1.0\n3,0.0\n4,0.0\n",
  );
  for (const file of [
    "public/essential_data/rec_id2filename.txt",
    "public/essential_data/rec_labels_test_hidden.txt",
    "public/supplemental_data/segment_features.txt",
    "private/answers.csv",
  ])
    expect(read(gaps, file)).toBe(read(plain, file));
  expect(read(plain, "public/essential_data/rec_id2filename.txt")).toBe(
    "rec_id,filename\n0,f10\n1,f11\n2,f12\n3,f13\n4,f14\n",
  );
});

test("of two recordings with one number the later gives the new one", async () => {
  const out = await prepared(`${FOLDS}10,0\n`, NAMES);
  expect(read(out, "public/supplemental_data/segment_features.txt")).toBe(
    "rec_id,[histogram of segment features]\n5,1.50\n",
  );
});
