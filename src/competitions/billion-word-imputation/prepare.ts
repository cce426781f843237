import fs from "node:fs";
import { join } from "node:path";
import { nextDouble } from "../../random/mt19937.ts";
import { randint, randomState } from "../../random/numpy-legacy.ts";
import { createChunkedFile } from "../../table/csv/chunked-file.ts";
import { strip, words } from "../../table/python-text.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import { packZip, unpackRaw } from "../preparing/files/nested-archive.ts";
import { publishSample } from "../preparing/files/publish-sample.ts";
import { pause } from "../preparing/pause.ts";
import { readUniversalLines } from "./universal-lines.ts";

const OFFICIAL_LINES = 30_301_028;
const PAUSE_EVERY = 20_000;
const HEADER = '"id","sentence"\n';
const SAMPLE = "sample_submission.csv";

type SentencePreparation = Preparation<{ test_size: number }>;

export const preparer = definePreparer({
  /** The chance of each line to become a test sentence. */
  settings: { test_size: 0.01 },
  prepare: prepareSentences,
  async prepareV2(preparation: SentencePreparation) {
    await prepareSentences(preparation);
    await publishSample(preparation);
  },
});

async function prepareSentences(preparation: SentencePreparation): Promise<void> {
  const { scratch, public: open } = preparation;
  const unpacked = await unpackRaw(preparation, "train_v2.txt.zip", "unpacked");
  const train = join(scratch, "train_v2.txt");
  const test = join(preparation.private, SAMPLE);
  const lines = await splitLines(preparation, join(unpacked, "train_v2.txt"), train, test);
  if (lines !== OFFICIAL_LINES)
    preparation.warn(`train_v2.txt has ${lines} lines; the official data have ${OFFICIAL_LINES}`);
  await packZip(preparation, join(open, "train_v2.txt.zip"), [["train_v2.txt", train]]);
  await packZip(preparation, join(open, "test_v2.txt.zip"), [["test_v2.txt", test]]);
}

/** Every line costs a draw, also one too short to be a test sentence; which word goes is drawn right after. Returns the number of lines used. */
async function splitLines(
  preparation: SentencePreparation,
  source: string,
  trainFile: string,
  testFile: string,
): Promise<number> {
  const generator = randomState(0);
  const total = fs.statSync(source).size;
  const train = createChunkedFile(trainFile);
  const gapped = createChunkedFile(testFile);
  const answers = createChunkedFile(join(preparation.private, "test.csv"));
  let lines = 0;
  let id = 0;
  try {
    gapped.write(HEADER);
    answers.write(HEADER);
    for (const { bytes, offset } of readUniversalLines(source)) {
      if (lines === OFFICIAL_LINES) break;
      const drawn = nextDouble(generator) <= preparation.settings.test_size;
      const text = drawn ? strip(bytes.toString("utf8")).replaceAll('"', '""') : "";
      const parts = words(text);
      if (parts.length > 2) {
        const gap = randint(generator, 1, parts.length - 1);
        answers.write(`${id},"${text}"\n`);
        gapped.write(`${id},"${parts.toSpliced(gap, 1).join(" ")}"\n`);
        id++;
      } else {
        train.writeBytes(bytes);
      }
      if (++lines % PAUSE_EVERY === 0) {
        preparation.progress({ what: "splitting sentences", done: offset, total, unit: "bytes" });
        await pause(preparation);
      }
    }
  } finally {
    for (const file of [train, gapped, answers]) file.close();
  }
  return lines;
}
