import { expect, test } from "vitest";
import { preparer } from "../../../../src/competitions/freesound-audio-tagging-2019/prepare.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { read, workshop } from "./workshop.ts";

test("without the labels that Kaggle does not have, the message says where to get them", async () => {
  const { preparation, out } = workshop({ "sample_submission.csv": "fname\n" });
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out });
  expect(outcome).toMatchObject({
    status: "failed",
    problem: {
      code: "RAW_FILE_MISSING",
      file: "FSDKaggle2019.meta.zip",
      next: expect.stringContaining("zenodo.org/records/3612637"),
    },
  });
});

test("labels that were unpacked by hand serve as well and stay out of the public folder", async () => {
  const { preparation, out } = workshop({
    "sample_submission.csv": "fname\na.wav\n",
    "FSDKaggle2019.meta/test_post_competition.csv":
      'fname,labels,usage\na.wav,"Bark,Zipper_(clothing)",Private\nb.wav,Bark,Public\n',
  });
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out });
  expect(outcome).toMatchObject({ status: "prepared", warnings: [expect.stringContaining("columns")] });
  const [, row, end] = read(out, "private/test.csv").split("\n");
  expect(row).toMatch(/^a\.wav(,0){4},1,.*,1$/);
  expect(end).toBe("");
  expect(() => read(out, "public/FSDKaggle2019.meta/test_post_competition.csv")).toThrow();
});
