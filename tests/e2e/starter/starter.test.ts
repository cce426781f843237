import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { loadCompetition } from "../../../src/competitions/catalogue.ts";
import type { Competition } from "../../../src/competitions/competition.ts";
import { resolveSplit } from "../../../src/competitions/splits.ts";
import { gradeSubmission } from "../../../src/grading/grade-submission.ts";
import { descriptionProblems, type PublicTree } from "../../golden/description-check.ts";
import { parseCells } from "../../soak/mutations/cells.ts";
import { mlebench } from "../cli.ts";
import { leftWords } from "../integrity/left-words.ts";
import { type PrepareEvents, prepare } from "../prepare/golden-raw.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { perfectSubmission, writeCells } from "./oracle.ts";

const split = resolveSplit("starter");
const ids = split.ok ? split.ids : [];
const data = temporaryFolder();
const competitions = new Map<string, Competition>();
const prepared: PrepareEvents[] = [];

beforeAll(async () => {
  for (const id of ids) competitions.set(id, (await loadCompetition(id))!.competition);
  // In three parts: one command must end within a minute, also on a busy machine.
  for (const part of [ids.slice(0, 5), ids.slice(5, 10), ids.slice(10)])
    prepared.push(prepare(["-c", ...part, "--data-dir", data]));
}, 200_000);

const place = (id: string, file: string) => path.join(data, id, file);
const grade = (competitionId: string, submissionPath: string) =>
  gradeSubmission({ competitionId, submissionPath, dataDir: data });

