import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Preparer } from "../../../../src/competitions/preparer.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { preparer as madison } from "../../../../src/competitions/uw-madison-gi-tract-image-segmentation/prepare.ts";
import { preparer as vinbig } from "../../../../src/competitions/vinbigdata-chest-xray-abnormalities-detection/prepare.ts";
import { preparer as whales } from "../../../../src/competitions/whale-categorization-playground/prepare.ts";
import { read, workshop } from "./workshop.ts";

async function prepared(preparer: Preparer, raw: Record<string, string>, test_size: number): Promise<string> {
  const { preparation, out } = workshop(raw);
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out, settings: { test_size } });
  expect(outcome).toMatchObject({ status: "prepared" });
  return out;
}

/** What pandas wrote for the same rows; the second image is the test image. */
test.each([
  {
    what: "whole corners without gaps stay integers",
    rows: ["1,1,A,R1,1,2,3,4", "2,5,B,R2,10,20,30,40", "2,5,B,R3,7,8,9,10"],
    answers: "2,5,B,R2,10,20,30,40\n",
    gold: "2,5 1.0 10 20 30 40\n",
  },
  {
    what: "one gap makes its own column floats",
    rows: ["1,1,A,R1,1,2,,4", "2,14,B,R2,10,20,30,40", "2,3,B,R3,7,8,,10"],
    answers: "2,3,B,R3,7,8,0.0,10\n2,14,B,R2,10,20,1.0,1\n",
    gold: "2,3 1.0 7 8 0.0 10 14 1.0 10 20 1.0 1\n",
  },
  {
    what: "rows without a class are in no answer, and make the classes floats",
    rows: ["1,,A,R1,1,2,3,4", "2,,B,R2,10,20,30,40", "2,3,7,,7,8,9,10"],
    answers: "2,3.0,7,,7,8,9,10\n",
    gold: "2,3.0 1.0 7 8 9 10\n",
  },
])("chest x-rays: $what", async ({ rows, answers, gold }) => {
  const header = "image_id,class_id,class_name,rad_id,x_min,y_min,x_max,y_max";
  const raw = { "train.csv": `${[header, ...rows].join("\n")}\n`, "train/1.dicom": "", "train/2.dicom": "" };
  const out = await prepared(vinbig, raw, 0.1);
  expect(read(out, "private/answers.csv")).toBe(`${header}\n${answers}`);
  expect(read(out, "private/gold_submission.csv")).toBe(`image_id,PredictionString\n${gold}`);
});

test("abdominal scans: what lies beside the days of a case goes with the case, late days go to test", async () => {
  const raw: Record<string, string> = {};
  const ids: string[] = [];
  for (const name of ["case1", "case2"]) {
    raw[`train/${name}/notes.txt`] = name;
    for (const day of ["day20", "day3", "day100", "day1", "day4"]) {
      raw[`train/${name}/${name}_${day}/scans/slice_0001_266_310_1.50_1.50.png`] = day;
      ids.push(`${name}_${day}_slice_0001`);
    }
  }
  raw["train.csv"] = `id,class,segmentation\n${ids.map((id) => `${id},stomach,\n`).join("")}`;
  const out = await prepared(madison, raw, 0.5);
  const [train] = fs.readdirSync(join(out, "public/train"));
  const beside = (half: string, name: string) => fs.readdirSync(join(out, "public", half, name)).sort();
  expect(beside("train", train)).toEqual(
    ["day1", "day20", "day3", "day4"].map((day) => `${train}_${day}`).concat("notes.txt"),
  );
  expect(beside("test", train)).toEqual([`${train}_day100`]);
  expect(beside("test", train === "case1" ? "case2" : "case1")).toContain("notes.txt");
});

test("whales: the answers keep the raw order of the columns, as the training table does", async () => {
  const images = Array.from({ length: 12 }, (_, i) => `${i}.jpg`);
  const raw = Object.fromEntries(images.map((image) => [`train/${image}`, image]));
  raw["train.csv"] = `Id,Image\n${images.map((image) => `w_1,${image}\n`).join("")}`;
  const out = await prepared(whales, raw, 0.1);
  expect(read(out, "private/test.csv")).toMatch(/^Id,Image\n(w_1,\d+\.jpg\n){2}$/);
  expect(read(out, "public/train.csv")).toMatch(/^Id,Image\n(w_1,\d+\.jpg\n){10}$/);
});
