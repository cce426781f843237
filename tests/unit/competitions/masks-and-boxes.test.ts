import { describe, expect, it } from "vitest";
import { competition as contrails } from "../../../src/competitions/google-research-identify-contrails-reduce-global-warming/competition.ts";
import type { Grader } from "../../../src/competitions/grader.ts";
import { competition as imet } from "../../../src/competitions/imet-2020-fgvc7/competition.ts";
import { competition as kuzushiji } from "../../../src/competitions/kuzushiji-recognition/competition.ts";
import { collectProblems } from "../../../src/competitions/problems.ts";
import { competition as siim } from "../../../src/competitions/siim-covid19-detection/competition.ts";
import { competition as gutTract } from "../../../src/competitions/uw-madison-gi-tract-image-segmentation/competition.ts";
import { competition as vesuvius } from "../../../src/competitions/vesuvius-challenge-ink-detection/competition.ts";
import { competition as chestXray } from "../../../src/competitions/vinbigdata-chest-xray-abnormalities-detection/competition.ts";
import { readCsvBytes } from "../../../src/table/csv/reader.ts";

function table(content: string) {
  const outcome = readCsvBytes(Buffer.from(content));
  if (!outcome.ok) throw new Error(outcome.problem.message);
  return outcome.table;
}

/** The problems of a submission as "code row column", or its score. */
function grade(grader: Grader, answers: string, submission: string) {
  const tables = { answers: table(answers), submission: table(submission) };
  const problems = collectProblems();
  const checked = grader.check(tables, problems);
  if (checked === null || problems.count > 0)
    return problems.list.map(({ code, row, column }) => [code, row ?? "-", column ?? "-"].join(" "));
  const score = grader.score(checked, tables);
  return typeof score === "number" ? score : [[score.code, score.row ?? "-", score.column ?? "-"].join(" ")];
}

describe("a submission of masks", () => {
  const answers = "record_id,encoded_pixels,height,width\n1,1 3 10 5,4,5\n2,-,4,5\n3,2 2,4,5\n";

  it("with a wrong id is told about its bad masks as well", () => {
    const submission = "record_id,encoded_pixels\n1,5 2 1 1\n2,\n9,x\n";
    expect(grade(contrails.grade, answers, submission)).toEqual([
      "WRONG_IDS 3 record_id",
      "WRONG_IDS - record_id",
      "MISSING_VALUE 2 encoded_pixels",
      "BAD_FORMAT 1 encoded_pixels",
      "BAD_FORMAT 3 encoded_pixels",
    ]);
  });

  it("is decoded with the image size of its own id, not of its position", () => {
    const sizes = "record_id,encoded_pixels,height,width\n1,1 2,1,2\n2,1 9,3,3\n";
    expect(grade(contrails.grade, sizes, "record_id,encoded_pixels\n2,1 9\n1,1 99\n")).toBe(1);
  });

  it("must keep the order of the answers where rows are compared by position", () => {
    const two = "Id,Predicted,width,height\na,1 1,2,2\nb,2 1,2,2\n";
    expect(grade(vesuvius.grade, two, "Id,Predicted\na,1 1\nb,2 1\n")).toBe(1);
    expect(grade(vesuvius.grade, two, "Id,Predicted\nb,2 1\na,1 1\n")).toEqual(["WRONG_IDS - Id"]);
  });

  it("may not put images of different sizes into one scan", () => {
    const scans =
      "id,class,predicted,image_width,image_height\na_slice_1,x,1 1,2.0,2.0\nb_slice_1,x,1 1,4.0,1.0\n";
    expect(grade(gutTract.grade, scans, "id,class,predicted\na_slice_1,x,1 1\nb_slice_1,x,1 1\n")).toBe(1);
    expect(grade(gutTract.grade, scans, "id,class,predicted\na_slice_1,x,1 1\na_slice_2,x,1 1\n")).toEqual([
      "BAD_FORMAT 2 id",
    ]);
  });
});

describe("a submission of boxes", () => {
  it("names each row that cannot be read", () => {
    const pages = "image_id,labels\na,U+1 0 0 4 4\nb,\nc,\n";
    expect(grade(kuzushiji.grade, pages, "image_id,labels\na,U+1 2\nb,U+1 x 2\nc,\n")).toEqual([
      "BAD_FORMAT 1 labels",
      "BAD_FORMAT 2 labels",
    ]);
  });

  it("may have a confidence that is not finite only for a label that is not graded", () => {
    const studies = "id,PredictionString\na,typical 1 0 0 1 1\nb,none 1 0 0 1 1\n";
    const header = "id,PredictionString\n";
    expect(grade(siim.grade, studies, `${header}b,typical nan 0 0 1 1\na,none 1 0 0 1 1\n`)).toEqual([
      "NOT_FINITE 1 PredictionString",
    ]);
    expect(
      grade(siim.grade, studies, `${header}a,typical 1 0 0 1 1 odd nan 0 0 1 1\nb,none 1 0 0 1 1\n`),
    ).toBe(1);
  });

  it("may spread an image over several rows, but must name all images and no other", () => {
    const boxes = "image_id,class_id,x_min,y_min,x_max,y_max\na,14,0,0,1,1\nb,14,0,0,1,1\nb,3,0,0,9,9\n";
    const rows = (ids: string[]) =>
      `image_id,PredictionString\n${ids.map((id) => `${id},14 1 0 0 1 1\n`).join("")}`;
    expect(grade(chestXray.grade, boxes, rows(["a", "b", "b"]))).toBeTypeOf("number");
    expect(grade(chestXray.grade, boxes, rows(["a", "c", "c"]))).toEqual([
      "WRONG_IDS - image_id",
      "WRONG_IDS - image_id",
    ]);
  });
});

it("a submission with one bare number for each row is told for each of them that labels are texts", () => {
  const answers = "id,attribute_ids\na,1 2\nb,4\n";
  expect(grade(imet.grade, answers, "id,attribute_ids\na,1\nb,4\n")).toEqual([
    "WRONG_KIND 1 attribute_ids",
    "WRONG_KIND 2 attribute_ids",
  ]);
  expect(grade(imet.grade, answers, "id,attribute_ids\na,1 1 99\nb,\n")).toBe(0.5);
});
