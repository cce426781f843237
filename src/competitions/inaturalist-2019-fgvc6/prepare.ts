import fs from "node:fs";
import { basename, join } from "node:path";
import type { PackEntry } from "../../archive/pack-entry.ts";
import { writeTar } from "../../archive/tar-writer.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import {
  type AnnotatedImages,
  divideImages,
  imageFile,
  lazily,
  METADATA_STYLE,
  testMetadata,
  withAnnotatedImages,
  withRecords,
} from "../preparing/files/annotated-images.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { unpackRaw } from "../preparing/files/nested-archive.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { splitCategoryItems } from "../preparing/splits/split-category-items.ts";
import { malformed, missingFile } from "../preparing/stop-preparing.ts";
import { writeJsonFile } from "../preparing/texts/json-file.ts";

/** The original draws it anew for each row from a generator it seeds anew, so that it is always the same. */
const SAMPLE_CATEGORY = 654;

const IMAGES = "train_val2019";

export const preparer = definePreparer({
  settings: { test_size: 0.12 },
  async prepare(preparation) {
    const file = join(preparation.raw, "train2019.json");
    await withAnnotatedImages(preparation, file, { imageKey: "id" }, async (metadata) => {
      const { annotations, images, categories } = metadata;
      const division = divideImages(metadata, (count) =>
        splitCategoryItems(count, preparation.settings.test_size),
      );

      const trainMetadata = withRecords(
        metadata,
        lazily(division.train(), ({ record }) => annotations.at(record)),
        lazily(division.train(), ({ record }) => images.at(record)),
      );
      await writeJsonFile(
        preparation,
        join(preparation.public, "train2019.json"),
        trainMetadata,
        METADATA_STYLE,
      );
      const testImages = lazily(
        division.test,
        (record) =>
          new Map([...images.at(record), ["file_name", `test2019/${basename(imageFile(metadata, record))}`]]),
      );
      await writeJsonFile(
        preparation,
        join(preparation.public, "test2019.json"),
        testMetadata(metadata, testImages),
        METADATA_STYLE,
      );
      await copyNamed(preparation, preparation.raw, preparation.public, ["val2019.json"]);

      const table = columns({ id: "int", predicted: "int" });
      const imageId = (record: number): bigint => {
        const id = images.at(record).get("id");
        return typeof id === "bigint"
          ? id
          : malformed("train2019.json", "has an image whose id is not an integer");
      };
      writeCsv(
        join(preparation.private, "answers.csv"),
        table,
        lazily(division.test, (record) => [imageId(record), categories[record]]),
      );
      writeCsv(
        join(preparation.public, "kaggle_sample_submission.csv"),
        table,
        lazily(division.test, (record) => [imageId(record), SAMPLE_CATEGORY]),
      );

      const unpacked = fs.existsSync(join(preparation.raw, IMAGES))
        ? preparation.raw
        : await unpackRaw(preparation, `${IMAGES}.tar.gz`);
      await packImages(
        preparation,
        unpacked,
        `${IMAGES}.tar.gz`,
        lazily(division.train(), ({ record }) => {
          const image = imageFile(metadata, record);
          return [insideImages(metadata, image), image] as const;
        }),
      );
      await packImages(
        preparation,
        unpacked,
        "test2019.tar.gz",
        lazily(division.test, (record) => {
          const image = imageFile(metadata, record);
          return [basename(image), image] as const;
        }),
      );
    });
  },
});

/** Packs images into a tar that is not compressed, whatever its name says: so does the original. */
async function packImages(
  preparation: Preparation,
  from: string,
  archive: string,
  files: Iterable<readonly [name: string, image: string]>,
): Promise<void> {
  // Of two images with one name the later replaces the earlier, as it would in a folder.
  const members = new Map(files);
  await writeTar(join(preparation.public, archive), entries(preparation, from, archive, members));
}

function* entries(
  preparation: Preparation,
  from: string,
  archive: string,
  members: ReadonlyMap<string, string>,
): Generator<PackEntry> {
  let done = 0;
  for (const [name, image] of members) {
    const file = join(from, image);
    if (!fs.existsSync(file)) missingFile(image);
    yield { name, content: "file", file };
    if (++done % 256 === 0) {
      preparation.signal.throwIfAborted();
      preparation.progress({ what: `packing ${archive}`, done, total: members.size });
    }
  }
}

function insideImages({ json }: AnnotatedImages, image: string): string {
  if (image.startsWith(`${IMAGES}/`)) return image.slice(IMAGES.length + 1);
  return malformed(json.name, `names an image outside ${IMAGES}: ${image}`);
}