describe("the starter split", () => {
  it("holds every starter competition, at least fifteen, with data of a few megabytes", () => {
    const folders = fs.readdirSync("src/competitions").filter((name) => name.startsWith("starter-"));
    expect(ids).toEqual(folders.sort());
    expect(ids.length).toBeGreaterThanOrEqual(15);
    const archives = fs.readdirSync("data/starter").filter((name) => name.endsWith(".tar.gz"));
    expect(archives).toEqual(ids.map((id) => `${id}.tar.gz`));
    const bytes = archives.map((name) => fs.statSync(path.join("data/starter", name)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(12 * 2 ** 20);
  });

  it("covers every kind of task", () => {
    const kinds = new Set([...competitions.values()].map(({ category }) => category));
    expect([...kinds].sort()).toEqual([
      "Audio Classification",
      "Forecasting",
      "Image Classification",
      "Image Segmentation",
      "Image to Image",
      "Sequence to Sequence",
      "Tabular",
      "Text Classification",
    ]);
  });

  it("can be disguised: none of the words that name a source is left in what an agent would see", async () => {
    const shelf = temporaryFolder();
    for (const id of ids) {
      const left = await leftWords((await loadCompetition(id))!, place(id, "prepared/public"), shelf);
      expect(left, id).toEqual({ words: [], headerComesBack: true });
    }
  });

  it("prepares without network or account, to the recorded bytes, and passes the leak scanner", () => {
    for (const part of prepared) expect(part).toMatchObject({ code: 0, stderr: "" });
    const outcomes = prepared.flatMap((part) => part.outcomes);
    expect(outcomes).toHaveLength(ids.length);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({
        status: "ready",
        verification: "matches",
        official: true,
        warnings: [],
        audit: { verdict: "clean" },
      });
    expect(fs.readdirSync(place(ids[0], ".")).sort()).toEqual(["prepare.json", "prepared"]);
  });

  it("has medals on the answers its field was scored on, and on no other split", async () => {
    const [competitionId, dataDir] = ["starter-batch-jobs", temporaryFolder()];
    prepare(["-c", competitionId, "--set", "split_seed=7", "--data-dir", dataDir]);
    const submissionPath = path.join(dataDir, competitionId, "prepared/private/test.csv");
    expect(await gradeSubmission({ competitionId, submissionPath, dataDir })).toMatchObject({
      score: 1,
      medal: null,
      percentile: null,
      board: null,
      whyNoBoard: expect.stringContaining("another split"),
    });
    const shown = mlebench(["grade-sample", submissionPath, competitionId, "--data-dir", dataDir]);
    expect(shown.stdout).toContain("none: the board was made on other answers");
  });

  it("is drawn with a seed that a user may replace, whole numbers only", () => {
    const again = (seed: string) =>
      prepare(["-c", "starter-batch-jobs", "--set", `split_seed=${seed}`, "--data-dir", temporaryFolder()]);
    expect(again("7").outcomes).toMatchObject([{ status: "ready", verification: "not-comparable" }]);
    expect(again("1.5").outcomes).toMatchObject([
      { status: "failed", code: "BAD_SETTING", message: "1.5 is not a seed of a split.", blame: "user" },
    ]);
  });
});

describe.each(ids)("%s", (id) => {
  const competition = () => competitions.get(id)!;
  const perfect = () => {
    const { files } = competition();
    return perfectSubmission(competition(), fs.readFileSync(place(id, files.answers)));
  };

  it("gives perfect answers the best possible score, and gold", async () => {
    const file = writeCells(place(id, "perfect.csv"), perfect());
    const best = competition().metric.direction === "maximize" ? 1 : 0;
    expect(await grade(id, file)).toMatchObject({ status: "scored", score: best, medal: "gold" });
  });

  it("gives its sample submission the recorded, poor score, and no medal", async () => {
    const { files, metric, sampleScore } = competition();
    const sample = await grade(id, place(id, files.sampleSubmission));
    expect(sample).toMatchObject({ status: "scored", score: sampleScore, medal: null, aboveMedian: false });
    if (metric.direction === "maximize") expect(sampleScore).toBeLessThanOrEqual(0.5);
    else expect(sampleScore).toBeGreaterThan(0.3);
  });

  it("grades rows in any order alike", async () => {
    const [header, ...rows] = perfect();
    const turned = await grade(id, writeCells(place(id, "turned.csv"), [header, ...rows.reverse()]));
    const straight = await grade(id, place(id, "perfect.csv"));
    expect(turned).toMatchObject({ status: "scored" });
    expect({ ...turned, submissionPath: "" }).toEqual({ ...straight, submissionPath: "" });
  });

  it.each([
    ["missing", (rows: string[][]) => rows.slice(1)],
    ["repeated", ([first, , ...rest]: string[][]) => [first, first, ...rest]],
    ["unknown", ([[, ...cells], ...rest]: string[][]) => [["zzz", ...cells], ...rest]],
  ])("refuses a submission with an id %s", async (_, change) => {
    const [header, ...rows] = perfect();
    const file = writeCells(place(id, "changed.csv"), [header, ...change(rows)]);
    const refused = await grade(id, file);
    expect(refused).toMatchObject({ status: "invalid" });
    expect(JSON.stringify(refused)).toMatch(/WRONG_IDS|WRONG_ROW_COUNT/);
  });

  it("is described in the house format, with the licence of its data", () => {
    const { name, metric, columns, files } = competition();
    const text = fs.readFileSync(`src/competitions/${id}/description.md`, "utf8");
    const facts = {
      name,
      lowerIsBetter: metric.direction === "minimize",
      idColumns: [...columns.id],
      targetColumns: [...columns.target],
      files,
    };
    expect(descriptionProblems(text, facts, preparedTree(id))).toEqual([]);
    expect(text).toMatch(/licence|public domain|CC0|facts/);
    expect(fs.readFileSync("data/starter/LICENCES.md", "utf8")).toContain(id);
  });

  it("has other test rows than train rows", () => {
    const train = place(id, "prepared/public/train.csv");
    if (!fs.existsSync(train)) return;
    const [idColumn] = competition().columns.id;
    const [header, ...rows] = parseCells(fs.readFileSync(train));
    const known = new Set(rows.map((row) => row[header.indexOf(idColumn)]));
    expect(rows.length).toBeGreaterThan(100);
    const [, ...test] = perfect();
    expect(test.filter(([testId]) => known.has(testId))).toEqual([]);
  });
});

describe("raw data that comes with a user's own competition", () => {
  it("is prepared without any further word, and stays as it is", () => {
    const own = temporaryFolder();
    writeText(own, "mine/raw/all.csv", "id,label\n1,0\n2,1\n");
    writeText(
      own,
      "mine/competition.mjs",
      `import { binaryAuc, defineCompetition } from "mlebench/competition";
export const competition = defineCompetition({ id: "mine", name: "Mine", category: "Tabular", complexity: "dev",
  contest: "simple", dataSizeGB: null, opened: null, closed: null, metric: { name: "auc", direction: "maximize" },
  columns: { id: ["id"], target: ["label"] }, shippedRaw: "raw",
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade: binaryAuc({ id: "id", target: "label" }) });`,
    );
    writeText(
      own,
      "mine/prepare.mjs",
      `import fs from "node:fs";
export const preparer = { async prepare({ raw, public: open, private: hidden }) {
  fs.copyFileSync(raw + "/all.csv", hidden + "/test.csv");
  fs.writeFileSync(open + "/sample_submission.csv", "id,label\\n1,0.5\\n2,0.5\\n"); } };`,
    );
    const { outcomes } = prepare(["-c", "mine", "--competitions", own, "--data-dir", data]);
    expect(outcomes).toMatchObject([{ status: "ready" }]);
    expect(fs.readFileSync(path.join(own, "mine/raw/all.csv"), "utf8")).toContain("2,1");
  });
});

/** What the check of descriptions wants to know of the public folder. */
function preparedTree(id: string): PublicTree {
  const folder = place(id, "prepared/public");
  const files = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "description.md")
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  const header = (file: string) => parseCells(fs.readFileSync(path.join(folder, file)))[0];
  const tables = files.filter((file) => file.endsWith(".csv"));
  return {
    paths: files,
    columns: new Set(tables.flatMap(header)),
    sampleHeader: header("sample_submission.csv"),
  };
}
