import { join } from "node:path";
import type { JsonObject } from "../../table/json/value.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import { packZip } from "../preparing/files/nested-archive.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { malformed } from "../preparing/stop-preparing.ts";
import { readJsonRecords, textMember, writeJsonFile } from "../preparing/texts/json-file.ts";

const TARGET = "requester_received_pizza";

/** The giver's name is known only for requests that were granted, so it gives the outcome away. */
const GIVER = "giver_username_if_known";

export const preparer = definePreparer({
  prepare: (preparation) => prepareRequests(preparation, []),
  prepareV2: (preparation) => prepareRequests(preparation, [GIVER]),
});

async function prepareRequests(preparation: Preparation, dropped: readonly string[]): Promise<void> {
  const requests = readJsonRecords(join(preparation.raw, "train.json"));
  const oldTest = readJsonRecords(join(preparation.raw, "test.json"));
  if (oldTest.length === 0) malformed("test.json", "is empty");
  const testFraction = oldTest.length / (requests.length + oldTest.length);
  const split = splitItems(requests.length, { testFraction });
  const train = Array.from(split.train, (row) => requests[row]);
  const test = Array.from(split.test, (row) => requests[row]);

  const testKeys = [...oldTest[0].keys()].filter((key) => !dropped.includes(key));
  const trainRecords = train.map(
    (request) => new Map([...request].filter(([key]) => !dropped.includes(key))),
  );
  const testRecords = test.map((request) => reduced(request, testKeys));
  await writeRecords(preparation, "train", trainRecords);
  await writeRecords(preparation, "test", testRecords);

  const table = columns({ request_id: "text", [TARGET]: "int" });
  const id = (request: JsonObject) => textMember(request, "request_id", "train.json");
  writeCsv(
    join(preparation.public, "sampleSubmission.csv"),
    table,
    test.map((request) => [id(request), 0]),
  );
  writeCsv(
    join(preparation.private, "test.csv"),
    table,
    test.map((request) => [id(request), Number(request.get(TARGET))]),
  );
}

/** The record with only these members, in this order. */
function reduced(record: JsonObject, keys: readonly string[]): JsonObject {
  return new Map(keys.map((key) => [key, record.get(key) ?? null]));
}

/** Writes records as a JSON file and once more as a zip. */
async function writeRecords(preparation: Preparation, name: string, records: JsonObject[]): Promise<void> {
  const file = join(preparation.public, `${name}.json`);
  await writeJsonFile(preparation, file, records, { indent: 4 });
  await packZip(preparation, join(preparation.public, `${name}.zip`), [[`${name}.json`, file]]);
}
