import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeSevenZip } from "../../../../src/archive/seven-zip.ts";
import { listTree } from "../../../../src/competitions/preparing/files/list-files.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { preparer } from "../../../../src/competitions/tensorflow-speech-recognition-challenge/prepare.ts";
import { read, workshop } from "./workshop.ts";

const WORDS = ["yes", "no", "bed", "marvin"];
const SPEAKERS = Array.from({ length: 12 }, (_, i) => `000000${i + 10}`);

/** Every clip says who speaks which word. */
async function prepared(version: "v1" | "v2", testSize = 0.3) {
  const { preparation, root, out } = workshop();
  const clips = WORDS.flatMap((word) => SPEAKERS.map((speaker) => [word, `${speaker}_nohash_0`]));
  for (const [word, name] of [...clips, ["_background_noise_", "tap"], ["_background_noise_", "rain"]]) {
    fs.mkdirSync(join(root, "train/audio", word), { recursive: true });
    fs.writeFileSync(join(root, "train/audio", word, `${name}.wav`), `${word} ${name.split("_")[0]}`);
  }
  await writeSevenZip(join(preparation.raw, "train.7z"), root, ["train"]);
  const settings = { test_size: testSize };
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out, version, settings });
  expect(outcome).toEqual({ status: "prepared", warnings: [] });
  const contents = (side: string) =>
    listTree(join(out, "public", side), ".wav").map((file) => read(out, "public", side, file).split(" "));
  const answers = read(out, "private/test.csv")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((row) => row.split(",")[1]);
  return { train: contents("train"), test: contents("test"), answers };
}

test("no speaker of the test set of version v2 is heard in training, unlike in version v1", async () => {
  const shared = ({ train, test }: { train: string[][]; test: string[][] }) =>
    test.filter(([, speaker]) => train.some(([, other]) => other === speaker));
  expect(shared(await prepared("v1"))).not.toEqual([]);
  const v2 = await prepared("v2");
  expect(shared(v2)).toEqual([]);
  expect(v2.train.length + v2.test.length).toBe(WORDS.length * SPEAKERS.length + 2);
});

test("the answers of version v2 are the classes of the task", async () => {
  const classes = new Map([
    ["yes", "yes"],
    ["no", "no"],
    ["_background_noise_", "silence"],
  ]);
  const { test: clips, answers } = await prepared("v2", 0.9);
  expect(answers).toEqual(clips.map(([word]) => classes.get(word) ?? "unknown"));
  expect(new Set(answers)).toEqual(new Set(["yes", "no", "silence", "unknown"]));
});

test("test clips of version v2 are numbered in no order of words or speakers", async () => {
  const { test: clips } = await prepared("v2", 0.9);
  const repeats = (part: number) => clips.filter((clip, i) => i > 0 && clip[part] === clips[i - 1][part]);
  expect(repeats(0).length).toBeLessThan(clips.length / 2);
  expect(repeats(1).length).toBeLessThan(clips.length / 2);
});
