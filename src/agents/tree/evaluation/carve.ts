import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../../files/make-folder.ts";
import { seededRandom, shuffledOrder } from "../../../learning/seeded-random.ts";
import { findSamples } from "../../sample/find-sample.ts";
import type { Guarded } from "../execution/attempt.ts";
import { lookOfFolder } from "../execution/look.ts";
import { type Rows, readRows, writeRows } from "./table.ts";
import type { Scoring, TaskFacts } from "./task.ts";

/** The truth of the rows that were taken out of the training table, by their ids. */
export interface Hidden {
  /** Guide the search. */
  search: Map<string, readonly string[]>;
  /** Only choose the end. */
  choice: Map<string, readonly string[]>;
}

export interface Carved extends Guarded {
  /** The data as scripts see them: fewer training rows, more rows to predict. */
  folder: string;
  hidden: Hidden;
  scoring: Scoring;
  sample: Rows;
}

export type CarveOutcome = { status: "carved"; carved: Carved } | { status: "not carved"; why: string };

const SHARE = 0.1;
const MIN_ROWS = 100;
const MIN_LEFT = 0.5;
const MAX_LINKS = 200_000;

/**
 * Takes a tenth and another tenth of the training rows away and appends them, without their targets, to what has to be
 * predicted. Scripts need not know of it: they learn from `train.csv` and predict what the sample submission lists.
 * The same seed takes the same rows; each further `look` takes others, none of them twice. The private answers have no
 * part in it.
 */
export function carve(
  data: string,
  task: TaskFacts,
  { seed, look = 0, mostBytes }: { seed: number; look?: number; mostBytes?: number },
  folder: string,
): CarveOutcome {
  const no = (why: string): CarveOutcome => ({ status: "not carved", why });
  const { scoring } = task;
  if (scoring === null) return no(task.why);
  const sampleFile = findSamples(data).find(({ packed }) => !packed)?.file;
  const read = (file: string) => readRows(file, mostBytes);
  const [sample, train] = [sampleFile && read(sampleFile), read(path.join(data, "train.csv"))];
  const testFile = path.join(data, "test.csv");
  const test = read(testFile);
  if (!sampleFile || !sample || !train) return no("there is no table of training rows, or it is too large");
  if (test === null && (task.media === null || fs.existsSync(testFile)))
    return no("there is no table of test rows, or it is too large");
  const [id, ...targets] = sample.header;
  const idAt = train.header.indexOf(id);
  const truthAt = (scoring.classColumn === null ? targets : [scoring.classColumn]).map((name) =>
    train.header.indexOf(name),
  );
  if (idAt === -1 || truthAt.includes(-1)) return no("the training rows lack the id or the target");
  const ids = train.rows.map((row) => row[idAt]);
  const taken = new Set(sample.rows.map(([own]) => own));
  if (new Set(ids).size !== ids.length || ids.some((own) => own === "" || taken.has(own)))
    return no("the ids of the training rows are not their own");
  if (train.rows.length < MIN_ROWS) return no(`there are only ${train.rows.length} training rows`);
  const parts = chooseRows(train, task, seed, look);
  if (parts.search.length === 0 || parts.choice.length === 0) return no("no rows are left to be hidden");
  const truth = (rows: readonly number[]) =>
    new Map(rows.map((row) => [ids[row], truthAt.map((at) => train.rows[row][at])] as const));
  const hidden: Hidden = { search: truth(parts.search), choice: truth(parts.choice) };
  const out = new Set([...parts.search, ...parts.choice]);
  const later = new Set(parts.later);
  if (train.rows.length - out.size - later.size < MIN_LEFT * train.rows.length)
    return no("too little would be left to learn from");
  fs.rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
  linkOthers(data, folder, new Set(["train.csv", "test.csv", path.basename(sampleFile)]));
  writeRows(path.join(folder, "train.csv"), {
    header: train.header,
    rows: train.rows.filter((_, row) => !out.has(row) && !later.has(row)),
  });
  const asked = [...out].sort((a, b) => a - b);
  writeRows(path.join(folder, path.basename(sampleFile)), {
    header: sample.header,
    rows: [...sample.rows, ...asked.map((row) => [ids[row], ...sample.rows[0].slice(1)])],
  });
  if (test !== null) {
    const places = test.header.map((name) => (targets.includes(name) ? -1 : train.header.indexOf(name)));
    const added = asked.map((row) => places.map((at) => (at === -1 ? "" : train.rows[row][at])));
    writeRows(path.join(folder, "test.csv"), { header: test.header, rows: [...test.rows, ...added] });
  }
  if (task.media !== null) {
    const moved = asked.map((row) => `${ids[row]}.${task.media!.extension}`);
    const why = moveMedia(task.media, folder, moved);
    if (why !== null) return no(why);
  }
  let before = lookOfFolder(folder);
  const mend = () => {
    if (lookOfFolder(folder) === before) return false;
    // The same rows again: they follow from the seed.
    carve(data, task, { seed, look }, folder);
    before = lookOfFolder(folder);
    return true;
  };
  return { status: "carved", carved: { folder, hidden, scoring, sample, what: "the data", mend } };
}

