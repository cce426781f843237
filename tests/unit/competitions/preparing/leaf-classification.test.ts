import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeZip } from "../../../../src/archive/zip-writer.ts";
import { preparer } from "../../../../src/competitions/leaf-classification/prepare.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { workshop } from "./workshop.ts";

test("two rows may share an image", async () => {
  const { preparation, out } = workshop();
  const table = Buffer.from("id,species,margin1\n1,Acer_Mono,0.5\n2,Acer_Rubrum,0.25\n1,Acer_Mono,0.5\n");
  const images = ["1", "2"].map((id) => {
    return { name: `images/${id}.jpg`, content: "bytes", bytes: Buffer.from(id) } as const;
  });
  await writeZip(
    join(preparation.raw, "train.csv.zip"),
    [{ name: "train.csv", content: "bytes", bytes: table }],
    "deflate",
  );
  await writeZip(join(preparation.raw, "images.zip"), images, "deflate");
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out });
  expect(outcome).toEqual({ status: "prepared", warnings: [] });
  expect(fs.readdirSync(join(out, "public/images")).sort()).toEqual(["1.jpg", "2.jpg"]);
});
