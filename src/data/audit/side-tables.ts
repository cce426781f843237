import path from "node:path";
import type { AuditContext, Skipped } from "./audit-context.ts";
import type { Finding } from "./audit-schema.ts";
import type { PublicFile } from "./reading/public-files.ts";
import { rereadRows, type TableView } from "./reading/table-view.ts";

const COVERED = 0.95;
const MIN_KEYS = 3;

/** How much of train and test a side table knows, by one key. */
interface Coverage {
  source: string;
  key: string;
  train: number;
  test: number;
  testKeys: number;
  missing: string;
}

/**
 * Side tables, and folders of one file per key, that cover the train set but not the test set. If another source
 * with the same key covers both, one that knows train alone is taken for an extra of training, and only warned about.
 */
export function findUncoveredTests(context: AuditContext): Finding[] | Skipped {
  const train = context.tables.filter(({ role }) => role === "train");
  const test = context.tables.filter(({ role }) => role === "test");
  if (train.length === 0 || test.length === 0)
    return { skipped: "there are no two tables of train and test" };
  const sides = context.tables.filter(({ role, file }) => role === "side" && file.side === null);
  const findings: Finding[] = [];
  for (const key of sharedKeys(train, test, context)) {
    const trainKeys = valuesOf(train, key);
    const testKeys = valuesOf(test, key);
    if (trainKeys.size < MIN_KEYS || testKeys.size === 0 || isCoarse(trainKeys, testKeys)) continue;
    const coverages = [
      ...sides.flatMap((side) => tableCoverage(side, key, trainKeys, testKeys, context)),
      ...folderCoverages(context.files, key, trainKeys, testKeys),
    ];
    const complete = coverages.some(({ train, test }) => train >= COVERED && test >= COVERED);
    for (const coverage of coverages) {
      if (coverage.train < COVERED || coverage.test >= COVERED) continue;
      findings.push(coverageFinding(coverage, complete && coverage.test === 0));
    }
  }
  return findings;
}

/** Keys name things: numbers with a fraction and the target do not. */
function sharedKeys(train: TableView[], test: TableView[], { loaded }: AuditContext): string[] {
  const { target } = loaded.competition.columns;
  const inTest = new Set(test.flatMap(({ columns }) => columns));
  return [...new Set(train.flatMap(({ columns }) => columns))].filter(
    (name) => inTest.has(name) && !target.includes(name),
  );
}

/** Few values that train and test share are categories, not keys. */
function isCoarse(trainKeys: Set<string>, testKeys: Set<string>): boolean {
  return (
    [...testKeys].every((key) => trainKeys.has(key)) ||
    [...testKeys].some((key) => /^[+-]?\d*\.\d+$/.test(key))
  );
}

function valuesOf(views: readonly TableView[], column: string): Set<string> {
  const values = new Set<string>();
  for (const { columns, sample } of views) {
    const at = columns.indexOf(column);
    if (at >= 0) for (const { cells } of sample) values.add(cells[at]);
  }
  return values;
}

function tableCoverage(
  side: TableView,
  key: string,
  trainKeys: Set<string>,
  testKeys: Set<string>,
  { limits }: AuditContext,
): Coverage[] {
  const at = side.columns.indexOf(key);
  if (at < 0) return [];
  const found = new Set<string>();
  rereadRows(side, limits, (cells) => {
    if (trainKeys.has(cells[at]) || testKeys.has(cells[at])) found.add(cells[at]);
    return true;
  });
  return [coverage(side.file.path, key, trainKeys, testKeys, found)];
}

function folderCoverages(
  files: readonly PublicFile[],
  key: string,
  trainKeys: Set<string>,
  testKeys: Set<string>,
): Coverage[] {
  const folders = new Map<string, Set<string>>();
  for (const file of files) {
    const [top] = file.path.split("/", 1);
    if (file.side !== null || top === file.path) continue;
    const stem = path.basename(file.path).replace(/\.[^.]*$/, "");
    if (!trainKeys.has(stem) && !testKeys.has(stem)) continue;
    const found = folders.get(top);
    if (found === undefined) folders.set(top, new Set([stem]));
    else found.add(stem);
  }
  return [...folders].map(([folder, found]) => coverage(`${folder}/`, key, trainKeys, testKeys, found));
}

function coverage(
  source: string,
  key: string,
  trainKeys: Set<string>,
  testKeys: Set<string>,
  found: Set<string>,
): Coverage {
  const share = (keys: Set<string>) => [...keys].filter((value) => found.has(value)).length / keys.size;
  const missing = [...testKeys].find((value) => !found.has(value)) ?? "";
  return { source, key, train: share(trainKeys), test: share(testKeys), testKeys: testKeys.size, missing };
}

function coverageFinding({ source, key, train, test, testKeys, missing }: Coverage, extra: boolean): Finding {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  return {
    check: "side-tables",
    severity: extra ? "warning" : "defect",
    file: source,
    evidence: {
      what: `it has ${percent(train)} of train's "${key}" and ${percent(test)} of test's (${testKeys}; ${missing} is missing)`,
      column: key,
      figure: test,
      measuredOn: testKeys,
    },
    message: `${source} covers the train set but not the test set.`,
    nextStep: `Include the rows or files of the test set's "${key}" when preparing${extra ? ", unless they are meant for training alone" : ""}.`,
  };
}
