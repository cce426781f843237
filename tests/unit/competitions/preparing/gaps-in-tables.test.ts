import { join } from "node:path";
import { expect, test } from "vitest";
import { preparer as lungs } from "../../../../src/competitions/osic-pulmonary-fibrosis-progression/prepare.ts";
import type { Preparer, Settings } from "../../../../src/competitions/preparer.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { preparer as spine } from "../../../../src/competitions/rsna-2022-cervical-spine-fracture-detection/prepare.ts";
import { preparer as breast } from "../../../../src/competitions/rsna-breast-cancer-detection/prepare.ts";
import { preparer as covid } from "../../../../src/competitions/siim-covid19-detection/prepare.ts";
import { read, workshop } from "./workshop.ts";

async function prepared(preparer: Preparer, raw: Record<string, string>, settings: Settings) {
  const { preparation, out } = workshop(raw);
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out, settings });
  return { outcome, text: (file: string) => read(join(out, file)) };
}

const SPINES = {
  "train.csv":
    "StudyInstanceUID,patient_overall,C1,C2,C3,C4,C5,C6,C7\ns1,1,0,,0,0,0,0,1\ns2,0,0,0,0,0,0,0,0\ns3,1,1,1,0,0,0,0,0\n",
  "train_bounding_boxes.csv": "StudyInstanceUID,x\ns2,1\n",
  "segmentations/s3.nii": "",
  "train_images/s1/1.dcm": "",
  "train_images/s2/1.dcm": "",
  "train_images/s3/1.dcm": "",
};

test("a gap in one label makes floats of all labels below one another", async () => {
  const { text } = await prepared(spine, SPINES, { train_size: 0.4 });
  expect(text("private/answers.csv").split("\n").slice(1, 7)).toEqual([
    "s1,patient_overall,1.0,s1_patient_overall",
    "s3,patient_overall,1.0,s3_patient_overall",
    "s1,C1,0.0,s1_C1",
    "s3,C1,1.0,s3_C1",
    "s1,C2,,s1_C2",
    "s3,C2,1.0,s3_C2",
  ]);
});

test("more studies than there are cannot be drawn", async () => {
  const { outcome } = await prepared(spine, SPINES, { train_size: 1.5 });
  expect(outcome).toMatchObject({ status: "failed", problem: { code: "SPLIT_IMPOSSIBLE" } });
});

test("a breast takes its first known diagnosis, and the mean leaves unknown ones out", async () => {
  const images = ["10,4,L,0", "9,1,L,", "9,2,L,1", "9,3,R,", "12,8,L,1", "11,5,R,1", "11,6,R,0", "11,7,L,"];
  const rows = images.map((image) => `1,CC,50,0,1,${image}\n`);
  const files = images.map((image) => image.split(",")).map(([patient, id]) => `${patient}/${id}.dcm`);
  const { text } = await prepared(
    breast,
    {
      "train.csv": `site_id,view,age,implant,machine_id,patient_id,image_id,laterality,cancer\n${rows.join("")}`,
      ...Object.fromEntries(files.map((file) => [`train_images/${file}`, ""])),
    },
    { test_size: 0.5 },
  );
  expect(text("private/answers.csv")).toBe("prediction_id,cancer\n11_L,\n11_R,1.0\n9_L,1.0\n9_R,\n");
  expect(text("public/sample_submission.csv")).toBe(
    "prediction_id,cancer\n11_L,0.5\n11_R,0.5\n9_L,0.5\n9_R,0.5\n",
  );
});

test("an image without a study is in neither half", async () => {
  const none = "none 1 0 0 1 1";
  const { text } = await prepared(
    covid,
    {
      "train_study_level.csv":
        "id,Negative for Pneumonia,Typical Appearance,Indeterminate Appearance,Atypical Appearance\na_study,0,1,0,0\nb_study,1,0,0,0\n",
      "train_image_level.csv": `id,boxes,label,StudyInstanceUID\n3_image,,${none},a\n2_image,,${none},elsewhere\n1_image,,${none},b\n`,
      "train/a/s/i.dcm": "",
      "train/b/s/i.dcm": "",
    },
    { test_size: 0.5 },
  );
  expect(text("private/test.csv")).toBe(`id,PredictionString\nb_study,negative 1 0 0 1 1\n1_image,${none}\n`);
  expect(text("public/train_image_level.csv")).toBe(`id,boxes,label,StudyInstanceUID\n3_image,,${none},a\n`);
});

test("weeks without a measurement make floats of the answers only, and columns keep their raw order", async () => {
  const raw = {
    "train.csv": "FVC,Weeks,Patient,Sex\n10,0,a,M\n20,7,b,\n30,5,b,F\n",
    "train/a/1.dcm": "",
    "train/b/1.dcm": "",
  };
  const { text } = await prepared(lungs, raw, { test_size: 0.5 });
  expect(text("public/test.csv")).toBe("Patient,FVC,Weeks,Sex\nb,30,5,F\n");
  expect(text("private/test.csv")).toBe(
    "Patient,Weeks,FVC,Sex,Patient_Week,Confidence\nb,5,30.0,F,b_5,100\nb,6,,,b_6,100\nb,7,20.0,,b_7,100\n",
  );
});
