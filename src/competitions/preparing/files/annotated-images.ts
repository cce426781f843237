import { checkEntryName } from "../../../archive/entry-name.ts";
import { pythonRandom, pythonShuffle } from "../../../random/python-random.ts";
import type { Split } from "../../../random/train-test-split.ts";
import type { JsonObject, JsonSource } from "../../../table/json/value.ts";
import type { Preparation } from "../../preparer.ts";
import { pause } from "../pause.ts";
import { groupRows } from "../rows/row-choice.ts";
import { malformed } from "../stop-preparing.ts";
import { textMember } from "../texts/json-file.ts";
import { type StoredJson, type StoredRecords, withStoredJson } from "../texts/stored-json.ts";

const PAUSE_EVERY = 8192;

/** How the original prints these metadata. */
export const METADATA_STYLE = { indent: 4, sortKeys: true };

/** Metadata with an annotation for each image, at the same place of a second list. A record is such a pair. */
export interface AnnotatedImages {
  readonly json: StoredJson;
  readonly annotations: StoredRecords;
  readonly images: StoredRecords;
  /** The category of each record. */
  readonly categories: Float64Array;
}

export interface ImageDivision {
  /** Category by category in order of first appearance, each in split order; `place` counts from 1 in each category. */
  train(): Iterable<{ readonly record: number; readonly category: number; readonly place: number }>;
  readonly test: Uint32Array;
}

/** Opens the metadata and checks that both lists speak of the same images. `imageKey` is the name of an image's own id. */
export async function withAnnotatedImages(
  preparation: Preparation,
  file: string,
  { encoding = "utf8", imageKey }: { encoding?: "utf8" | "latin1"; imageKey: "id" | "image_id" },
  use: (metadata: AnnotatedImages) => Promise<void>,
): Promise<void> {
  await withStoredJson(preparation, file, encoding, async (json) => {
    const annotations = json.records("annotations");
    const images = json.records("images");
    if (annotations.length !== images.length) {
      malformed(json.name, `has ${images.length} images but ${annotations.length} annotations`);
    }
    const categories = new Float64Array(annotations.length);
    for (let record = 0; record < annotations.length; record++) {
      const annotation = annotations.at(record);
      const id = images.at(record).get(imageKey);
      if (id === undefined || id !== annotation.get("image_id")) {
        malformed(json.name, `pairs annotation ${record} with another image`);
      }
      categories[record] = categoryOf(annotation, json.name);
      if (record % PAUSE_EVERY === 0) {
        preparation.progress({ what: `checking ${json.name}`, done: record, total: annotations.length });
        await pause(preparation);
      }
    }
    await use({ json, annotations, images, categories });
  });
}

/** Splits each category on its own. The test records of all of them are then shuffled together. */
export function divideImages(
  { categories }: AnnotatedImages,
  splitOne: (count: number) => Split,
): ImageDivision {
  const shares = [...groupRows(categories)].map(([category, records]) => {
    const { train, test } = splitOne(records.length);
    return { category, train: train.map((i) => records[i]), test: test.map((i) => records[i]) };
  });
  const pool = shares.flatMap(({ test }) => [...test]);
  pythonShuffle(pythonRandom(0), pool);
  return {
    *train() {
      for (const { category, train } of shares) {
        for (let i = 0; i < train.length; i++) yield { record: train[i], category, place: i + 1 };
      }
    },
    test: Uint32Array.from(pool),
  };
}

/** The metadata with other annotations and images. */
export function withRecords(
  { json }: AnnotatedImages,
  annotations: Iterable<JsonObject>,
  images: Iterable<JsonObject>,
): ReadonlyMap<string, JsonSource> {
  return new Map<string, JsonSource>([...json.members, ["annotations", annotations], ["images", images]]);
}

/** The metadata of test images: without anything about categories. */
export function testMetadata(
  { json }: AnnotatedImages,
  images: Iterable<JsonObject>,
): ReadonlyMap<string, JsonSource> {
  return new Map<string, JsonSource>([
    ["images", images],
    ["info", json.member("info")],
    ["licenses", json.member("licenses")],
  ]);
}

/** Makes something of each item when it is asked for, so that a long list is never in memory. */
export function* lazily<Item, Made>(
  items: Iterable<Item>,
  make: (item: Item, position: number) => Made,
): Generator<Made> {
  let position = 0;
  for (const item of items) yield make(item, position++);
}

/** The path of an image's file, which must stay below the folder of the images. */
export function imageFile({ json, images }: AnnotatedImages, record: number): string {
  const file = textMember(images.at(record), "file_name", json.name);
  const checked = checkEntryName(file);
  return "problem" in checked ? malformed(json.name, `names an image that ${checked.problem}`) : file;
}

/** A number with leading zeros. */
export function digits(value: number, count: number): string {
  return String(value).padStart(count, "0");
}

function categoryOf(annotation: JsonObject, name: string): number {
  const category = annotation.get("category_id");
  if (typeof category === "bigint" && category >= 0n && category <= Number.MAX_SAFE_INTEGER) {
    return Number(category);
  }
  return malformed(name, "has an annotation whose category_id is not a number from 0 on");
}
