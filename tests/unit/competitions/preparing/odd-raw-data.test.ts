import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { extractArchive } from "../../../../src/archive/extract.ts";
import { writeZip } from "../../../../src/archive/zip-writer.ts";
import { preparer as vehicles } from "../../../../src/competitions/3d-object-detection-for-autonomous-vehicles/prepare.ts";
import { preparer as notebooks } from "../../../../src/competitions/AI4Code/prepare.ts";
import { preparer as cacti } from "../../../../src/competitions/aerial-cactus-identification/prepare.ts";
import { preparer as molecules } from "../../../../src/competitions/bms-molecular-translation/prepare.ts";
import { preparer as couplings } from "../../../../src/competitions/champs-scalar-coupling/prepare.ts";
import { preparer as quest } from "../../../../src/competitions/google-quest-challenge/prepare.ts";
import { TARGETS } from "../../../../src/competitions/google-quest-challenge/targets.ts";
import { preparer as purchases } from "../../../../src/competitions/h-and-m-personalized-fashion-recommendations/prepare.ts";
import type { Preparer, Settings } from "../../../../src/competitions/preparer.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { read, workshop } from "./workshop.ts";

async function prepare(preparer: Preparer, raw: Record<string, string>, settings: Settings = {}) {
  const { preparation, out } = workshop(raw);
  return { out, outcome: await runPreparer({ preparer, raw: preparation.raw, out, settings }) };
}

describe("raw data that pandas and Python take in their own way", () => {
  test("customers that are numbers are ordered by value", async () => {
    const { out } = await prepare(purchases, {
      "transactions_train.csv":
        "t_dat,customer_id,article_id,price,sales_channel_id\n" +
        "2020-01-01,9,0001,0.5,1\n2020-01-31,10,0002,0.5,1\n2020-01-31,9,0003,0.5,1\n2020-01-31,-1,0004,0.5,1\n",
      "articles.csv": "",
      "customers.csv": "",
      "sample_submission.csv": "",
      "images/a.jpg": "",
    });
    expect(read(out, "private/answers.csv")).toBe("customer_id,prediction\n-1,4\n9,3\n10,2\n");
  });

  test("molecules that are numbers are ordered by value before they are split", async () => {
    const names = [10, 9, 100, 2, 30];
    const table = (column: string) =>
      `molecule_name,${column}\n${names.map((name) => `${name},0.5\n`).join("")}`;
    const { out } = await prepare(couplings, {
      "train.csv": `id,molecule_name,scalar_coupling_constant\n${names.map((name, id) => `${id},${name},0.5\n`).join("")}`,
      "structures.csv": table("x"),
      "dipole_moments.csv": table("X"),
      "magnetic_shielding_tensors.csv": table("XX"),
      "mulliken_charges.csv": table("mulliken_charge"),
      "potential_energy.csv": table("potential_energy"),
      "scalar_coupling_contributions.csv": table("fc"),
      ...Object.fromEntries(names.map((name) => [`structures/${name}.xyz`, ""])),
    });
    // Of five groups in order, the third is drawn for test: 10 by value, 2 as texts.
    expect(read(out, "public/test.csv")).toBe("id,molecule_name\n0,10\n");
  });

  test("a single test question gets the first of the rising scores", async () => {
    const rows = [0, 1, 2].map((id) => `${id},${TARGETS.map((_, i) => (id + i) / 2).join(",")}\n`);
    const { out } = await prepare(quest, {
      "train.csv": `qa_id,${TARGETS.join(",")}\n${rows.join("")}`,
    });
    expect(read(out, "public/sample_submission.csv").split("\n")[1]).toMatch(/^\d(,0\.0){30}$/);
  });

  test("the folders of an image are the characters of its id, also beyond the BMP", async () => {
    const ids = ["😀éab", "abcd"];
    const { out, outcome } = await prepare(
      molecules,
      {
        "train_labels.csv": `image_id,InChI\n${ids.map((id) => `${id},x\n`).join("")}`,
        "extra_approved_InChIs.csv": "InChI\n",
        "train/😀/é/a/😀éab.png": "",
        "train/a/b/c/abcd.png": "",
      },
      { test_size: 0.5 },
    );
    expect(outcome).toMatchObject({ status: "prepared" });
    const images = ["train", "test"].flatMap((half) =>
      readdirSync(join(out, "public", half), { recursive: true, encoding: "utf8" }),
    );
    expect(images).toEqual(expect.arrayContaining(["😀/é/a/😀éab.png", "a/b/c/abcd.png"]));
  });

  test("a notebook listed twice takes two of the places in the test set", async () => {
    const ids = ["y", "z", "x", "x"];
    const { out } = await prepare(
      notebooks,
      {
        "train_ancestors.csv": `id,ancestor_id,parent_id\n${ids.map((id) => `${id},of ${id},\n`).join("")}`,
        "train_orders.csv": "id,cell_order\nx,c\ny,c\nz,c\n",
        ...Object.fromEntries(ids.map((id) => [`train/${id}.json`, '{"cell_type":{"c":"code"}}'])),
      },
      { test_size: 3 },
    );
    expect(read(out, "private/test_orders.csv")).toBe("id,cell_order\nx,c\nz,c\n");
  });

  test("an image listed twice is packed once", async () => {
    const { preparation, out } = workshop({
      "train.csv": "id,has_cactus\na.jpg,1\na.jpg,1\na.jpg,1\n",
      a: "",
    });
    const image = { name: "train/a.jpg", content: "file" as const, file: join(preparation.raw, "a") };
    await writeZip(join(preparation.raw, "train.zip"), [image], "store");
    await runPreparer({ preparer: cacti, raw: preparation.raw, out });
    // Extracting refuses an archive that has a name twice.
    const unpacked = await extractArchive(join(out, "public/train.zip"), join(out, "unpacked"));
    expect(unpacked).toMatchObject({ status: "extracted" });
  });

  test("a second map is a fault of the raw data and not of ours", async () => {
    const table = (...records: object[]) => JSON.stringify(records);
    const logs = ["a", "b", "c", "d", "e"].map((token) => ({ token, log_token: token, scene_token: token }));
    const { outcome } = await prepare(vehicles, {
      "train_data/log.json": table(...logs),
      "train_data/scene.json": table(...logs),
      "train_data/sample.json": table(...logs),
      "train_data/map.json": table({ token: "m" }, { token: "n" }),
    });
    expect(outcome).toMatchObject({ status: "failed", problem: { code: "RAW_MALFORMED" } });
  });
});
