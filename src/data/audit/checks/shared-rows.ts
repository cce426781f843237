import type { AuditContext, Skipped } from "../audit-context.ts";
import type { Finding } from "../audit-schema.ts";
import { clipCell } from "../reading/plain-cell.ts";
import { rereadRows, type TableRow, type TableView } from "../reading/table-view.ts";

const LONG_TEXT = 20;
const A_FEW = 0.02;
const SOME = 3;

/**
 * Rows of a test table whose features all stand in a train table too. Tables of coarse values repeat themselves, so
 * the share is held against how often train repeats its own rows, which is what a random split gives.
 */
export function findSharedRows(context: AuditContext): Finding[] | Skipped {
  const { tables, loaded } = context;
  const { id, target } = loaded.competition.columns;
  const trains = tables.filter(
    ({ role, columns }) => role === "train" && [...id, ...target].some((name) => columns.includes(name)),
  );
  const tests = tables.filter(({ role, joined }) => role === "test" && joined.length > 0);
  if (trains.length === 0 || tests.length === 0)
    return { skipped: "there are no two tables of the items of train and test" };
  return trains.flatMap((train) =>
    tests.flatMap((test) => {
      const features = train.columns.filter(
        (name) => test.columns.includes(name) && !id.includes(name) && !target.includes(name),
      );
      return isDescriptive(features, test) ? compare(train, test, features, context) : [];
    }),
  );
}

/** One short value is not a description of an item: too many share it. */
function isDescriptive(features: string[], test: TableView): boolean {
  if (features.length !== 1) return features.length > 1;
  const at = test.columns.indexOf(features[0]);
  const length = test.sample.reduce((sum, { cells }) => sum + cells[at].length, 0);
  return length / Math.max(1, test.sample.length) >= LONG_TEXT;
}

function compare(train: TableView, test: TableView, features: string[], { limits }: AuditContext): Finding[] {
  const key = (view: TableView) => {
    const positions = features.map((name) => view.columns.indexOf(name));
    return ({ cells }: Pick<TableRow, "cells">) => positions.map((at) => clipCell(cells[at])).join("\u001f");
  };
  const wanted = new Set(test.sample.map(key(test)));
  const trainKey = key(train);
  const seen = new Map<string, number>(train.sample.map((row) => [trainKey(row), 0]));
  const found = new Map<string, number>();
  let number = 0;
  rereadRows(train, limits, (cells) => {
    number++;
    const features = trainKey({ cells });
    if (wanted.has(features) && !found.has(features)) found.set(features, number);
    const count = seen.get(features);
    if (count !== undefined) seen.set(features, count + 1);
    return true;
  });
  const testKey = key(test);
  const shared = test.sample.filter((row) => found.has(testKey(row)));
  const repeated =
    train.sample.filter((row) => seen.get(trainKey(row))! > 1).length / Math.max(1, train.sample.length);
  const share = shared.length / Math.max(1, test.sample.length);
  const beyondChance = repeated === 0 ? shared.length > 0 : shared.length >= SOME && share > 2 * repeated;
  if (!beyondChance) return [];
  const first = shared[0];
  return [
    {
      check: "shared-rows",
      severity: share >= A_FEW ? "leak" : "warning",
      file: test.file.path,
      evidence: {
        what: `${shared.length} of ${test.sample.length} test rows equal a row of ${train.file.path} in ${features.length} columns, the first in train's row ${found.get(testKey(first))}; train repeats ${(repeated * 100).toFixed(1)} % of its own rows`,
        row: first.number,
        figure: share,
        measuredOn: test.sample.length,
      },
      message: `Rows of the test set stand in ${train.file.path} with their answers.`,
      nextStep: "Remove the repeated rows before splitting, or split them as one group.",
    },
  ];
}
