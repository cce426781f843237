import fs from "node:fs";
import { join } from "node:path";
import { readBsonDocuments, readBsonNumber, withoutBsonElement } from "../../formats/bson.ts";
import { createChunkedFile } from "../../table/csv/chunked-file.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { malformed } from "../preparing/stop-preparing.ts";

const SOURCE = "train.bson";
const EXAMPLES = 100;
const REPORT_EVERY = 1024;

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const ids: number[] = [];
    const categories: number[] = [];
    await visitDocuments(preparation, "reading products", (document, i) => {
      ids.push(numberOf(document, "_id", i));
      categories.push(numberOf(document, "category_id", i));
    });
    const { test } = splitItems(ids.length, preparation.settings.test_size);
    const isTest = new Uint8Array(ids.length);
    for (const i of test) isTest[i] = 1;
    const sorted = test.slice().sort((a, b) => ids[a] - ids[b]);

    const table = columns({ _id: "int", category_id: "int" });
    writeCsv(
      join(preparation.private, "answers.csv"),
      table,
      Array.from(sorted, (i) => [ids[i], categories[i]]),
    );
    writeCsv(
      join(preparation.public, "sample_submission.csv"),
      table,
      Array.from(sorted, (i) => [ids[i], 1000010653]),
    );
    await writeDocuments(preparation, isTest);
    await copyNamed(preparation, preparation.raw, preparation.public, ["category_names.csv"]);
  },
});

/** Both sides in the order of the source: train documents as they are, test documents without their category. */
async function writeDocuments(preparation: Preparation, isTest: Uint8Array): Promise<void> {
  const create = (name: string) => createChunkedFile(join(preparation.public, name));
  const files = {
    train: create("train.bson"),
    example: create("train_example.bson"),
    test: create("test.bson"),
  };
  let trained = 0;
  try {
    await visitDocuments(preparation, "splitting products", (document, i) => {
      if (isTest[i]) {
        files.test.writeBytes(withoutBsonElement(document, "category_id")!);
        return;
      }
      files.train.writeBytes(document);
      if (trained++ < EXAMPLES) files.example.writeBytes(document);
    });
  } finally {
    for (const file of Object.values(files)) file.close();
  }
}

async function visitDocuments(
  preparation: Preparation,
  what: string,
  visit: (document: Buffer, position: number) => void,
): Promise<void> {
  const path = join(preparation.raw, SOURCE);
  const total = fs.statSync(path).size;
  let position = 0;
  let done = 0;
  const problem = await readBsonDocuments(path, (document) => {
    preparation.signal.throwIfAborted();
    visit(document, position++);
    done += document.length;
    if (position % REPORT_EVERY === 0) preparation.progress({ what, done, total, unit: "bytes" });
    return null;
  });
  if (problem) malformed(SOURCE, problem.reason);
}

function numberOf(document: Buffer, name: string, position: number): number {
  return (
    readBsonNumber(document, name) ?? malformed(SOURCE, `has no number ${name} in document ${position + 1}`)
  );
}
