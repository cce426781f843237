import { expect, test } from "vitest";
import { preparer as kuzushiji } from "../../../../src/competitions/kuzushiji-recognition/prepare.ts";
import { preparer as plants } from "../../../../src/competitions/plant-pathology-2020-fgvc7/prepare.ts";
import type { Preparer } from "../../../../src/competitions/preparer.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { preparer as ventilator } from "../../../../src/competitions/ventilator-pressure-prediction/prepare.ts";
import { preparer as vinbigdata } from "../../../../src/competitions/vinbigdata-chest-xray-abnormalities-detection/prepare.ts";
import { workshop } from "./workshop.ts";

const table = (header: string, row: (i: number) => string) =>
  `${[header, ...Array.from({ length: 20 }, (_, i) => row(i))].join("\n")}\n`;

const LEAVES = "image_id,healthy,multiple_diseases,rust,scab";
const BREATHS = "id,breath_id,R,C,time_step,u_in,u_out,pressure";
const BOXES = "image_id,class_name,class_id,rad_id,x_min,y_min,x_max,y_max";

test.each<[string, Preparer, string, string]>([
  ["a repeated image", plants, table(LEAVES, (i) => `Train_${i % 19},1,0,0,0`), "has image_id Train_0 twice"],
  ["a column too many", plants, table(`${LEAVES},x`, (i) => `Train_${i},1,0,0,0,1`), "instead of image_id"],
  ["boxes without a height", kuzushiji, table("image_id,labels", (i) => `a${i},U+1 1 2 3 x`), "not boxes"],
  ["labels cut short", kuzushiji, table("image_id,labels", (i) => `a${i},U+1 1 2 3`), "groups of five"],
  ["images without labels", kuzushiji, table("image_id,labels", (i) => `a${i},`), "groups of five"],
  [
    "a breath without a number",
    ventilator,
    table(BREATHS, (i) => `${i},${i || ""},5,20,0.1,1,0,6`),
    "breath_id",
  ],
  [
    "a pressure in words",
    ventilator,
    table(BREATHS, (i) => `${i},${i},5,20,0.1,1,0,${i ? 6 : "high"}`),
    "pressure",
  ],
  [
    "a resistance with a fraction",
    ventilator,
    table(BREATHS, (i) => `${i},${i},5.5,20,0.1,1,0,6`),
    "whole numbers in R",
  ],
  [
    "a column too many",
    ventilator,
    table(`${BREATHS},x`, (i) => `${i},${i},5,20,0.1,1,0,6,1`),
    "instead of id",
  ],
  [
    "a column too many",
    vinbigdata,
    table(`${BOXES},x`, (i) => `a${i},No finding,14,R1,,,,,1`),
    "instead of image_id",
  ],
  [
    "a class in words",
    vinbigdata,
    table(BOXES, (i) => `a${i},Mass,${i ? 3 : "Mass"},R1,1,2,3,4`),
    "class_id",
  ],
])("%s is refused, as the original fails on it", async (_, preparer, train, message) => {
  const { preparation, out } = workshop({ "train.csv": train });
  expect(await runPreparer({ preparer, raw: preparation.raw, out })).toMatchObject({
    status: "failed",
    problem: { code: "RAW_MALFORMED", message: expect.stringContaining(message) },
  });
});
