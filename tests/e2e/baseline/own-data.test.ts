// full: the baseline learns on many kinds of data, with deadlines of its own
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { seededRandom } from "../../../src/learning/seeded-random.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { agentPlace, runAgent } from "./agent-process.ts";

type Row = Record<string, string | number>;

function writeRows(folder: string, name: string, rows: readonly Row[]): void {
  const header = Object.keys(rows[0]);
  const lines = rows.map((row) => header.map((column) => row[column]).join(","));
  writeText(folder, name, `${header.join(",")}\n${lines.join("\n")}\n`);
}

/** A public folder whose target is `y`; the last third of the rows is asked for. */
function competition(rows: readonly Row[]): string {
  const folder = temporaryFolder();
  const parted = Math.floor((rows.length * 2) / 3);
  const [known, asked] = [rows.slice(0, parted), rows.slice(parted)];
  writeRows(folder, "train.csv", known);
  writeRows(
    folder,
    "test.csv",
    asked.map(({ y: _, ...rest }) => rest),
  );
  writeRows(
    folder,
    "sample_submission.csv",
    asked.map(({ id }) => ({ id, y: 0 })),
  );
  writeText(
    folder,
    "description.md",
    "# Own\n\n## Metric\n\n**Root mean squared error, lower is better.**\n",
  );
  return folder;
}

async function solved(data: string) {
  const place = agentPlace({ data, seconds: 8, untilDeadline: 200 });
  const { code, stderr } = await runAgent(place.variables);
  expect(code, stderr).toBe(0);
  const { value } = place.metrics() as { value: number };
  const { settings } = place.solution() as { settings: { separation: unknown } };
  return { value, settings };
}

const SHOPS = 400;

test("a table beside train and test is joined: one row a key brings its cells, many their count and means", async () => {
  const random = seededRandom(3);
  const shops = Array.from({ length: SHOPS }, (_, shop) => ({
    shop: `s${shop}`,
    size: random(),
    visits: Array.from({ length: 1 + Math.floor(random() * 8) }, () => random()),
  }));
  const rows = Array.from({ length: 900 }, (_, id) => {
    const { shop, size, visits } = shops[Math.floor(random() * SHOPS)];
    const mean = visits.reduce((sum, visit) => sum + visit, 0) / visits.length;
    return { id, shop, x: random().toFixed(3), y: (3 * size + 3 * mean + 0.1 * random()).toFixed(4) };
  });
  const without = competition(rows);
  const withTables = temporaryFolder();
  fs.cpSync(without, withTables, { recursive: true });
  writeRows(
    withTables,
    "shops.csv",
    shops.map(({ shop, size }) => ({ shop, size })),
  );
  writeRows(
    withTables,
    "visits.csv",
    shops.flatMap(({ shop, visits }) => visits.map((length) => ({ shop, length }))),
  );
  const [alone, joined] = [await solved(without), await solved(withTables)];
  expect(joined.value).toBeLessThan(alone.value / 2);
}, 200_000);

test("a test that lies later is validated forward in time, and the score says what is to be expected", async () => {
  const random = seededRandom(4);
  const rows = Array.from({ length: 600 }, (_, i) => {
    const day = new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10);
    return { id: `r${i}`, day, x: random().toFixed(3), y: (i / 60 + random()).toFixed(4) };
  });
  const { value, settings } = await solved(competition(rows));
  expect(settings.separation).toEqual({ by: "time", column: "day" });
  // Between its neighbours every row is easy; the next stretch is not, and the score must not claim so.
  expect(value).toBeGreaterThan(0.35);
}, 100_000);

test("a key that names nothing, an empty table and one without a shared column do no harm", async () => {
  const random = seededRandom(5);
  const data = competition(
    Array.from({ length: 150 }, (_, id) => {
      const x = random();
      return { id, x: x.toFixed(4), y: (2 * x).toFixed(4) };
    }),
  );
  writeText(data, "other.csv", "name,value\na,1\n");
  writeText(data, "empty.csv", "");
  writeText(data, "notes.csv", 'x,note\n"never closed');
  fs.mkdirSync(path.join(data, "folder.csv"));
  expect((await solved(data)).value).toBeLessThan(0.2);
}, 100_000);
