import { cocoMeanPrecision, parseClassBoxes, type TrueBox } from "../../metrics/pictures/coco-boxes.ts";
import type { BoxReading } from "../../metrics/pictures/coco-matching.ts";
import { indexIds } from "../../table/rows/id-index.ts";
import type { Table } from "../../table/table.ts";
import { defineGrader, type Grader } from "../grader.ts";
import { requireNoneMissing } from "../shapes/cells/numbers.ts";
import { requireColumns } from "../shapes/checks.ts";
import { readBoxes } from "../shapes/pictures/box-cells.ts";
import { requireSameImages } from "./same-images.ts";

const CLASS_BOXES = { group: "class score x_min y_min x_max y_max", parse: parseClassBoxes };

/**
 * The answers have a row for each box. The submission may spread an image over several rows, whose boxes add up;
 * the order of its rows matters, since it numbers the boxes.
 */
export const grade = boxGrader("as-sizes");

/** Corners are corners, and the box numbered 0 can be matched like any other. */
export const gradeV2 = boxGrader("as-corners");

function boxGrader(reading: BoxReading): Grader {
  return defineGrader({
    submission: ["image_id", "PredictionString"],
    keys: ["image_id"],
    values: ["class_id", "x_min", "y_min", "x_max", "y_max"],
    rounding: "numpy",
    check({ submission, answers }, problems) {
      const columns = requireColumns(submission, ["image_id", "PredictionString"], problems);
      if (!columns) return null;
      const [ids, cells] = columns;
      const images = requireSameImages(ids, answers.column("image_id")!, problems);
      requireNoneMissing(cells, problems);
      const boxes = readBoxes(cells, CLASS_BOXES, problems);
      return images && boxes ? { images, boxes } : null;
    },
    score({ images, boxes }, { answers }) {
      const predicted = boxes.flatMap((list, row) =>
        list.map((box) => ({ ...box, image: String(images[row]) })),
      );
      return cocoMeanPrecision(trueBoxes(answers), predicted, reading);
    },
  });
}

function trueBoxes(answers: Table): TrueBox[] {
  const ids = answers.column("image_id")!;
  const index = indexIds(ids)!;
  const [category, x1, y1, x2, y2] = ["class_id", "x_min", "y_min", "x_max", "y_max"].map(
    (name) => answers.column(name)!.numbers,
  );
  return Array.from({ length: answers.rowCount }, (_, row) => ({
    image: String(index.find(ids, row)),
    category: category[row],
    x1: x1[row],
    y1: y1[row],
    x2: x2[row],
    y2: y2[row],
  }));
}
