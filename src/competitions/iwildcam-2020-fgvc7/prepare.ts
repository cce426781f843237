import { join } from "node:path";
import { checkEntryName } from "../../archive/entry-name.ts";
import { randint, randomState } from "../../random/numpy-legacy.ts";
import type { JsonSource, JsonValue } from "../../table/json/value.ts";
import { pythonJson } from "../../table/json/writer.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { writeCsv } from "../preparing/rows/csv-file.ts";
import { groupRows, rowsWhere } from "../preparing/rows/row-choice.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { malformed, stopPreparing } from "../preparing/stop-preparing.ts";
import { writeJsonFile } from "../preparing/texts/json-file.ts";
import { type StoredJson, withStoredJson } from "../preparing/texts/stored-json.ts";
import { csvCell, csvKind, type RecordTable, recordTable, scalarText } from "./record-table.ts";

const TRAIN_FILE = "iwildcam2020_train_annotations.json";
const TEST_FILE = "iwildcam2020_test_information.json";
const MEGADETECTOR_FILE = "iwildcam2020_megadetector_results.json";

/** Sample categories are drawn from 0 up to, not including, this. */
const SAMPLE_CATEGORIES = 676;

export const preparer = definePreparer({
  settings: { test_size: 0.22 },
  async prepare(preparation) {
    await withStoredJson(preparation, join(preparation.raw, TRAIN_FILE), "utf8", (train) =>
      withStoredJson(preparation, join(preparation.raw, TEST_FILE), "utf8", (test) =>
        prepareSightings(preparation, train, test),
      ),
    );
    await copyNamed(preparation, preparation.raw, preparation.public, [MEGADETECTOR_FILE]);
  },
});

async function prepareSightings(
  preparation: Preparation<{ test_size: number }>,
  train: StoredJson,
  test: StoredJson,
): Promise<void> {
  const images = recordTable(train.records("images"));
  const annotations = recordTable(train.records("annotations"));
  const locations = Array.from(images, (image) => matchKey(image.get("location"), "location"));
  const testLocations = chooseLocations(locations, preparation.settings.test_size);
  const trainImages = rowsWhere(images.length, (row) => !testLocations.has(locations[row]));
  const testImages = rowsWhere(images.length, (row) => testLocations.has(locations[row]));

  const ids = Array.from(images, (image) => matchKey(image.get("id"), "id"));
  const imageIds = Array.from(annotations, (annotation) => matchKey(annotation.get("image_id"), "image_id"));
  const annotationsOf = (rows: Uint32Array): Uint32Array => {
    const half = new Set(Array.from(rows, (row) => ids[row]));
    return rowsWhere(annotations.length, (row) => half.has(imageIds[row]));
  };
  const testAnnotations = annotationsOf(testImages);
  await writeJsonFile(
    preparation,
    join(preparation.public, TRAIN_FILE),
    new Map<string, JsonSource>([
      ["annotations", chosen(annotations, annotationsOf(trainImages))],
      ["images", chosen(images, trainImages)],
      ["categories", recordTable(train.records("categories"))],
      ["info", train.member("info")],
    ]),
  );
  await writeJsonFile(
    preparation,
    join(preparation.public, TEST_FILE),
    new Map<string, JsonSource>([
      ["images", chosen(images, testImages)],
      ["categories", recordTable(test.records("categories"))],
      ["info", test.member("info")],
    ]),
  );
  writeAnswers(preparation, annotations, testAnnotations);

  for (const [folder, rows] of Object.entries({ train: trainImages, test: testImages })) {
    const names = new Set(Array.from(rows, (row) => imageName(images.at(row).get("id"))));
    await copyNamed(preparation, join(preparation.raw, "train"), join(preparation.public, folder), [
      ...names,
    ]);
  }
}

/**
 * The locations whose images become the test set. After the split, locations move one by one until the test images are the wanted
 * share, first to the test side, then back. The share is of all images plus the test images once more: so counts the original.
 */
function chooseLocations(locations: readonly string[], share: number): Set<string> {
  const rows = groupRows(locations);
  const distinct = [...rows.keys()];
  const split = splitItems(distinct.length, { testFraction: share });
  const train = Array.from(split.train, (i) => distinct[i]);
  const test = Array.from(split.test, (i) => distinct[i]);
  const imagesAt = (location: string) => rows.get(location)!.length;
  let testImages = test.reduce((sum, location) => sum + imagesAt(location), 0);
  while (testImages / (locations.length + testImages) < share) {
    const moved = train.pop() ?? impossibleShare(share);
    test.push(moved);
    testImages += imagesAt(moved);
  }
  while (testImages / (locations.length + testImages) > share) {
    const moved = test.pop() ?? impossibleShare(share);
    train.push(moved);
    testImages -= imagesAt(moved);
  }
  return new Set(test);
}

function impossibleShare(share: number): never {
  return stopPreparing({
    code: "SPLIT_IMPOSSIBLE",
    file: TRAIN_FILE,
    message: `No choice of locations gives test images the share ${share}.`,
    next: "Set a share between 0 and 0.5.",
  });
}

function writeAnswers(preparation: Preparation, annotations: RecordTable, rows: Uint32Array): void {
  const idKind = annotations.kindOf("image_id");
  const categoryKind = annotations.kindOf("category_id");
  const answers = Array.from(rows, (row) => {
    const annotation = annotations.at(row);
    if (!annotation.has("category_id")) malformed(TRAIN_FILE, "has no category_id in its annotations");
    return [
      csvCell(annotation.get("image_id"), idKind, TRAIN_FILE),
      csvCell(annotation.get("category_id"), categoryKind, TRAIN_FILE),
    ];
  });
  const id = { name: "Id", kind: csvKind(idKind) };
  writeCsv(
    join(preparation.private, "answers.csv"),
    [id, { name: "Category", kind: csvKind(categoryKind) }],
    answers,
  );
  const generator = randomState(0);
  writeCsv(
    join(preparation.public, "sample_submission.csv"),
    [id, { name: "Category", kind: "int" }],
    answers.map(([imageId]) => [imageId, randint(generator, 0, SAMPLE_CATEGORIES)]),
  );
}

function* chosen(table: RecordTable, rows: Uint32Array): Generator<JsonSource> {
  for (const row of rows) yield table.at(row);
}

/** Equal for values that are equal in Python, where 1, 1.0 and True are. */
function matchKey(value: JsonValue | undefined, key: string): string {
  if (value === undefined) return malformed(TRAIN_FILE, `has records without ${key}`);
  if (typeof value === "boolean") return String(Number(value));
  return typeof value === "bigint" || typeof value === "number" ? String(value) : pythonJson(value);
}

/** Images are found by their id, not by their `file_name`. */
function imageName(id: JsonValue | undefined): string {
  if (id === undefined || id === null || typeof id === "object")
    return malformed(TRAIN_FILE, "has an image without id");
  const name = `${scalarText(id)}.jpg`;
  const checked = checkEntryName(name);
  return "problem" in checked ? malformed(TRAIN_FILE, `has an image that ${checked.problem}`) : name;
}
