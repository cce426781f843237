import type { TableFacts } from "./reading/table-file.ts";

/** How much of the tables is held, so that the whole agent stays below its limit. Sizes alone decide. */
export interface MemoryPlan {
  readonly trainRows: number;
  /** The first so many columns of the test are read. */
  readonly testColumns: number;
  /** Test rows that are described at a time. */
  readonly blockRows: number;
  /** For the scaled columns of the training rows, and once more for those that a fold learns from. */
  readonly linearBytes: number;
  /** For models and for the predictions of all candidates. */
  readonly modelBytes: number;
}

const LIMIT_IF_NONE_IS_GIVEN = 2 * 2 ** 30;
/** Node itself, the program, and what waits for the garbage collector. */
const OWN_BYTES = 130 * 2 ** 20;
const USED_SHARE = 0.7;
const SHARES = { test: 0.3, block: 0.07, linear: 0.15, models: 0.23 };
/** A cell as it was read. */
const PER_CELL = 9;
/** A cell as a number and in the bins of each fold. */
const PER_DESCRIBED_CELL = 16;
/** A byte of text with its n-grams, weighted, and once more for a fold. */
const PER_TEXT_BYTE = 140;
/** More rows make these learners slower and hardly better. */
const MAX_CELLS = 6e6;
const MIN_ROWS = 200;

export function planMemory(
  limitBytes: number,
  train: TableFacts | null,
  test: TableFacts | null,
  askedRows: number,
): MemoryPlan {
  const limit = limitBytes > 0 ? limitBytes : LIMIT_IF_NONE_IS_GIVEN;
  const rest = Math.max(2 ** 25, USED_SHARE * limit - OWN_BYTES);
  const columns = Math.max(1, train?.header.length ?? 1);
  const texts = train?.textBytes ?? 0;
  const described = PER_DESCRIBED_CELL * columns + PER_TEXT_BYTE * texts;
  const testWidth = test?.header.length ?? 0;
  const testBytes = (PER_CELL * testWidth + (test?.textBytes ?? 0)) * (test?.rows ?? 0);
  const heldOfTest = Math.min(SHARES.test * rest, testBytes);
  const forTrain = (1 - SHARES.block - SHARES.linear - SHARES.models) * rest - heldOfTest;
  const trainRows = Math.min(forTrain / (PER_CELL * columns + texts + described), MAX_CELLS / columns);
  const blockRows = (SHARES.block * rest) / (2 * described);
  return {
    trainRows: Math.max(MIN_ROWS, Math.floor(trainRows)),
    testColumns: testBytes === 0 ? testWidth : Math.max(2, Math.floor((testWidth * heldOfTest) / testBytes)),
    blockRows: Math.max(MIN_ROWS, Math.min(askedRows, Math.floor(blockRows))),
    linearBytes: SHARES.linear * rest,
    modelBytes: SHARES.models * rest,
  };
}
