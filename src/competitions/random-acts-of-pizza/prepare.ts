import path from "node:path";
import type { JsonObject } from "../../table/json-value.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import { columns, writeCsv } from "../preparing/csv-file.ts";
import { readJsonRecords, textMember, writeJsonFile } from "../preparing/json-file.ts";
import { packZip } from "../preparing/nested-archive.ts";
import { splitItems } from "../preparing/split-rows.ts";
import { malformed } from "../preparing/stop-preparing.ts";

const TARGET = "requester_received_pizza";

/** The giver's name is known only for requests that were granted, so it gives the outcome away. */
const GIVER = "giver_username_if_known";

export const preparer = definePreparer({
  prepare: (preparation) => prepareRequests(preparation, []),
  prepareV2: (preparation) => prepareRequests(preparation, [GIVER]),
});

async function prepareRequests(preparation: Preparation, dropped: readonly string[]): Promise<void> {
  const requests = readJsonRecords(path.join(preparation.raw, "train.json"));
  const oldTest = readJsonRecords(path.join(preparation.raw, "test.json"));
  if (oldTest.length === 0) malformed("test.json", "is empty");
  const testFraction = oldTest.length / (requests.length + oldTest.length);
  const split = splitItems(requests.length, { testFraction });
  const train = Array.from(split.train, (row) => requests[row]);
  const test = Array.from(split.test, (row) => requests[row]);

  const trainKeys = [...(train[0]?.keys() ?? [])];
  const testKeys = [...oldTest[0].keys()];
  await writeRecords(
    preparation,
    "train",
    train,
    trainKeys.filter((key) => !dropped.includes(key)),
  );
  await writeRecords(
    preparation,
    "test",
    test,
    testKeys.filter((key) => !dropped.includes(key)),
  );

  const table = columns({ request_id: "text", [TARGET]: "int" });
  const id = (request: JsonObject) => textMember(request, "request_id", "train.json");
  writeCsv(
    path.join(preparation.public, "sampleSubmission.csv"),
    table,
    test.map((request) => [id(request), 0]),
  );
  writeCsv(
    path.join(preparation.private, "test.csv"),
    table,
    test.map((request) => [id(request), request.get(TARGET) === true ? 1 : 0]),
  );
}

/** Writes the chosen members of each record, in the order of `keys`, as a JSON file and once more as a zip. */
async function writeRecords(
  preparation: Preparation,
  name: string,
  records: readonly JsonObject[],
  keys: readonly string[],
): Promise<void> {
  const file = path.join(preparation.public, `${name}.json`);
  const chosen = records.map(
    (record) =>
      new Map(
        keys.map((key) => [
          key,
          record.get(key) ?? (record.has(key) ? null : malformed("train.json", `lacks ${key}`)),
        ]),
      ),
  );
  writeJsonFile(file, chosen, { indent: 4 });
  await packZip(preparation, path.join(preparation.public, `${name}.zip`), [[`${name}.json`, file]]);
}
