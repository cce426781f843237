import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeZip } from "../../../../src/archive/zip-writer.ts";
import { preparer } from "../../../../src/competitions/billion-word-imputation/prepare.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { read, workshop } from "./workshop.ts";

async function prepared(version: "v1" | "v2") {
  const { preparation, out } = workshop();
  const text = Array.from({ length: 50 }, (_, i) => `The sentence "${i}" is here .\n`).join("");
  const entry = { name: "train_v2.txt", content: "bytes", bytes: Buffer.from(text) } as const;
  await writeZip(join(preparation.raw, "train_v2.txt.zip"), [entry], "deflate");
  const settings = { test_size: 0.5 };
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out, version, settings });
  return { outcome, out };
}

test("only version v2 shows the sample submission to the agent", async () => {
  const v1 = await prepared("v1");
  const v2 = await prepared("v2");
  expect(fs.readdirSync(join(v1.out, "public"))).not.toContain("sample_submission.csv");
  const sample = read(v2.out, "private/sample_submission.csv");
  expect(sample.split("\n").length).toBeGreaterThan(10);
  expect(read(v2.out, "public/sample_submission.csv")).toBe(sample);
  expect(read(v1.out, "private/test.csv")).toBe(read(v2.out, "private/test.csv"));
});

test("a number of lines that is not the official one is a warning", async () => {
  const { outcome } = await prepared("v1");
  expect(outcome).toMatchObject({ status: "prepared", warnings: [expect.stringContaining("50 lines")] });
});
