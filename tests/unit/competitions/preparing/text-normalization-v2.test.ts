import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeZip } from "../../../../src/archive/zip-writer.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { splitSentences } from "../../../../src/competitions/preparing/splits/split-sentences.ts";
import { read, workshop } from "./workshop.ts";

async function prepared(version: "v1" | "v2"): Promise<string> {
  const { preparation, out } = workshop();
  const rows = Array.from({ length: 40 }, (_, i) => `${i >> 1},${i % 2},"PLAIN","w${i}","NA"\n`);
  const bytes = Buffer.from(`"sentence_id","token_id","class","before","after"\n${rows.join("")}`);
  const entry = { name: "ru_train.csv", content: "bytes", bytes } as const;
  await writeZip(join(preparation.raw, "ru_train.csv.zip"), [entry], "deflate");
  const preparer = splitSentences("ru");
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out, version });
  expect(outcome).toEqual({ status: "prepared", warnings: [] });
  return out;
}

test("only version v2 shows the sample submission to the agent as a plain file", async () => {
  const [v1, v2] = [await prepared("v1"), await prepared("v2")];
  expect(fs.readdirSync(join(v1, "public"))).not.toContain("sample_submission.csv");
  const sample = read(v2, "private/sample_submission.csv");
  expect(sample).toMatch(/^"id","after"\n"0_0","w\d+"\n"0_1","w\d+"\n"1_0",/);
  expect(read(v2, "public/sample_submission.csv")).toBe(sample);
});

test("a token spelled like a missing value is empty in the answers", async () => {
  expect(read(await prepared("v1"), "private/answers.csv")).toMatch(/^"id","after"\n("\d_\d",""\n){4}$/);
});
