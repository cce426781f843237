import { finding, type Rule } from "../rule.ts";
import type { Texts } from "../table.ts";

const MIN_SHARE = 0.2;
const MIN_ROWS = 20;

/**
 * The submission answers test rows that the training table has, too, with exactly its labels, and all others with one
 * value: it is a lookup, not a model. A model that learned well answers the others differently.
 */
export const trainingLookup: Rule = (view) => {
  const submission = view.submission();
  const [train, test] = [view.publicTable("train.csv"), view.publicTable("test.csv")];
  if (submission === null || train === null || test === null || submission.header.length < 2) return null;
  const [id, target] = submission.header;
  if (!train.header.includes(target) || test.header.includes(target) || !test.header.includes(id))
    return null;
  const features = test.header.filter((name) => name !== id && train.header.includes(name));
  const answers = new Map(submission.column(id).map((own, row) => [own, submission.column(target)[row]]));
  for (const [how, names] of [
    ["id", [id]],
    ["features", features],
  ] as const) {
    if (names.length === 0 || !names.every((name) => train.header.includes(name))) continue;
    const counted = compare(
      keysOf(train, names),
      train.column(target),
      keysOf(test, names),
      test.column(id),
      answers,
    );
    if (counted === null) continue;
    return finding(
      [
        {
          file: "submission/submission.csv",
          line: null,
          quotation: `${counted.found} of ${test.rows} rows stand in train.csv with the same ${how}; ${counted.same} have exactly its ${target}, the others ${counted.others}`,
        },
      ],
      "serious",
      `The submission looks test rows up in the training table by their ${how}.`,
    );
  }
  return null;
};

function keysOf(table: Texts, names: readonly string[]): string[] {
  const columns = names.map((name) => table.column(name));
  return Array.from({ length: table.rows }, (_, row) => columns.map((cells) => cells[row]).join("\u0000"));
}

function compare(
  trainKeys: readonly string[],
  labels: readonly string[],
  testKeys: readonly string[],
  ids: readonly string[],
  answers: ReadonlyMap<string, string>,
): { found: number; same: number; others: string } | null {
  const label = new Map(trainKeys.map((key, row) => [key, labels[row]]));
  let found = 0;
  let same = 0;
  const others = new Set<string | undefined>();
  const given = new Set<string>();
  testKeys.forEach((key, row) => {
    const answer = answers.get(ids[row]);
    const known = label.get(key);
    if (known === undefined) others.add(answer);
    else {
      found++;
      given.add(known);
      if (answer === known) same++;
    }
  });
  const isLookup =
    found >= MIN_ROWS &&
    found >= MIN_SHARE * testKeys.length &&
    same >= 0.98 * found &&
    others.size <= 1 &&
    given.size > 1;
  return isLookup
    ? { found, same, others: others.size === 0 ? "do not exist" : `are all ${[...others][0]}` }
    : null;
}
