import fs from "node:fs";
import { join } from "node:path";
import { type Mt19937, nextDouble } from "../../random/mt19937.ts";
import { pythonRandom, pythonShuffle } from "../../random/python-random.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import { waveFile } from "../preparing/files/wave-file.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { groupRows } from "../preparing/rows/row-choice.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { STARTER_SPLIT_SEED } from "../preparing/starter-seed.ts";
import { distorted, RATE } from "./clips.ts";

interface Recording {
  name: string;
  kit: string;
  kind: string;
  samples: Int16Array;
}

interface Clip {
  recording: number;
  label: number;
  wave: Buffer;
}

/**
 * Each recording is played several times, never twice the same way. No recording is in both halves, and one kit is in
 * the test half as a whole.
 */
export const preparer = definePreparer({
  settings: { clips: 6, held_out_kit: "drum", test_size: 0.25, split_seed: STARTER_SPLIT_SEED },
  async prepare(preparation) {
    const { settings, public: open } = preparation;
    const recordings = await readRecordings(preparation);
    const kinds = [...new Set(recordings.map(({ kind }) => kind))].sort();
    const isTest = testRecordings(recordings, settings);
    const generator = pythonRandom(settings.split_seed);
    for (const half of ["train", "test"] as const) {
      const clips = recordings.flatMap(({ kind, samples }, recording): Clip[] =>
        isTest.has(recording) === (half === "test")
          ? Array.from({ length: settings.clips }, () => ({
              recording,
              label: kinds.indexOf(kind),
              wave: waveFile(
                distorted(samples, () => nextDouble(generator)),
                RATE,
              ),
            }))
          : [],
      );
      pythonShuffle(generator, clips);
      const ids = clips.map((_, i) => `${half}${String(i + 1).padStart(4, "0")}`);
      fs.mkdirSync(join(open, half));
      for (const [i, { wave }] of clips.entries()) fs.writeFileSync(join(open, half, `${ids[i]}.wav`), wave);
      const labels = columns({ clip_id: "text", label: "int" });
      if (half === "test") {
        writeCsv(
          join(preparation.private, "test.csv"),
          labels,
          clips.map(({ label }, i) => [ids[i], label]),
        );
        writeCsv(
          join(open, "sample_submission.csv"),
          labels,
          ids.map((id) => [id, 0]),
        );
      } else {
        const number = recordingNumbers(clips, generator);
        writeCsv(
          join(open, "train.csv"),
          columns({ clip_id: "text", recording: "int", label: "int" }),
          clips.map(({ recording, label }, i) => [ids[i], number.get(recording), label]),
        );
      }
    }
    writeCsv(join(open, "labels.csv"), columns({ label: "int", kind: "text" }), kinds.entries());
  },
});

async function readRecordings(preparation: Preparation): Promise<Recording[]> {
  const csv = await openRawCsv(preparation, join(preparation.raw, "recordings.csv"));
  const found = readColumns(csv, ["recording", "kit", "kind", "offset", "length"]);
  const [names, kits, kinds] = found.slice(0, 3).map(plainTexts);
  const [offsets, lengths] = found.slice(3).map(({ numbers }) => numbers);
  const bytes = fs.readFileSync(join(preparation.raw, "recordings.pcm"));
  return names.map((name, row) => ({
    name,
    kit: kits[row],
    kind: kinds[row],
    samples: Int16Array.from({ length: lengths[row] }, (_, i) => bytes.readInt16LE(2 * (offsets[row] + i))),
  }));
}

function testRecordings(
  recordings: readonly Recording[],
  { held_out_kit, test_size, split_seed }: { held_out_kit: string; test_size: number; split_seed: number },
): Set<number> {
  const test = new Set<number>();
  for (const rows of groupRows(recordings.map(({ kind }) => kind)).values()) {
    const [heldOut, others] = [true, false].map((wanted) =>
      rows.filter((row) => (recordings[row].kit === held_out_kit) === wanted),
    );
    const drawn = Array.from(splitItems(others.length, test_size, split_seed).test, (i) => others[i]);
    for (const row of [...heldOut, ...drawn]) test.add(row);
  }
  return test;
}

/** The raw order is that of the kinds: numbers from it would tell the label of a recording. */
function recordingNumbers(clips: readonly Clip[], generator: Mt19937): Map<number, number> {
  const order = [...new Set(clips.map(({ recording }) => recording))];
  pythonShuffle(generator, order);
  return new Map(order.map((recording, i) => [recording, i + 1]));
}
