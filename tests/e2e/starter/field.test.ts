// full: makes a field of solutions again
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { resolveSplit } from "../../../src/competitions/splits.ts";
import { gradeSubmission } from "../../../src/grading/grade-submission.ts";
import { bestRung } from "../../../src/leaderboards/best-rung.ts";
import { isBetter, reaches } from "../../../src/leaderboards/leaderboard.ts";
import { Leaderboard } from "../../../src/leaderboards/leaderboard-schema.ts";
import { field as batchJobs } from "../../../src/starter/fields/batch-jobs.ts";
import { field as spam } from "../../../src/starter/fields/spam.ts";
import { accountOf, boardOf, type Entry } from "../../../src/starter/making/board.ts";
import type { Field, Solution } from "../../../src/starter/making/field.ts";
import { json, mlebench } from "../cli.ts";
import { prepare } from "../prepare/golden-raw.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const split = resolveSplit("starter");
const ids = split.ok ? split.ids : [];
const boardFile = (id: string) => path.join("src/competitions", id, "leaderboard.json");
const readJson = (file: string) => JSON.parse(fs.readFileSync(file, "utf8"));

describe.each(ids)("the field of %s", (id) => {
  it("has a hundred solutions or more, of several kinds, and says how it was made", () => {
    const board = Leaderboard.parse(readJson(boardFile(id)));
    expect(board).toMatchObject({ source: "starter field", made: { by: "npm run field" } });
    expect(board.teams).toBeGreaterThanOrEqual(100);
    const { solutions = 0, rungs = [], scores = [], families: kinds = {} } = board.made ?? {};
    expect(solutions).toBeGreaterThanOrEqual(100);
    expect(scores).toHaveLength(101);
    expect(scores.length + rungs.length).toBe(board.teams);
    const families = Object.values(kinds);
    expect(families.length).toBeGreaterThanOrEqual(4);
    expect(families.reduce((sum, count) => sum + count, 0)).toBe(solutions);
  });

  it("has six rungs or more made by other libraries, from no medal to one, and a board that follows from all", () => {
    const { made, ...board } = Leaderboard.parse(readJson(boardFile(id)));
    const { rungs = [], seed, answers, families, scores = [] } = made!;
    expect(rungs.length).toBeGreaterThanOrEqual(6);
    const direction = board.lowerIsBetter ? "minimize" : "maximize";
    const again = boardOf({ seed, answers, families, scores }, rungs, direction, {});
    const { gold, silver, bronze, median, quantiles, teams } = again;
    expect(board).toMatchObject({ gold, silver, bronze, median, quantiles, teams });
    const strongest = bestRung({ ...again, made });
    const weakest = rungs.reduce((a, b) => (isBetter(a.score, b.score, board.lowerIsBetter) ? b : a));
    expect(reaches(strongest!.score, board.bronze, board.lowerIsBetter)).toBe(true);
    expect(reaches(weakest.score, board.bronze, board.lowerIsBetter)).toBe(false);
  });

  it("tells medals apart: bronze to gold is more than twice the noise of a score", () => {
    const { gold, bronze, made } = Leaderboard.parse(readJson(boardFile(id)));
    expect(made?.noise).toBeGreaterThan(0);
    expect(Math.abs(gold - bronze) / made!.noise!).toBeGreaterThan(2);
  });

  it("was scored on the answers that are prepared today", () => {
    const checksums = readJson(path.join("src/competitions", id, "checksums.json"));
    expect(readJson(boardFile(id)).made.answers).toBe(checksums.private["test.csv"]);
  });

  it("tells good solutions from middling ones", () => {
    const { gold, silver, bronze, median, quantiles } = Leaderboard.parse(readJson(boardFile(id)));
    expect(new Set([gold, silver, bronze, median]).size).toBe(4);
    expect(new Set(quantiles).size).toBeGreaterThan(80);
  });
});

