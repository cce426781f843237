import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { CompetitionReport, GradingReport } from "../../src/grading/report-schema.ts";
import { FULL } from "../full.ts";
import { json, mlebench, startMlebench } from "./cli.ts";
import { goldenIds, goldenSubmission, layOutGoldenData, recordedCases } from "./golden-data.ts";
import { temporaryFolder, writeText } from "./temporary-folder.ts";

const ORIGINAL_KEYS = [
  ..."total_runs total_runs_with_submissions total_valid_submissions total_medals total_gold_medals".split(
    " ",
  ),
  ..."total_silver_medals total_bronze_medals total_above_median competition_reports".split(" "),
];
const ORIGINAL_ENTRY_KEYS = [
  ..."competition_id score gold_threshold silver_threshold bronze_threshold median_threshold any_medal".split(
    " ",
  ),
  ..."gold_medal silver_medal bronze_medal above_median submission_exists valid_submission".split(" "),
  ..."is_lower_better created_at submission_path".split(" "),
];
const LEAF = "leaf-classification";
const QUEST = "google-quest-challenge";

const folder = temporaryFolder();
const dataDir = layOutGoldenData(path.join(folder, "data"));
let runs = 0;

const line = (competition_id: string, submission_path: string | null) =>
  JSON.stringify({ competition_id, submission_path });
const golden = (id: string, file: string) => line(id, goldenSubmission(id, file));

/** Grades a list in an output folder of its own and reads the one report it must leave there. */
function grade(lines: readonly string[], ...args: string[]) {
  const list = writeText(folder, `list-${++runs}.jsonl`, `${lines.join("\n")}\n`);
  const outputDir = path.join(folder, `reports-${runs}`);
  const result = mlebench([
    ...["grade", "--submission", list, "--output-dir", outputDir, "--data-dir", dataDir],
    ...args,
  ]);
  const written = fs.existsSync(outputDir) ? fs.readdirSync(outputDir) : [];
  const text = written.length === 1 ? fs.readFileSync(path.join(outputDir, written[0]), "utf8") : "null";
  return {
    ...result,
    written,
    raw: JSON.parse(text),
    report: GradingReport.nullable().parse(JSON.parse(text))!,
  };
}

