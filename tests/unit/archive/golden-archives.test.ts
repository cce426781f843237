import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { extractArchive } from "../../../src/archive/extract.ts";
import { goldenCase } from "../formats/scratch.ts";
import { scratchFolder, tree } from "./scratch.ts";

const scratch = scratchFolder();

test.each([
  ["invasive-species-monitoring", "7z"],
  ["statoil-iceberg-classifier-challenge", "7z"],
  ["tensorflow-speech-recognition-challenge", "7z"],
  ["inaturalist-2019-fgvc6", "gz"],
  ["multi-modal-gesture-recognition", "gz"],
  ["aerial-cactus-identification", "zip"],
])(
  "the nested archives of %s (%s) are extracted with nothing refused but stand-ins",
  async (id, extension) => {
    const golden = await goldenCase(id, scratch);
    const nested = readdirSync(golden.raw).filter((name) => name.endsWith(`.${extension}`));
    const outcomes = await Promise.all(
      nested.map((name) => extractArchive(join(golden.raw, name), join(scratch, `${id}-out`, name))),
    );
    const good = outcomes.filter((outcome) => outcome.status === "extracted");
    expect(good.length).toBeGreaterThan(0);
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.status === "refused")
        expect(readFileSync(join(golden.raw, nested[i])).length).toBeLessThan(60);
    }
  },
);

test("the commands of the golden speech data come out with the recorded bytes", async () => {
  const golden = await goldenCase("tensorflow-speech-recognition-challenge", scratch);
  const target = join(scratch, "speech");
  const outcome = await extractArchive(join(golden.raw, "train.7z"), target);
  expect(outcome).toMatchObject({ status: "extracted", format: "7z" });
  const md5 = (text: string) => createHash("md5").update(text, "latin1").digest("hex");
  const found = new Set(Object.values(tree(target)).map(md5));
  const recorded = Object.entries(golden.expected.public).filter(([path]) => path.endsWith(".wav"));
  expect(recorded.length).toBeGreaterThan(10);
  for (const [, { md5: expected }] of recorded) expect(found).toContain(expected);
});
