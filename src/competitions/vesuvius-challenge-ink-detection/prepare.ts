import fs from "node:fs";
import { basename, join } from "node:path";
import { pngSize } from "../../formats/png.ts";
import { definePreparer } from "../preparer.ts";
import { copyTree } from "../preparing/files/copy-files.ts";
import { csvCellOf, csvKindOf } from "../preparing/rows/column-values.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { malformed, missingFile } from "../preparing/stop-preparing.ts";

const LABEL_FILES = new Set(["inklabels.png", "inklabels_rle.csv", "ir.png"]);
const TEST_ID = "a";

/** Fragments 1 and 2 are for training; fragment 3 is the test fragment "a". */
export const preparer = definePreparer({
  async prepare(preparation) {
    const raw = join(preparation.raw, "train");
    for (const fragment of ["1", "2"]) {
      await copyTree(preparation, join(raw, fragment), join(preparation.public, "train", fragment));
    }
    await copyTree(
      preparation,
      join(raw, "3"),
      join(preparation.public, "test", TEST_ID),
      (file) => !LABEL_FILES.has(basename(file)),
    );

    const labels = await openRawCsv(preparation, join(raw, "3", "inklabels_rle.csv"));
    const [predicted] = readColumns(labels, ["Predicted"]);
    const size = imageSize(join(raw, "3", "ir.png"));
    const kind = csvKindOf(predicted);
    const rows = Array.from({ length: labels.rowCount }, (_, row) => [TEST_ID, csvCellOf(predicted, row)]);
    const submission = [
      { name: "Id", kind: "text" as const },
      { name: "Predicted", kind },
    ];
    writeCsv(
      join(preparation.private, "inklabels_rle.csv"),
      [...submission, { name: "width", kind: "int" }, { name: "height", kind: "int" }],
      rows.map((cells) => [...cells, size.width, size.height]),
    );
    writeCsv(join(preparation.private, "gold_submission.csv"), submission, rows);
    writeCsv(
      join(preparation.public, "sample_submission.csv"),
      columns({ Id: "text", Predicted: "text" }),
      rows.map(([id]) => [id, "1 1 5 1"]),
    );
  },
});

const PNG_HEADER_BYTES = 64;

function imageSize(file: string) {
  let head: Buffer;
  try {
    const handle = fs.openSync(file, "r");
    head = Buffer.alloc(PNG_HEADER_BYTES);
    fs.readSync(handle, head, 0, PNG_HEADER_BYTES, 0);
    fs.closeSync(handle);
  } catch {
    return missingFile(file);
  }
  return pngSize(head) ?? malformed(file, "is not a PNG image");
}