describe("mlebench grade", () => {
  test("writes one report with the original's keys first, in the original's order", () => {
    const { code, written, raw } = grade([golden(LEAF, "perfect.csv")]);
    expect(code).toBe(0);
    expect(written).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-UTC_grading_report\.json$/),
    ]);
    expect(Object.keys(raw).slice(0, ORIGINAL_KEYS.length)).toEqual(ORIGINAL_KEYS);
    expect(Object.keys(raw.competition_reports[0]).slice(0, ORIGINAL_ENTRY_KEYS.length)).toEqual(
      ORIGINAL_ENTRY_KEYS,
    );
    expect(raw).toMatchObject({
      total_runs: 1,
      total_gold_medals: 1,
      total_medals: 1,
      total_above_median: 1,
    });
    expect(raw.competition_reports[0]).toMatchObject({ score: 0, gold_medal: true, is_lower_better: true });
  });

  test("grades every competition as recorded, in the order of the lines", () => {
    const entries = goldenIds().flatMap((id) =>
      recordedCases(id)
        .slice(0, 2)
        .map((entry) => ({ id, entry })),
    );
    const { report } = grade(entries.map(({ id, entry }) => golden(id, entry.file)));
    expect(report.competition_reports.map(({ competition_id: id, score }) => [id, score])).toEqual(
      entries.map(({ id, entry }) => [id, typeof entry.score === "number" ? entry.score : null]),
    );
    expect(report.total_valid_submissions).toBe(entries.filter(({ entry }) => entry.valid).length);
  });

  test("takes several lines of one competition and skips blank lines and comments", () => {
    const { code, report } = grade([
      "# a comment",
      golden(LEAF, "perfect.csv"),
      "",
      "  // another",
      golden(LEAF, "noisy_bad.csv"),
      golden(LEAF, "empty_file.csv"),
    ]);
    expect(code).toBe(0);
    expect(report.competition_reports.map(({ status }) => status)).toEqual(["scored", "scored", "invalid"]);
    expect(report).toMatchObject({
      total_runs: 3,
      total_runs_with_submissions: 3,
      total_valid_submissions: 2,
    });
  });

  test("reports a broken line by its number and grades the others", () => {
    const { code, report, stderr } = grade([
      golden(LEAF, "perfect.csv"),
      "# fine",
      '{"competition_id": ',
      '["no object"]',
      '{"competition_id": 5}',
      golden(LEAF, "noisy_good.csv"),
    ]);
    expect(code).toBe(1);
    expect(report.total_runs).toBe(2);
    expect(report.broken_lines.map((broken) => broken.line)).toEqual([3, 4, 5]);
    expect(stderr).toContain("Line 3: not JSON");
    expect(stderr).toContain('Line 5: "competition_id" must be a string.');
  });

  test("never stops at entries that are unknown, unprepared or without a submission", () => {
    const list = [
      line("leaf-clasification", goldenSubmission(LEAF, "perfect.csv")),
      line(LEAF, null),
      line(LEAF, path.join(folder, "nowhere.csv")),
      golden(LEAF, "perfect.csv"),
      golden(QUEST, "noisy_good.csv"),
    ];
    const sparse = layOutGoldenData(path.join(folder, "sparse"), [LEAF]);
    const { code, report, stderr } = grade(list, "--data-dir", sparse);
    expect(code).toBe(1);
    expect(report.competition_reports.map(({ status }) => status)).toEqual([
      ...["unknown-competition", "missing", "missing", "scored", "unprepared"],
    ]);
    expect(report.competition_reports.map(({ submission_exists: exists }) => exists)).toEqual([
      ...[false, false, false, true, true],
    ]);
    expect(stderr).toContain('There is no competition "leaf-clasification".');
    expect(stderr).toContain(`${QUEST} has no prepared data in ${sparse}.`);
  });

  test("leaves with 3 when nothing could be graded and still writes why", () => {
    const { code, report } = grade([line("no-such-thing", "x.csv")]);
    expect(code).toBe(3);
    expect(report.competition_reports[0]).toMatchObject({ status: "unknown-competition", blame: "user" });
  });

  test.each([
    ["does not exist", () => path.join(folder, "nowhere.jsonl"), "does not exist"],
    ["is a folder", () => folder, "is a folder"],
    ["holds comments only", () => writeText(folder, "empty.jsonl", "# nothing\n\n"), "nothing to grade"],
    ["holds broken lines only", () => writeText(folder, "broken.jsonl", "\n{\n"), "Line 2: not JSON"],
  ])("leaves with 2 and a sentence when the list %s", (_, list, sentence) => {
    const result = mlebench(["grade", "--submission", list(), "--output-dir", path.join(folder, "none")]);
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toContain(sentence);
    expect(fs.existsSync(path.join(folder, "none"))).toBe(false);
  });

  test("leaves with 2 when an option is missing or makes no sense", () => {
    expect(mlebench(["grade"])).toMatchObject({ code: 2, stdout: "" });
    const odd = mlebench(["grade", "--submission", "x", "--output-dir", "y", "--workers", "none"]);
    expect(odd.code).toBe(2);
    expect(odd.stderr).toContain("whole number");
  });

  test("writes null and the kind of the score where JSON has no number for it", () => {
    const special = goldenIds().flatMap((id) =>
      recordedCases(id)
        .filter(({ nan, score }) => nan || typeof score === "string")
        .map((entry) => ({ id, entry })),
    );
    const { code, report } = grade(special.map(({ id, entry }) => golden(id, entry.file)));
    expect(code).toBe(0);
    expect(new Set(report.competition_reports.map((entry) => entry.score_kind))).toEqual(
      new Set(["nan", "infinity", "-infinity"]),
    );
    for (const [position, { entry }] of special.entries()) {
      expect(report.competition_reports[position]).toMatchObject({
        score: null,
        valid_submission: true,
        score_kind: entry.nan ? "nan" : String(entry.score).toLowerCase(),
      });
    }
  });

  test("gives the same report with two workers as with one", () => {
    const lines = [
      ...goldenIds().map((id) => golden(id, recordedCases(id)[0].file)),
      line("no-such-thing", "x.csv"),
      line(LEAF, null),
    ];
    const untimed = (...args: string[]) =>
      grade(lines, ...args).report.competition_reports.map(({ created_at: _, ...rest }) => rest);
    expect(untimed("--workers", "2")).toEqual(untimed("--workers", "1"));
  });

  test("keeps both reports of one second apart", () => {
    const list = writeText(folder, "twice.jsonl", golden(LEAF, "perfect.csv"));
    const outputDir = path.join(folder, "twice");
    const args = ["grade", "--submission", list, "--output-dir", outputDir, "--data-dir", dataDir];
    for (let i = 0; i < 3; i++) expect(mlebench(args).code).toBe(0);
    expect(fs.readdirSync(outputDir)).toHaveLength(3);
  });

  test("prints the report itself with --json", () => {
    const result = grade([golden(LEAF, "perfect.csv")], "--json");
    expect(json(result)).toEqual(result.raw);
  });

  test.runIf(FULL).each(["1", "2"])(
    "leaves nothing half-written when interrupted, with %s workers",
    async (workers) => {
      const contents = fs.readFileSync(goldenSubmission(LEAF, "perfect.csv"), "utf8");
      // No two are the same, so that each is graded.
      const entries = Array.from({ length: 8000 }, (_, i) => {
        const { submission_path, ...entry } = JSON.parse(golden(LEAF, "perfect.csv"));
        const file = writeText(folder, `many-${workers}/${i}.csv`, contents + "\n".repeat(i));
        return JSON.stringify({ ...entry, submission_path: file });
      });
      const list = writeText(folder, `long-${workers}.jsonl`, entries.join("\n"));
      const outputDir = path.join(folder, `interrupted-${workers}`);
      const child = startMlebench([
        ...["grade", "--submission", list, "--output-dir", outputDir, "--data-dir", dataDir],
        ...["--workers", workers],
      ]);
      let stderr = "";
      child.stdout!.resume();
      // The first line of progress says that grading is well under way.
      child.stderr!.on("data", (chunk) => {
        if (stderr === "") child.kill("SIGINT");
        stderr += chunk;
      });
      const code = await new Promise((resolve) => child.on("close", resolve));
      expect(stderr).toContain("INTERRUPTED");
      expect(code).toBe(130);
      expect(fs.existsSync(outputDir)).toBe(false);
    },
  );
});

