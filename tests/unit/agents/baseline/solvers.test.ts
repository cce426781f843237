// full: trains networks for seconds; what they are made of is tested in unit/learning
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { expect, test } from "vitest";
import { inferTask } from "../../../../src/agents/baseline/infer-task.ts";
import { readPublicFiles, readSample } from "../../../../src/agents/baseline/reading/public-files.ts";
import { solve } from "../../../../src/agents/baseline/solve.ts";
import type { Journal } from "../../../../src/agents/baseline/workbench.ts";
import { randomInteger, seededRandom } from "../../../../src/learning/seeded-random.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

/** Solves what a public folder asks for, as the agent would within so many planned seconds. */
async function solved(folder: string, plannedSeconds: number, isOver = () => false) {
  const sample = await readSample(folder);
  if (sample === null) throw new Error("no sample");
  const view = readPublicFiles(folder, sample, { memoryBytes: Number.NaN, seconds: plannedSeconds });
  const journal: Journal = { steps: [], settings: {}, measure: null, score: null, measuredOn: "" };
  const submitted: string[][] = [];
  const task = inferTask(view);
  await solve(task, {
    view,
    seed: 1,
    clock: {
      plannedSeconds,
      isOver,
      wasCut: isOver,
      elapsedSeconds: () => 0,
      secondsToTheEnd: () => 1000,
    },
    submit: async ([cells]) => {
      submitted.push(Array.from(cells));
      return { status: "placed" };
    },
    journal,
    tell() {},
  });
  const scoreOf = (name: string) => journal.steps.findLast((step) => step.name.includes(name))?.score ?? null;
  return { shape: task.shape, journal, submitted, scoreOf };
}

const metric = (line: string) => `# Made\n\n## Metric\n\n**${line}**\n`;

const SIDE = 24;

/** A disc on stripes, and where it is. */
function disc(random: () => number) {
  const [x, y, radius] = [4 + random() * 16, 4 + random() * 16, 3 + random() * 4];
  const inside = Array.from({ length: SIDE * SIDE }, (_, p) =>
    Number(Math.hypot((p % SIDE) - x, Math.floor(p / SIDE) - y) < radius),
  );
  const phase = random() * 6;
  const shown = inside.map((own, p) =>
    Math.round(110 + 60 * own + 40 * Math.sin(p / 3 + phase) * (1 - own) + 40 * (random() - 0.5)),
  );
  return { inside, shown };
}

function runsOf(inside: readonly number[]): string {
  const runs: string[] = [];
  for (let p = 0; p < inside.length; p++) {
    if (inside[p] === 0) continue;
    const start = p;
    while (inside[p] === 1) p++;
    runs.push(`${start + 1} ${p - start}`);
  }
  return runs.join(" ");
}

/** An 8-bit gray PNG of the side, its rows unfiltered. */
function grayPng(pixels: readonly number[]): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(zlib.crc32?.(body) ?? 0);
    return Buffer.concat([length, body, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(SIDE, 0);
  head.writeUInt32BE(SIDE, 4);
  head[8] = 8;
  const rows = Buffer.alloc(SIDE * (SIDE + 1));
  for (let y = 0; y < SIDE; y++) rows.set(pixels.slice(y * SIDE, (y + 1) * SIDE), y * (SIDE + 1) + 1);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  const parts = [chunk("IHDR", head), chunk("IDAT", zlib.deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]);
}

function writePicture(folder: string, name: string, pixels: readonly number[]): void {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), grayPng(pixels));
}

test("masks are found by a network after trees, and it is never taken where it is worse", async () => {
  const folder = temporaryFolder();
  const random = seededRandom(4);
  const lines = ["image_id,mask"];
  for (let i = 0; i < 40; i++) {
    const { inside, shown } = disc(random);
    writePicture(folder, `${i < 30 ? "train" : "test"}/p${i}.png`, shown);
    if (i < 30) lines.push(`p${i},${runsOf(inside)}`);
  }
  writeText(folder, "train.csv", lines.join("\n"));
  const asked = Array.from({ length: 10 }, (_, i) => `p${30 + i},1 1`);
  writeText(folder, "sample_submission.csv", ["image_id,mask", ...asked].join("\n"));
  writeText(folder, "description.md", metric("Mean Dice coefficient, higher is better."));
  const { shape, journal, submitted, scoreOf } = await solved(folder, 6);
  expect(shape).toBe("masks");
  expect(scoreOf("surroundings")).toBeGreaterThan(0.3);
  expect(scoreOf("network")).toBeGreaterThan(0.3);
  expect(submitted.at(-1)).toHaveLength(10);
  for (const mask of submitted.at(-1) ?? []) expect(mask).toMatch(/^\d+ \d+( \d+ \d+)*$/);
  expect(journal.measuredOn).toMatch(/network had not seen|model of the other/);
});

