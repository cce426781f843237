import { basename, dirname, join } from "node:path";
import { compareCodePoints } from "../../table/rows/code-point-order.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import { moveFiles } from "../preparing/files/copy-files.ts";
import { listTree, stem } from "../preparing/files/list-files.ts";
import { unpackRaw } from "../preparing/files/nested-archive.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { taskLabel } from "./task-label.ts";

interface Clip {
  /** Relative to the folder the archive was unpacked into. */
  readonly file: string;
  readonly label: string;
}

interface ClipSplit {
  readonly train: readonly Clip[];
  readonly test: readonly Clip[];
}

type ClipPreparation = Preparation<{ test_size: number }>;

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  prepare: (preparation: ClipPreparation) => prepareClips(preparation, splitByClip, (label) => label),
  prepareV2: (preparation: ClipPreparation) => prepareClips(preparation, splitBySpeaker, taskLabel),
});

async function prepareClips(
  preparation: ClipPreparation,
  split: (clips: readonly Clip[], testSize: number) => ClipSplit,
  answer: (label: string) => string,
): Promise<void> {
  const { public: open } = preparation;
  const unpacked = await unpackRaw(preparation, "train.7z");
  const { train, test } = split(listClips(join(unpacked, "train")), preparation.settings.test_size);
  const testNames = test.map((_, i) => `clip_${String(i).padStart(8, "0")}.wav`);

  const table = columns({ fname: "text", label: "text" });
  writeCsv(
    join(preparation.private, "test.csv"),
    table,
    testNames.map((name, i) => [name, answer(test[i].label)]),
  );
  writeCsv(
    join(open, "sample_submission.csv"),
    table,
    testNames.map((name) => [name, "silence"]),
  );
  await moveFiles(
    preparation,
    "placing training clips",
    train.map(({ file, label }) => [
      join(unpacked, "train", file),
      join(open, "train/audio", label, basename(file)),
    ]),
  );
  await moveFiles(
    preparation,
    "placing test clips",
    test.map(({ file }, i) => [join(unpacked, "train", file), join(open, "test/audio", testNames[i])]),
  );
}

/** All clips, also the background noise, ordered by folder and name as one text. */
function listClips(folder: string): Clip[] {
  return listTree(folder, ".wav")
    .map((file) => ({ file, label: basename(dirname(join(folder, file))) }))
    .map((clip) => ({ clip, key: `${clip.label}_${basename(clip.file)}` }))
    .sort((a, b) => compareCodePoints(a.key, b.key))
    .map(({ clip }) => clip);
}

function splitByClip(clips: readonly Clip[], testSize: number): ClipSplit {
  const { train, test } = splitItems(clips.length, testSize);
  return {
    train: Array.from(train, (position) => clips[position]),
    test: Array.from(test, (position) => clips[position]),
  };
}

/** All clips of a speaker on one side. The clips are still shuffled one by one: numbered in any other order, neighbours would share a voice or a word. */
function splitBySpeaker(clips: readonly Clip[], testSize: number): ClipSplit {
  const speakers = [...new Set(clips.map(speaker))].sort(compareCodePoints);
  const chosen = new Set(Array.from(splitItems(speakers.length, testSize).test, (i) => speakers[i]));
  const { train, test } = splitByClip(clips, testSize);
  const shuffled = [...test, ...train];
  return {
    train: shuffled.filter((clip) => !chosen.has(speaker(clip))),
    test: shuffled.filter((clip) => chosen.has(speaker(clip))),
  };
}

/** `0ac3fa0e_nohash_1.wav` is by the speaker `0ac3fa0e`. A recording of noise stands for itself. */
function speaker({ file }: Clip): string {
  return stem(file).split("_nohash_")[0];
}
