import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import {
  digits,
  divideImages,
  imageFile,
  lazily,
  METADATA_STYLE,
  withAnnotatedImages,
  withRecords,
} from "../preparing/files/annotated-images.ts";
import { copyFiles } from "../preparing/files/copy-files.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { writeJsonFile } from "../preparing/texts/json-file.ts";

export const preparer = definePreparer({
  settings: { test_size: 0.2 },
  async prepare(preparation) {
    const file = join(preparation.raw, "train_metadata.json");
    await withAnnotatedImages(preparation, file, { imageKey: "image_id" }, async (metadata) => {
      const { annotations, images, categories } = metadata;
      const division = divideImages(metadata, (count) => splitItems(count, preparation.settings.test_size));

      const trainMetadata = withRecords(
        metadata,
        lazily(
          division.train(),
          ({ record, category, place }) =>
            new Map([...annotations.at(record), ["image_id", trainId(category, place)]]),
        ),
        lazily(
          division.train(),
          ({ record, category, place }) =>
            new Map([
              ...images.at(record),
              ["image_id", trainId(category, place)],
              ["file_name", trainFile(category, place)],
            ]),
        ),
      );
      await writeJsonFile(
        preparation,
        join(preparation.public, "train_metadata.json"),
        trainMetadata,
        METADATA_STYLE,
      );
      const testImages = lazily(
        division.test,
        (record, position) =>
          new Map([...images.at(record), ["image_id", String(position)], ["file_name", testFile(position)]]),
      );
      await writeJsonFile(
        preparation,
        join(preparation.public, "test_metadata.json"),
        testImages,
        METADATA_STYLE,
      );

      const table = columns({ Id: "int", Predicted: "int" });
      writeCsv(
        join(preparation.private, "answers.csv"),
        table,
        lazily(division.test, (record, position) => [position, categories[record]]),
      );
      writeCsv(
        join(preparation.public, "sample_submission.csv"),
        table,
        lazily(division.test, (_, position) => [position, 42]),
      );

      const rawImage = (record: number) => join(preparation.raw, "train_images", imageFile(metadata, record));
      await copyFiles(
        preparation,
        "copying train_images",
        lazily(
          division.train(),
          ({ record, category, place }) =>
            [rawImage(record), join(preparation.public, "train_images", trainFile(category, place))] as const,
        ),
      );
      await copyFiles(
        preparation,
        "copying test_images",
        lazily(
          division.test,
          (record, position) =>
            [rawImage(record), join(preparation.public, "test_images", testFile(position))] as const,
        ),
      );
    });
  },
});

function trainId(category: number, place: number): string {
  return `${digits(category, 5)}__${digits(place, 3)}`;
}

function trainFile(category: number, place: number): string {
  const folder = `${digits(Math.floor(category / 100), 3)}/${digits(category % 100, 2)}`;
  return `${folder}/${trainId(category, place)}.jpg`;
}

function testFile(position: number): string {
  return `${digits(Math.floor(position / 1000), 3)}/test-${digits(position, 6)}.jpg`;
}