describe("a field made again", () => {
  const data = temporaryFolder();
  const fields = [batchJobs, spam];
  const folder = ({ competitionId }: Field) => path.join(data, competitionId, "prepared/public");

  beforeAll(() => {
    prepare(["-c", ...fields.map(({ competitionId }) => competitionId), "--data-dir", data]);
  });

  it.each(fields)("gives the same submissions and scores ($competitionId)", async (field) => {
    const [first, second] = [await field.open(folder(field), 5), await field.open(folder(field), 5)];
    expect(second.map(({ name }) => name)).toEqual(first.map(({ name }) => name));
    for (const solution of cheapOnes(first)) {
      const text = await solution.solve();
      expect(await second.find(({ name }) => name === solution.name)?.solve()).toBe(text);
      const file = writeText(data, "submission.csv", text);
      const grade = await gradeSubmission({
        competitionId: field.competitionId,
        submissionPath: file,
        dataDir: data,
      });
      expect(grade).toMatchObject({ status: "scored", scoreKind: "finite" });
    }
  });

  it.each(fields)("is another field with another seed ($competitionId)", async (field) => {
    const names = async (seed: number) =>
      (await field.open(folder(field), seed)).map(({ name }) => name).join("\n");
    expect(await names(5)).not.toBe(await names(6));
  });
});

describe("a board made from entries", () => {
  const entries = Array.from(
    { length: 101 },
    (_, i): Entry => ({
      name: String(i),
      family: i < 40 ? "linear" : "constant",
      score: i,
    }),
  );
  const made = { seed: 1, answers: "0".repeat(32) };

  it("takes medals and quantiles from the best entries of either direction", () => {
    const board = boardOf(accountOf(entries, "minimize", made), [], "minimize", {});
    expect(Leaderboard.parse(board)).toEqual(board);
    expect(board).toMatchObject({
      teams: 101,
      lowerIsBetter: true,
      gold: 9,
      silver: 19,
      bronze: 39,
      median: 50,
    });
    expect([board.quantiles[0], board.quantiles[100]]).toEqual([0, 100]);
    const best = boardOf(accountOf(entries, "maximize", made), [], "maximize", {});
    expect(best).toMatchObject({ lowerIsBetter: false, gold: 91, quantiles: expect.arrayContaining([100]) });
    expect(best.made?.families).toEqual({ constant: 61, linear: 40 });
  });
});

describe("rungs joining a field", () => {
  const entries = Array.from(
    { length: 101 },
    (_, i): Entry => ({ name: String(i), family: "linear", score: i }),
  );
  const account = accountOf(entries, "maximize", { seed: 1, answers: "0".repeat(32) });
  const rung = (score: number) => ({ name: `r${score}`, family: "network", score, sha256: "0".repeat(64) });

  it("move the medals, as strong people who join would", () => {
    const board = boardOf(account, [rung(200), rung(300), rung(1)], "maximize", {});
    expect(Leaderboard.parse(board)).toEqual(board);
    expect(board).toMatchObject({ teams: 104, gold: 93, made: { solutions: 101 } });
    expect(bestRung(board)?.score).toBe(300);
    expect(boardOf(account, [], "maximize", {}).gold).toBe(91);
  });
});

describe("npm run field", () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ["scripts/field.mjs", ...args], { encoding: "utf8", timeout: 50_000 });

  it("says what it knows and refuses what it does not", () => {
    expect(run("--list").stdout.split("\n")).toEqual([...ids, ""]);
    const refused = run("--competition", "nonsense");
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('there is no field "nonsense"');
    expect(run("--missing").stderr).toContain("--missing belongs to --rungs");
    expect(run("--baseline", "somewhere").stderr).toContain("--baseline belongs to --table");
  });

  it("writes the table of docs/starter.md, which is what the boards say", () => {
    const made = run("--table", "--check");
    expect(made.stderr).toBe("");
    expect(made.status).toBe(0);
    for (const id of ids) expect(made.stdout).toContain(`| \`${id}\` |`);
    const elsewhere = run("--table", "--check", "--baseline", "no-such-group");
    expect(elsewhere.status).toBe(3);
    expect(elsewhere.stderr).toContain("no-such-group");
  });
});

describe("wherever a starter medal is shown", () => {
  it("is called by its field, never Kaggle's", () => {
    const shown = mlebench(["show", "starter-spam"]);
    expect(shown.stdout).toMatch(/solutions \(starter field\)/);
    expect(shown.stdout).not.toMatch(/kaggle/i);
    expect(json(mlebench(["show", "starter-spam", "--json"]))).toMatchObject({
      leaderboard: { source: "starter field" },
    });
  });
});

/** One of each kind that costs next to nothing. */
function cheapOnes(solutions: readonly Solution[]): Solution[] {
  const kinds = ["constant", "rule", "linear", "tree"];
  const plain = solutions.filter(({ name }) => !name.includes("cross-validation"));
  return kinds.flatMap((kind) =>
    plain.filter(({ family }) => family === kind).slice(0, kind === "rule" ? 2 : 1),
  );
}
