import fs from "node:fs";
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

  test("grades files of one content once, and a process reads the answers once", async () => {
    const text = fs.readFileSync(leaf("perfect.csv").submissionPath, "utf8");
    const changed = (cell: string) => text.replace(/,1(\.0)?(?=[,\r\n])/, `,${cell}`);
    const snapshots = Array.from({ length: 12 }, (_, i) => {
      // Four contents, of which two are equally long; each of them three times.
      const content = [text, changed("0.9"), changed("0.8"), `${text}\n`][i % 4];
      const submissionPath = path.join(folder, "snapshots", `${i}.csv`);
      writeText(path.join(folder, "snapshots"), `${i}.csv`, content);
      return { ...leaf("perfect.csv"), submissionPath };
    });
    const others = ["spooky-author-identification", "dog-breed-identification"].flatMap((competitionId) =>
      recordedCases(competitionId)
        .slice(0, 4)
        .map(({ file }) => ({
          competitionId,
          submissionPath: goldenSubmission(competitionId, file),
          dataDir,
        })),
    );
    const mixed = snapshots.flatMap((snapshot, i) => (others[i] ? [snapshot, others[i]] : [snapshot]));
    const graded: string[] = [];
    const readings = new Map<string, number>();
    const grades = await library.gradeMany(mixed, {
      workers: 2,
      onWork({ process: worker, readAnswers, submissionPath }) {
        graded.push(submissionPath);
        const { competitionId } = mixed.find((one) => one.submissionPath === submissionPath)!;
        const key = `${worker} ${competitionId}`;
        readings.set(key, (readings.get(key) ?? 0) + (readAnswers ? 1 : 0));
      },
    });
    expect(grades.map(({ submissionPath }) => submissionPath)).toEqual(
      mixed.map(({ submissionPath }) => submissionPath),
    );
    expect(graded.filter((file) => file.includes("snapshots"))).toHaveLength(4);
    expect([...readings.values()].every((times) => times <= 1)).toBe(true);
    const alone = await Promise.all(mixed.map((one) => library.gradeSubmission(one)));
    expect(grades).toEqual(alone);
    // A listener that fails is the caller's, also when it hears of a file that was found to be the same as another.
    const onGrade = (_: unknown, done: number) => {
      if (done === mixed.length - 1) throw new Error("of the listener");
    };
    await expect(library.gradeMany(mixed, { workers: 2, onGrade })).rejects.toThrow("of the listener");
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

test("the types of the entry points need nothing that npm does not install with the package", () => {
  const { dependencies, exports } = JSON.parse(fs.readFileSync("package.json", "utf8"));
  const seen = new Set<string>();
  const wanted = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, from] of fs.readFileSync(file, "utf8").matchAll(/(?:from|import\()\s*"([^"]+)"/g))
      if (from.startsWith(".")) visit(path.resolve(path.dirname(file), from.replace(/\.[jt]s$/, ".d.ts")));
      else if (!from.startsWith("node:")) wanted.add(from);
  };
  for (const { types } of Object.values(exports) as { types: string }[])
    if (!types.includes("*")) visit(path.resolve(types));
  expect([...wanted].filter((name) => !(name in dependencies))).toEqual([]);
  expect(seen.size).toBeGreaterThan(50);
});
