import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeSevenZip } from "../../../../src/archive/seven-zip.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { preparer } from "../../../../src/competitions/statoil-iceberg-classifier-challenge/prepare.ts";
import { read, workshop } from "./workshop.ts";

async function prepared(version: "v1" | "v2", test: object[]) {
  const { preparation, root, out } = workshop();
  const train = Array.from({ length: 10 }, (_, i) => ({ id: `i${i}`, band_1: [0.5], is_iceberg: i % 2 }));
  const folder = join(root, "data/processed");
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, images] of Object.entries({ "train.json": train, "test.json": test })) {
    fs.writeFileSync(join(folder, name), JSON.stringify(images));
    await writeSevenZip(join(preparation.raw, `${name}.7z`), root, [`data/processed/${name}`]);
  }
  return { outcome: await runPreparer({ preparer, raw: preparation.raw, out, version }), out };
}

test("only version v2 shows the sample submission to the agent as a plain file", async () => {
  const [v1, v2] = await Promise.all(
    (["v1", "v2"] as const).map((version) => prepared(version, [{ id: "x", band_1: [1] }])),
  );
  expect(fs.readdirSync(join(v1.out, "public"))).not.toContain("sample_submission.csv");
  expect(read(v2.out, "public/sample_submission.csv")).toBe("id,is_iceberg\ni2,0.5\ni8,0.5\n");
  expect(read(v2.out, "private/test.csv")).toBe(read(v1.out, "private/test.csv"));
});

test("an empty original test set is refused, since nothing tells which members may be shown", async () => {
  const { outcome } = await prepared("v1", []);
  expect(outcome).toMatchObject({ status: "failed", problem: { code: "RAW_MALFORMED", file: "test.json" } });
});
