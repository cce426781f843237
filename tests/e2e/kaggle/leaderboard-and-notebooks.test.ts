import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { writeZip } from "../../../src/archive/zip-writer.ts";
import { downloadLeaderboard } from "../../../src/data/kaggle/leaderboard.ts";
import { downloadTopNotebooks, listTopNotebooks } from "../../../src/data/kaggle/notebooks.ts";
import { emptyFolder, setUp } from "./setting.ts";

const board = 'Rank,TeamId,TeamName,Score\n1,7,"A, B",0.95\n2,8,C,0.9\n3,9,D,\n';
const route = "competitions/birds/leaderboard/download";

async function zipOf(files: Record<string, string>): Promise<Buffer> {
  const zip = path.join(emptyFolder(), "board.zip");
  const entries = Object.entries(files).map(
    ([name, text]) => ({ name, content: "bytes", bytes: Buffer.from(text) }) as const,
  );
  await writeZip(zip, entries, "deflate");
  return fs.readFileSync(zip);
}

test("the leaderboard comes out of its zip, is checked, and lies in the competition's folder", async () => {
  const { kaggle, client, folder } = await setUp();
  kaggle.answers.set(route, await zipOf({ "birds-publicleaderboard.csv": board }));
  const file = path.join(folder, "birds", "leaderboard.csv");
  expect(await downloadLeaderboard(client, { id: "birds", dataDir: folder })).toEqual({
    status: "downloaded",
    file,
    teams: 2,
    teamsWithoutScore: 1,
    board: "public",
  });
  expect(fs.readFileSync(file, "utf8")).toBe(board);
  expect(fs.readdirSync(path.join(folder, "birds"))).toEqual(["leaderboard.csv"]);
});

test("of two boards the private one is taken", async () => {
  const { kaggle, client, folder } = await setUp();
  kaggle.answers.set(route, await zipOf({ "public.csv": "score\n1\n", "private.csv": board }));
  expect(await downloadLeaderboard(client, { id: "birds", dataDir: folder })).toMatchObject({
    teams: 2,
    board: "private",
  });
});

test("a leaderboard that comes without a zip is read too", async () => {
  const { kaggle, client, folder } = await setUp();
  kaggle.answers.set(route, Buffer.from(board));
  expect(await downloadLeaderboard(client, { id: "birds", dataDir: folder })).toMatchObject({
    teams: 2,
    board: "unknown",
  });
});

test("a leaderboard that cannot be used leaves the one that is there untouched", async () => {
  const { kaggle, client, folder } = await setUp();
  fs.mkdirSync(path.join(folder, "birds"));
  fs.writeFileSync(path.join(folder, "birds", "leaderboard.csv"), board);
  const bad = [
    await zipOf({ "board.csv": "TeamName,Points\nA,1\n" }),
    await zipOf({ "readme.txt": "nothing" }),
    (await zipOf({ "board.csv": board })).subarray(0, 60),
    Buffer.from("\x1f\x8bnot a gzip"),
  ];
  for (const answer of bad) {
    kaggle.answers.set(route, answer);
    expect(await downloadLeaderboard(client, { id: "birds", dataDir: folder })).toMatchObject({
      code: "BAD_LEADERBOARD",
      competition: "birds",
    });
  }
  expect(fs.readFileSync(path.join(folder, "birds", "leaderboard.csv"), "utf8")).toBe(board);
  expect(fs.readdirSync(path.join(folder, "birds"))).toEqual(["leaderboard.csv"]);
});

test("the notebooks with the most votes are saved, one that fails stops no other, hostile names write nothing", async () => {
  const { kaggle, client, folder } = await setUp({ pace: { attempts: 1 } });
  kaggle.answers.set("kernels/list", [
    { ref: "ann/first-look", title: "First look", totalVotes: 90 },
    { ref: "../../../etc/passwd", title: "no", totalVotes: 80 },
    { ref: "bob/script", title: "Script", totalVotes: 70 },
    { ref: "cy/broken", title: "Broken", totalVotes: 60 },
  ]);
  kaggle.answers.set("kernels/pull", { blob: { source: "{}", language: "python", kernelType: "notebook" } });
  kaggle.apiFaults.push(
    { kind: "none" },
    { kind: "none" },
    {
      kind: "status",
      code: 200,
      body: JSON.stringify({ blob: { source: "print(1)", language: "python", kernelType: "script" } }),
    },
    { kind: "status", code: 404 },
  );
  const outcome = await downloadTopNotebooks(client, { id: "birds", dataDir: folder, count: 5 });
  expect(outcome).toMatchObject({
    status: "downloaded",
    notebooks: [
      { ref: "ann/first-look", votes: 90, file: "ann__first-look.ipynb" },
      { ref: "bob/script", votes: 70, file: "bob__script.py" },
    ],
    failed: [{ code: "BAD_NOTEBOOK" }],
  });
  const saved = fs.readdirSync(path.join(folder, "birds", "notebooks"));
  expect(saved.sort()).toEqual(["ann__first-look.ipynb", "bob__script.py", "notebooks.json"]);
  const query = new URL(kaggle.apiRequests[0].url, "http://kaggle").searchParams;
  expect(query.get("sortBy")).toBe("voteCount");
  expect(query.get("competition")).toBe("birds");
});

test("the list of notebooks is as long as asked for and downloads none", async () => {
  const { kaggle, client } = await setUp();
  kaggle.answers.set("kernels/list", [
    { ref: "ann/a", title: "A\u001b[2J" },
    { ref: "bob/b", totalVotes: 1 },
  ]);
  expect(await listTopNotebooks(client, "birds", 1)).toEqual({
    status: "listed",
    notebooks: [{ ref: "ann/a", title: "A [2J", votes: null }],
  });
  expect(kaggle.apiRequests).toHaveLength(1);
});

test("without valid credentials no notebook folder appears", async () => {
  const { kaggle, client, folder } = await setUp();
  kaggle.apiFaults.push({ kind: "status", code: 401 });
  expect(await downloadTopNotebooks(client, { id: "birds", dataDir: folder, count: 5 })).toMatchObject({
    code: "BAD_CREDENTIALS",
  });
  expect(fs.readdirSync(folder)).toEqual([]);
});