test("pictures are restored by a network, mixed with trees by pictures that neither had seen", async () => {
  const folder = temporaryFolder();
  const random = seededRandom(5);
  const ids: string[] = ["id,value"];
  for (let i = 0; i < 28; i++) {
    const { inside, shown } = disc(random);
    writePicture(folder, `${i < 24 ? "train" : "test"}/d${i}.png`, shown);
    if (i < 24)
      writePicture(
        folder,
        `train_cleaned/d${i}.png`,
        inside.map((own) => 110 + 60 * own),
      );
    else
      for (let p = 0; p < SIDE * SIDE; p++)
        ids.push(`d${i}_${1 + Math.floor(p / SIDE)}_${1 + (p % SIDE)},255`);
  }
  writeText(folder, "sample_submission.csv", ids.join("\n"));
  writeText(folder, "description.md", metric("Root mean squared error (RMSE), lower is better."));
  const { shape, journal, submitted, scoreOf } = await solved(folder, 6);
  expect(shape).toBe("restored pixels");
  expect(scoreOf("network")).toBeLessThan(30);
  expect(journal.score).toBeLessThanOrEqual(scoreOf("surroundings") ?? 0);
  for (const cell of submitted.at(-1) ?? []) expect(Number(cell)).toBeGreaterThanOrEqual(0);
});

test("words are written in other signs with a recurrent network, and a clock that is over leaves what stands", async () => {
  const folder = temporaryFolder();
  const random = seededRandom(6);
  // A vowel sounds long if the word ends in an e, however far away that is.
  const word = () => {
    const letters = Array.from(
      { length: 3 + randomInteger(random, 4) },
      () => "badoktis"[randomInteger(random, 8)],
    );
    if (random() < 0.5) letters.push("e");
    const isLong = letters.at(-1) === "e";
    const signs = letters.flatMap((letter) =>
      letter === "e"
        ? []
        : "aoi".includes(letter)
          ? [`${letter.toUpperCase()}${isLong ? "2" : "1"}`]
          : [letter.toUpperCase()],
    );
    return { text: letters.join(""), signs: signs.join(" ") };
  };
  const train = Array.from({ length: 700 }, (_, i) => ({ id: `w${i}`, ...word() }));
  writeText(
    folder,
    "train.csv",
    ["id,word,sounds", ...train.map((row) => `${row.id},${row.text},${row.signs}`)].join("\n"),
  );
  const asked = Array.from({ length: 20 }, (_, i) => ({ id: `t${i}`, ...word() }));
  writeText(folder, "test.csv", ["id,word", ...asked.map((row) => `${row.id},${row.text}`)].join("\n"));
  writeText(
    folder,
    "sample_submission.csv",
    ["id,sounds", ...asked.map((row) => `${row.id},A1 B`)].join("\n"),
  );
  writeText(folder, "description.md", metric("Mean edit distance (Levenshtein), lower is better."));
  const { shape, journal, submitted, scoreOf } = await solved(folder, 10);
  expect(shape).toBe("sequence");
  expect(scoreOf("with a network")).not.toBeNull();
  expect(journal.score).toBeLessThan(0.5);
  expect(submitted.at(-1)).toHaveLength(20);
  let looks = 0;
  const cut = await solved(folder, 10, () => ++looks > 800);
  expect(cut.submitted.length).toBeGreaterThan(0);
});

test("lists are completed by linear models beside what occurs together", async () => {
  const folder = temporaryFolder();
  const random = seededRandom(7);
  const groups = ["abcdef", "ghijkl", "mnopqr"].map((letters) =>
    [...letters].map((letter) => `item-${letter}`),
  );
  const list = () => {
    const group = groups[randomInteger(random, 3)];
    return { section: group[0], items: group.filter(() => random() < 0.7) };
  };
  const train = Array.from({ length: 300 }, (_, i) => ({ id: `r${i}`, ...list() })).filter(
    (row) => row.items.length > 1,
  );
  writeText(
    folder,
    "train.csv",
    ["id,section,needs", ...train.map((row) => `${row.id},${row.section},${row.items.join(" ")}`)].join("\n"),
  );
  const asked = Array.from({ length: 12 }, (_, i) => ({ id: `t${i}`, ...list() }));
  writeText(
    folder,
    "test.csv",
    [
      "id,section,needs",
      ...asked.map((row) => `${row.id},${row.section},${row.items.slice(1).join(" ")}`),
    ].join("\n"),
  );
  writeText(
    folder,
    "sample_submission.csv",
    ["id,missing", ...asked.map(({ id }) => `${id},item-a`)].join("\n"),
  );
  writeText(folder, "description.md", metric("Mean average precision at 5 (MAP@5), higher is better."));
  const { shape, journal, submitted, scoreOf } = await solved(folder, 20);
  expect(shape).toBe("ranked list");
  expect(scoreOf("linear models")).toBeGreaterThan(0.5);
  expect(journal.score).toBeGreaterThan(0.5);
  for (const cell of submitted.at(-1) ?? []) expect(cell.split(" ").length).toBeLessThanOrEqual(5);
});
