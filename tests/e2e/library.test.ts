import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Grade } from "../../src/grading/grade-schema.ts";
import type * as Library from "../../src/public/index.ts";
import type * as Leaderboards from "../../src/public/leaderboards.ts";
import { goldenIds, goldenSubmission, layOutGoldenData, recordedCases } from "./golden-data.ts";
import { temporaryFolder, writeText } from "./temporary-folder.ts";

const LEAF = "leaf-classification";
const folder = temporaryFolder();
const dataDir = layOutGoldenData(path.join(folder, "data"));
const leaf = (file: string) => ({
  competitionId: LEAF,
  submissionPath: goldenSubmission(LEAF, file),
  dataDir,
});

// By the package's own name, as a user imports it; only a specifier unknown to the compiler keeps it from looking
// for types that are built later.
const entry = async <T>(name: string): Promise<T> => (await import(name)) as T;

let library: typeof Library;
beforeAll(async () => {
  library = await entry<typeof Library>("mlebench");
});

describe("the library", () => {
  test("grades a submission to a typed outcome", async () => {
    const grade = await library.gradeSubmission(leaf("perfect.csv"));
    expect(Grade.parse(grade)).toMatchObject({
      status: "scored",
      score: 0,
      medal: "gold",
      competitionVersion: "v1",
    });
  });

  test("gives every failure as an outcome, never as an exception", async () => {
    const { gradeSubmission } = library;
    const statuses = await Promise.all(
      [
        leaf("missing_row.csv"),
        { ...leaf("perfect.csv"), submissionPath: folder },
        { ...leaf("perfect.csv"), dataDir: path.join(folder, "empty") },
        { ...leaf("perfect.csv"), competitionId: "leaf" },
        { ...leaf("perfect.csv"), competitionId: "../leaf-classification" },
        { ...leaf("perfect.csv"), competitionId: "constructor" },
      ].map(async (options) => Grade.parse(await gradeSubmission(options)).status),
    );
    expect(statuses).toEqual([
      ...["invalid", "missing", "unprepared"],
      ...["unknown-competition", "unknown-competition", "unknown-competition"],
    ]);
  });

  test("says that answers are broken, not the submission", async () => {
    const broken = path.join(folder, "broken");
    writeText(broken, `${LEAF}/prepared/private/test.csv`, Buffer.from([0xff, 0xfe, 0x00]));
    const grade = await library.gradeSubmission({ ...leaf("perfect.csv"), dataDir: broken });
    expect(grade).toMatchObject({ status: "failed", blame: "task" });
  });

  test("grades in the short form other tools have", async () => {
    const { briefGrade } = library;
    expect(await briefGrade(leaf("perfect.csv"))).toEqual({
      valid: true,
      score: 0,
      medalTier: "gold",
      reasons: [],
    });
    expect(await briefGrade(leaf("noisy_bad.csv"))).toMatchObject({ valid: true, medalTier: "none" });
    expect(await briefGrade(leaf("missing_row.csv"))).toMatchObject({
      valid: false,
      score: null,
      medalTier: "none",
      reasons: [{ code: "WRONG_ROW_COUNT" }, { code: "WRONG_IDS", column: "id" }],
    });
    expect(await briefGrade({ ...leaf("perfect.csv"), competitionId: "x" })).toMatchObject({
      valid: false,
      score: null,
      reasons: [{ code: "UNKNOWN_COMPETITION" }],
    });
  });

  test("checks a format without knowing a score", async () => {
    const good = await library.checkSubmission(leaf("perfect.csv"));
    expect(good).toMatchObject({ status: "well-formed" });
    expect(JSON.stringify(good)).not.toMatch(/score|medal/);
    expect(await library.checkSubmission(leaf("missing_row.csv"))).toMatchObject({ status: "invalid" });
  });

  test("grades many in the order given, with and without workers", async () => {
    const submissions = goldenIds().map((competitionId) => {
      const { file } = recordedCases(competitionId)[0];
      return { competitionId, submissionPath: goldenSubmission(competitionId, file), dataDir };
    });
    const seen: number[] = [];
    const alone = await library.gradeMany(submissions, { workers: 1, onGrade: (_, done) => seen.push(done) });
    const together = await library.gradeMany(submissions, { workers: 2 });
    expect(together).toEqual(alone);
    expect(alone.map(({ competitionId }) => competitionId)).toEqual(goldenIds());
    expect(seen).toEqual(goldenIds().map((_, position) => position + 1));
  });

  test("stops grading many when it is told to", async () => {
    const aborted = AbortSignal.abort(new Error("enough"));
    await expect(library.gradeMany([leaf("perfect.csv")], { signal: aborted })).rejects.toThrow("enough");
  });

  test("knows the competitions", async () => {
    const all = await library.competitions();
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(goldenIds()));
    expect(all.filter(({ complexity }) => complexity !== "starter")).toHaveLength(82);
    expect(all.find(({ id }) => id === LEAF)).toMatchObject({ metric: { direction: "minimize" } });
    expect(await library.loadCompetition("nothing")).toBeNull();
  });
});

describe("the other entry points", () => {
  test("mlebench/metrics/* are plain functions on typed arrays", async () => {
    const { rocAuc } =
      await entry<typeof import("../../src/metrics/classification/roc-auc.ts")>("mlebench/metrics/roc-auc");
    expect(rocAuc(Float64Array.of(0, 1, 0, 1), Float64Array.of(0.1, 0.4, 0.35, 0.8))).toBe(1);
    const { accuracy } =
      await entry<typeof import("../../src/metrics/classification/accuracy.ts")>("mlebench/metrics/accuracy");
    expect(typeof accuracy).toBe("function");
  });

  test("mlebench/leaderboards awards medals", async () => {
    const { awardMedal, readBoard, standing } = await entry<typeof Leaderboards>("mlebench/leaderboards");
    const board = readBoard((await library.loadCompetition(LEAF))!, dataDir)!;
    expect(awardMedal(0.01, board.leaderboard)).toMatchObject({ medal: "bronze", aboveMedian: true });
    expect(standing(34, board.leaderboard)!.percentile).toBeLessThan(2);
  });

  test("mlebench/competition has what a competition is made of", async () => {
    const made = await entry<typeof import("../../src/public/competition.ts")>("mlebench/competition");
    expect(made).toMatchObject({ defineCompetition: expect.any(Function), binaryAuc: expect.any(Function) });
  });
});
