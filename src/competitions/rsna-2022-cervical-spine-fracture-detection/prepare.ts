import { join } from "node:path";
import { roundHalfEven } from "../../metrics/arithmetic/rounding.ts";
import type { Mt19937 } from "../../random/mt19937.ts";
import { pythonRandom, pythonSample } from "../../random/python-random.ts";
import { compareCodePoints } from "../../table/rows/code-point-order.ts";
import { definePreparer } from "../preparer.ts";
import { copyNamed, copyTree } from "../preparing/files/copy-files.ts";
import { listFiles, stem } from "../preparing/files/list-files.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { joinedCell, joinedKind } from "../preparing/rows/joined-columns.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { impossibleSplit } from "../preparing/stop-preparing.ts";

const TYPES = ["patient_overall", "C1", "C2", "C3", "C4", "C5", "C6", "C7"];

/** The share is that of the training half: nine studies of ten become test, by a slip that published scores depend on. */
export const preparer = definePreparer({
  settings: { train_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const boxes = await openRawCsv(preparation, join(preparation.raw, "train_bounding_boxes.csv"));
    const [studies] = readColumns(csv, ["StudyInstanceUID"]).map(plainTexts);
    const [boxOf] = readColumns(boxes, ["StudyInstanceUID"]).map(plainTexts);
    const segmented = listFiles(join(preparation.raw, "segmentations"), ".nii").map(stem);
    const chosen = chooseStudies(studies, boxOf, segmented, preparation.settings.train_size);

    const train = rowsWhere(csv.rowCount, (row) => chosen.train.has(studies[row]));
    const test = rowsWhere(csv.rowCount, (row) => !chosen.train.has(studies[row]));
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
    ]);
    await writeRows(preparation, boxes, [
      {
        path: join(preparation.public, "train_bounding_boxes.csv"),
        rows: rowsWhere(boxes.rowCount, (row) => chosen.boxes.has(boxOf[row])),
        columns: boxes.header,
      },
    ]);

    const labels = readColumns(csv, TYPES);
    const kind = joinedKind(labels);
    const asked = labels.flatMap((label) =>
      Array.from(test, (row) => ({ study: studies[row], label, row, id: `${studies[row]}_${label.name}` })),
    );
    writeCsv(
      join(preparation.private, "answers.csv"),
      [
        ...columns({ StudyInstanceUID: "text", prediction_type: "text" }),
        { name: "fractured", kind },
        { name: "row_id", kind: "text" },
      ],
      asked.map(({ study, label, row, id }) => [study, label.name, joinedCell(label, row, kind), id]),
    );
    writeCsv(
      join(preparation.public, "test.csv"),
      columns({ StudyInstanceUID: "text", prediction_type: "text", row_id: "text" }),
      asked.map(({ study, label, id }) => [study, label.name, id]),
    );
    writeCsv(
      join(preparation.public, "sample_submission.csv"),
      columns({ row_id: "text", fractured: "float" }),
      asked.map(({ id }) => [id, 0.5]),
    );

    await copyNamed(
      preparation,
      join(preparation.raw, "segmentations"),
      join(preparation.public, "segmentations"),
      [...chosen.segmented].map((study) => `${study}.nii`),
    );
    for (const [folder, rows] of Object.entries({ train_images: train, test_images: test })) {
      for (const row of rows) {
        await copyTree(
          preparation,
          join(preparation.raw, "train_images", studies[row]),
          join(preparation.public, folder, studies[row]),
        );
      }
    }
  },
});

/** Draws from studies with boxes and segmentations, with one of them, and with neither, in this order, by one generator. */
function chooseStudies(studies: string[], boxOf: string[], segmented: string[], share: number) {
  const generator = pythonRandom(0);
  const boxed = [...new Set(boxOf)].sort(compareCodePoints);
  const isSegmented = new Set(segmented);
  const part = (count: number) => roundHalfEven(count * share);
  const both = boxed.filter((study) => isSegmented.has(study));
  const isBoth = new Set(both);

  const withBoth = draw(generator, both, part(both.length));
  const onlySegmented = segmented.filter((study) => !isBoth.has(study));
  const withSegments = draw(generator, onlySegmented, part(segmented.length) - withBoth.length);
  const onlyBoxed = boxed.filter((study) => !isBoth.has(study));
  const withBoxes = draw(generator, onlyBoxed, part(boxed.length) - withBoth.length);
  const soFar = new Set([...withBoth, ...withSegments, ...withBoxes]);
  const rest = studies.filter((study) => !soFar.has(study));
  const others = draw(generator, rest, part(studies.length) - soFar.size);
  return {
    train: new Set([...soFar, ...others]),
    boxes: new Set([...withBoth, ...withBoxes]),
    segmented: new Set([...withBoth, ...withSegments]),
  };
}

function draw(generator: Mt19937, from: string[], count: number): string[] {
  if (count < 0 || count > from.length)
    return impossibleSplit(`${count} studies cannot be drawn from ${from.length}.`);
  return pythonSample(generator, from.length, count).map((position) => from[position]);
}
