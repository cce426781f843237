import fs from "node:fs";
import { join } from "node:path";
import { readJsonParts } from "../../table/json/parts.ts";
import type { JsonObject, JsonValue } from "../../table/json/value.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import { packSevenZip, unpackRaw } from "../preparing/files/nested-archive.ts";
import { publishSample } from "../preparing/files/publish-sample.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { malformed, missingFile } from "../preparing/stop-preparing.ts";
import { textMember, writeJsonFile } from "../preparing/texts/json-file.ts";

const TRAIN = "train.json";
const TEST = "test.json";
const SAMPLE = "sample_submission.csv";

type ImagePreparation = Preparation<{ test_size: number }>;

export const preparer = definePreparer({
  settings: { test_size: 0.2 },
  prepare: prepareImages,
  async prepareV2(preparation: ImagePreparation) {
    await prepareImages(preparation);
    await publishSample(preparation);
  },
});

async function prepareImages(preparation: ImagePreparation): Promise<void> {
  const { public: open, private: secret, scratch } = preparation;
  const images = [...records(await unpackJson(preparation, TRAIN), TRAIN)];
  const split = splitItems(images.length, preparation.settings.test_size);
  const test = Array.from(split.test, (position) => images[position]);
  const testKeys = await oldTestKeys(preparation);

  const trainImages = Array.from(split.train, (position) => images[position]);
  await writeJsonFile(preparation, join(scratch, TRAIN), trainImages);
  await writeJsonFile(
    preparation,
    join(scratch, TEST),
    test.map((image) => reduced(image, testKeys)),
  );
  const id = (image: JsonObject) => {
    const given = member(image, "id");
    return typeof given === "bigint" ? String(given) : textMember(image, "id", TRAIN);
  };
  writeCsv(
    join(secret, "test.csv"),
    columns({ id: "text", is_iceberg: "int" }),
    test.map((image) => [id(image), Number(member(image, "is_iceberg"))]),
  );
  writeCsv(
    join(secret, SAMPLE),
    columns({ id: "text", is_iceberg: "float" }),
    test.map((image) => [id(image), 0.5]),
  );
  await packSevenZip(join(open, `${TRAIN}.7z`), scratch, [TRAIN]);
  await packSevenZip(join(open, `${TEST}.7z`), scratch, [TEST]);
  await packSevenZip(join(open, `${SAMPLE}.7z`), secret, [SAMPLE]);
}

async function unpackJson(preparation: Preparation, name: string): Promise<string> {
  const unpacked = await unpackRaw(preparation, `${name}.7z`, "raw");
  const file = join(unpacked, "data/processed", name);
  return fs.existsSync(file) ? file : missingFile(`${name}.7z/data/processed/${name}`);
}

/** What an image of the original test set tells: everything but the answer. */
async function oldTestKeys(preparation: Preparation): Promise<string[]> {
  const file = await unpackJson(preparation, TEST);
  for (const image of records(file, TEST)) return [...image.keys()];
  return malformed(TEST, "is empty");
}

/** The objects of a JSON list one by one: the original test set alone is larger than any string may be. */
function* records(file: string, name: string): Generator<JsonObject> {
  for (const part of readJsonParts(file)) {
    if (part.kind === "list" && part.key === "") continue;
    if (part.kind === "malformed") malformed(name, `is not JSON: ${part.problem}`);
    if (part.kind !== "element" || part.key !== "" || !(part.value instanceof Map))
      return malformed(name, "is not a list of objects");
    yield part.value;
  }
}

/** The image with only these members, in this order. */
function reduced(image: JsonObject, keys: readonly string[]): JsonObject {
  return new Map(keys.map((key) => [key, member(image, key)]));
}

function member(image: JsonObject, key: string): JsonValue {
  const value = image.get(key);
  return value === undefined ? malformed(TRAIN, `has an image without ${key}`) : value;
}