describe("mlebench grade-sample", () => {
  const gradeSample = (file: string, id: string, ...args: string[]) =>
    mlebench(["grade-sample", file, id, "--data-dir", dataDir, ...args]);

  test("tells the score, the medal, and on what they were measured", () => {
    const { code, stdout } = gradeSample(goldenSubmission(LEAF, "perfect.csv"), LEAF);
    expect(code).toBe(0);
    expect(stdout).toContain("score       0 (lower is better)");
    expect(stdout).toContain("gold (Kaggle leaderboard), above the median");
    expect(stdout).toContain("rank 1 of 1596 teams");
  });

  test("prints one entry of a grading report with --json", () => {
    const result = gradeSample(goldenSubmission(LEAF, "perfect.csv"), LEAF, "--json");
    expect(Object.keys(json(result) as object).slice(0, ORIGINAL_ENTRY_KEYS.length)).toEqual(
      ORIGINAL_ENTRY_KEYS,
    );
    expect(CompetitionReport.parse(json(result))).toMatchObject({ score: 0, score_kind: "finite" });
  });

  test("says what is wrong with an invalid submission and leaves with 1", () => {
    const { code, stdout, stderr } = gradeSample(goldenSubmission(LEAF, "missing_row.csv"), LEAF);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toContain("the submission earns no score");
    expect(stdout).toMatch(/1 id missing from "id" \("\d+"\)/);
  });

  test("measures with --noise how firmly the medal stands", () => {
    const args = ["--noise", "50", "--json"];
    const pizza = gradeSample(
      goldenSubmission("random-acts-of-pizza", "noisy_good.csv"),
      "random-acts-of-pizza",
      ...args,
    );
    const { noise, score } = CompetitionReport.parse(json(pizza));
    expect(noise!.low).toBeLessThanOrEqual(score!);
    expect(noise!.high).toBeGreaterThanOrEqual(score!);
  });

  test.each([
    [
      "an unknown competition",
      2,
      LEAF,
      "perfect.csv",
      "leaf-clasification",
      "did you mean: leaf-classification",
    ],
    ["a folder", 2, LEAF, "", LEAF, "is a folder."],
    ["a file that is not named .csv", 2, LEAF, "cases.json", LEAF, "does not end in .csv."],
    ["no file at all", 2, LEAF, "nowhere.csv", LEAF, "There is no file"],
  ])("has a sentence for %s", (_, code, goldenId, file, id, sentence) => {
    const result = gradeSample(goldenSubmission(goldenId, file), id);
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toContain(sentence);
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  test("names the command that prepares missing data", () => {
    const result = gradeSample(
      goldenSubmission(LEAF, "perfect.csv"),
      LEAF,
      "--data-dir",
      path.join(folder, "empty"),
    );
    expect(result).toMatchObject({ code: 3, stdout: "" });
    expect(result.stderr).toContain("prepare it: mlebench prepare -c leaf-classification");
  });

  test("finds the data folder through the environment", () => {
    const args = ["grade-sample", goldenSubmission(LEAF, "perfect.csv"), LEAF];
    expect(mlebench(args, { MLEBENCH_DATA_DIR: dataDir }).code).toBe(0);
    const cache = temporaryFolder();
    layOutGoldenData(path.join(cache, "mle-bench/data"), [LEAF]);
    expect(mlebench(args, { XDG_CACHE_HOME: cache }).code).toBe(process.platform === "linux" ? 0 : 3);
  });

  test.skipIf(process.getuid?.() === 0)("has a sentence for a file that may not be read", () => {
    const file = writeText(folder, "secret.csv", "id\n1\n");
    fs.chmodSync(file, 0);
    const result = gradeSample(file, LEAF);
    expect(result.code).not.toBe(0);
    expect(result.stdout + result.stderr).toContain("cannot be read");
  });

  test("accepts the extension in capitals, as the original does", () => {
    const file = writeText(folder, "SUBMISSION.CSV", fs.readFileSync(goldenSubmission(LEAF, "perfect.csv")));
    expect(gradeSample(file, LEAF).code).toBe(0);
  });

  test("refuses a field and a file beyond the limits that flags set", () => {
    const file = goldenSubmission(LEAF, "perfect.csv");
    expect(gradeSample(file, LEAF, "--max-field-size", "5b").stdout).toContain("is longer than 5 bytes");
    expect(gradeSample(file, LEAF, "--max-file-size", "1KiB").stdout).toContain("the limit is 1024");
    expect(gradeSample(file, LEAF, "--max-file-size", "large")).toMatchObject({ code: 2 });
  });
});
