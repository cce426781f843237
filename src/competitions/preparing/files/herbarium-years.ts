import { join } from "node:path";
import { makeFolder } from "../../../files/make-folder.ts";
import type { Preparation } from "../../preparer.ts";
import { columns, writeCsv } from "../rows/csv-file.ts";
import { splitCategoryItems } from "../splits/split-category-items.ts";
import { writeJsonFile } from "../texts/json-file.ts";
import {
  digits,
  divideImages,
  imageFile,
  lazily,
  METADATA_STYLE,
  testMetadata,
  withAnnotatedImages,
  withRecords,
} from "./annotated-images.ts";
import { copyFiles } from "./copy-files.ts";

export interface HerbariumYear {
  /** Where `train` and `test` lie, in the raw data and in the public ones; "" for their root. */
  readonly folder: string;
  readonly encoding: "utf8" | "latin1";
}

/** Herbarium 2020 and 2021: train images keep their names, test images are numbered anew and lose all that tells their category. */
export async function prepareHerbarium(
  preparation: Preparation<{ test_size: number }>,
  { folder, encoding }: HerbariumYear,
): Promise<void> {
  const rawTrain = join(preparation.raw, folder, "train");
  const train = join(preparation.public, folder, "train");
  const test = join(preparation.public, folder, "test");
  const file = join(rawTrain, "metadata.json");
  await withAnnotatedImages(preparation, file, { encoding, imageKey: "id" }, async (metadata) => {
    const division = divideImages(metadata, (count) =>
      splitCategoryItems(count, preparation.settings.test_size),
    );
    for (const { category, place } of division.train()) {
      const inside = `images/${digits(Math.floor(category / 100), 3)}/${digits(category % 100, 2)}`;
      if (place === 1) makeFolder(join(train, inside));
    }
    makeFolder(train);
    makeFolder(test);

    const trainMetadata = withRecords(
      metadata,
      lazily(division.train(), ({ record }) => metadata.annotations.at(record)),
      lazily(division.train(), ({ record }) => metadata.images.at(record)),
    );
    await writeJsonFile(preparation, join(train, "metadata.json"), trainMetadata, METADATA_STYLE);
    const testImages = lazily(
      division.test,
      (record, position) =>
        new Map([...metadata.images.at(record), ["id", String(position)], ["file_name", testFile(position)]]),
    );
    await writeJsonFile(
      preparation,
      join(test, "metadata.json"),
      testMetadata(metadata, testImages),
      METADATA_STYLE,
    );

    const table = columns({ Id: "int", Predicted: "int" });
    writeCsv(
      join(preparation.private, "answers.csv"),
      table,
      lazily(division.test, (record, position) => [position, metadata.categories[record]]),
    );
    writeCsv(
      join(preparation.public, "sample_submission.csv"),
      table,
      lazily(division.test, (_, position) => [position, 0]),
    );

    await copyFiles(
      preparation,
      "copying train",
      lazily(division.train(), ({ record }) => {
        const image = imageFile(metadata, record);
        return [join(rawTrain, image), join(train, image)] as const;
      }),
    );
    await copyFiles(
      preparation,
      "copying test",
      lazily(
        division.test,
        (record, position) =>
          [join(rawTrain, imageFile(metadata, record)), join(test, testFile(position))] as const,
      ),
    );
  });
}

function testFile(position: number): string {
  return `images/${digits(Math.floor(position / 1000), 3)}/${position}.jpg`;
}