/** As the test was parted from the training rows, so are the hidden ones: by chance, by groups, or the latest. */
function chooseRows(train: Rows, { separation }: TaskFacts, seed: number, look: number) {
  const random = seededRandom(seed + 77_001);
  const count = Math.max(1, Math.round(SHARE * train.rows.length));
  const first = 2 * count * look;
  if (separation.by === "chance") {
    const order = [...shuffledOrder(train.rows.length, random)];
    const middle = first + count;
    return { search: order.slice(first, middle), choice: order.slice(middle, middle + count), later: [] };
  }
  const at = train.header.indexOf(separation.column);
  if (separation.by === "time") {
    // A further look ends earlier. What is later still is left out then: nobody learns from the future of what has to be
    // predicted.
    const end = Math.max(0, train.rows.length - first);
    const inOrder = train.rows
      .map((row, number) => ({ number, moment: row[at] ?? "" }))
      .sort((a, b) => compareMoments(a.moment, b.moment))
      .map(({ number }) => number);
    const late = inOrder.slice(Math.max(0, end - 2 * count), end);
    return {
      search: late.filter((_, i) => i % 2 === 0),
      choice: late.filter((_, i) => i % 2 === 1),
      later: inOrder.slice(end),
    };
  }
  const rowsOf = new Map<string, number[]>();
  for (const [number, row] of train.rows.entries())
    rowsOf.get(row[at])?.push(number) ?? rowsOf.set(row[at], [number]);
  const groups = [...rowsOf.keys()].sort();
  const inOrder = [...shuffledOrder(groups.length, random)].map((one) => rowsOf.get(groups[one])!);
  return { ...wholeGroups(inOrder, count, look), later: [] };
}

/** Groups one after the other, until a part has enough rows; those of earlier looks are passed over. */
function wholeGroups(groups: readonly (readonly number[])[], count: number, look: number) {
  let next = 0;
  const take = () => {
    const rows: number[] = [];
    while (rows.length < count && next < groups.length) rows.push(...groups[next++]);
    return rows;
  };
  for (let earlier = 0; earlier < 2 * look; earlier++) take();
  return { search: take(), choice: take() };
}
function compareMoments(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return a < b ? -1 : a > b ? 1 : 0;
}

function linkOthers(data: string, folder: string, own: ReadonlySet<string>): void {
  for (const name of fs.readdirSync(data))
    if (!own.has(name)) fs.symlinkSync(path.join(data, name), path.join(folder, name));
}

/** The files of hidden rows stand where those of the test stand; the rest of the training folder stays as it is. */
function moveMedia(
  media: NonNullable<TaskFacts["media"]>,
  folder: string,
  moved: readonly string[],
): string | null {
  const [trainName, testName] = [path.basename(media.trainFolder), path.basename(media.testFolder)];
  const hidden = new Set(moved);
  const [train, test] = [fs.readdirSync(media.trainFolder), fs.readdirSync(media.testFolder)];
  if (train.length + test.length > MAX_LINKS) return "there are too many files to hide some of them";
  for (const name of [trainName, testName]) {
    fs.rmSync(path.join(folder, name), { force: true });
    makeFolder(path.join(folder, name));
  }
  for (const name of train)
    fs.symlinkSync(
      path.join(media.trainFolder, name),
      path.join(folder, hidden.has(name) ? testName : trainName, name),
    );
  for (const name of test)
    fs.symlinkSync(path.join(media.testFolder, name), path.join(folder, testName, name));
  return null;
}
