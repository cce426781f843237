// full: makes competitions and lets the baseline learn on each
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Competition } from "../../../src/competitions/competition.ts";
import type { MadeCompetition } from "../../../src/workflows/init/schema.ts";
import { FULL } from "../../full.ts";
import { descriptionProblems } from "../../golden/description-check.ts";
import { json, mlebench, startMlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { ISOLATES } from "../trials/kinds.ts";
import { bytesBelow, PATIENCE_MS, TIME_TO_LEARN, workshop } from "./made.ts";
import { answer, kind, price, table } from "./tables.ts";

vi.setConfig({ testTimeout: PATIENCE_MS, hookTimeout: PATIENCE_MS });

const shop = workshop();
const scoresOf = ({ scores }: MadeCompetition) =>
  Object.fromEntries(
    Object.entries(scores).map(([name, one]) => [name, one.status === "scored" ? one.score : null]),
  );

describe("a table with a number to predict", () => {
  const id = "flat-prices";
  const content = table(["price"], (row) => [price(row)]);
  let made: MadeCompetition;
  beforeAll(() => {
    made = shop.make(id, content, "--target", "price", ...TIME_TO_LEARN);
  });

  it("becomes a competition that is ready, with the three scores in their order", () => {
    expect(made).toMatchObject({
      status: "ready",
      folder: path.join(shop.competitions, id),
      proposal: {
        target: { kind: "number" },
        metric: { metric: "rmse" },
        split: { by: "rows" },
        id: { made: true },
      },
      scores: { perfect: { score: 0 } },
      audit: { verdict: "clean" },
    });
    // Where no sandbox works our own baseline runs as a plain process; that is said, and nothing else is.
    const ofTheMachine = /^(bubblewrap|podman|docker): |^no sandbox works here: /;
    expect(made.warnings.filter((warning) => ISOLATES || !ofTheMachine.test(warning))).toEqual([]);
    const { sample, baseline, perfect } = scoresOf(made);
    expect(perfect).toBeLessThan(baseline!);
    expect(baseline).toBeLessThan(sample!);
  });

  it("has the files of a user's own competition, and nothing else beside it", () => {
    expect(fs.readdirSync(shop.competitions)).toEqual([id]);
    expect(fs.readdirSync(made.folder).sort()).toEqual([
      "checksums.json",
      "competition.mjs",
      "description.md",
      "init.json",
      "prepare.mjs",
      "raw.zip",
    ]);
  });

  it("is prepared in the data folder, test being a fifth of the rows, and each row in one part", () => {
    const train = shop.columns(id, "public/train.csv");
    const test = shop.columns(id, "public/test.csv");
    const answers = shop.columns(id, "private/test.csv");
    expect(Object.keys(train)).toEqual(["row_id", "x", "y", "colour", "price"]);
    expect(Object.keys(test)).toEqual(["row_id", "x", "y", "colour"]);
    expect(test.row_id).toHaveLength(40);
    expect(answers.row_id).toEqual(test.row_id);
    expect(new Set([...train.row_id, ...test.row_id]).size).toBe(200);
  });

  it("is shown, prepared, validated, graded and audited as any other", () => {
    const sample = shop.file(id, "public/sample_submission.csv");
    expect(mlebench(["show", id, ...shop.where]).stdout).toContain(
      "root-mean-squared-error, lower is better",
    );
    expect(mlebench(["prepare", "-c", id, ...shop.where]).code).toBe(0);
    expect(mlebench(["validate", sample, id, ...shop.where]).code).toBe(0);
    const graded = json(mlebench(["grade-sample", sample, id, ...shop.where, "--json"]));
    expect(graded).toMatchObject({ score: scoresOf(made).sample, any_medal: false });
    expect(mlebench(["audit", "-c", id, ...shop.where]).code).toBe(0);
  });

  it("is prepared again from its own folder, to the recorded bytes", () => {
    const elsewhere = temporaryFolder();
    const { stdout } = mlebench([
      ...["prepare", "-c", id, "--competitions", shop.competitions],
      ...["--data-dir", elsewhere, "--json"],
    ]);
    expect(stdout).toContain('"verification":"matches"');
    const prepared = bytesBelow(path.join(elsewhere, id, "prepared"));
    expect(prepared).toEqual(bytesBelow(path.join(shop.data, id, "prepared")));
  });

  it("is described in the house format", () => {
    const shown = json(mlebench(["show", id, ...shop.where, "--json"])) as Competition;
    const text = fs.readFileSync(path.join(made.folder, "description.md"), "utf8");
    const facts = {
      name: shown.name,
      lowerIsBetter: shown.metric.direction === "minimize",
      idColumns: [...shown.columns.id],
      targetColumns: [...shown.columns.target],
      files: shown.files,
    };
    const tree = {
      paths: ["train.csv", "test.csv", "sample_submission.csv"],
      columns: new Set(Object.keys(shop.columns(id, "public/train.csv"))),
      sampleHeader: Object.keys(shop.columns(id, "public/sample_submission.csv")),
    };
    expect(descriptionProblems(text, facts, tree)).toEqual([]);
  });

  it("comes out with the same bytes a second time", () => {
    const again = workshop();
    again.make(id, content, "--target", "price", ...TIME_TO_LEARN);
    expect(bytesBelow(again.competitions)).toEqual(bytesBelow(shop.competitions));
    const prepared = (one: typeof shop) => bytesBelow(path.join(one.data, id, "prepared"));
    expect(prepared(again)).toEqual(prepared(shop));
  });

  it("is not replaced unless that is asked for", () => {
    const before = bytesBelow(shop.competitions);
    const { code, outcome } = shop.init(id, content, "--target", "price");
    expect([code, outcome]).toMatchObject([2, { status: "refused", code: "FOLDER_EXISTS" }]);
    expect(bytesBelow(shop.competitions)).toEqual(before);
  });
});

describe("a table with two classes", () => {
  it("asks for probabilities; rows without an answer are left out, and odd names survive", () => {
    const odd = 'say "`hi`", ünder\nline';
    const content = table(["id", odd, "answer"], (row) => [
      `n${(row.number * 7919) % 1000}`,
      row.x > 0.5 ? "a,b" : 'c"d',
      row.number % 20 === 0 ? "" : answer(row),
    ]);
    const made = shop.make("two-classes", content, "--target", "answer", ...TIME_TO_LEARN);
    expect(made).toMatchObject({
      status: "ready",
      proposal: {
        rows: { used: 190, withoutTarget: 10 },
        target: { kind: "binary", positive: "yes" },
        metric: { metric: "auc" },
        split: { by: "classes" },
        id: { column: "id", made: false },
      },
      scores: { sample: { score: 0.5 }, baseline: { status: "scored" }, perfect: { score: 1 } },
    });
    expect(Object.keys(shop.columns("two-classes", "public/test.csv"))).toEqual([
      "x",
      "y",
      "colour",
      "id",
      odd,
    ]);
    const share = (cells: string[]) => cells.filter((cell) => cell === "1").length / cells.length;
    const train = share(shop.columns("two-classes", "public/train.csv").answer);
    const test = share(shop.columns("two-classes", "private/test.csv").answer);
    expect(Math.abs(train - test)).toBeLessThan(0.02);
  });
});

describe.runIf(FULL)("a table with several classes", () => {
  it("asks for a probability of each", () => {
    const made = shop.make(
      "trees",
      table(["kind"], (row) => [kind(row)]),
      "--target",
      "kind",
      ...TIME_TO_LEARN,
    );
    expect(made).toMatchObject({
      status: "ready",
      proposal: { target: { kind: "classes" }, metric: { metric: "log-loss" } },
      scores: { baseline: { status: "scored" }, perfect: { score: 0 } },
    });
    expect(scoresOf(made).sample).toBeCloseTo(Math.log(3), 4);
    const answers = shop.columns("trees", "private/test.csv");
    expect(Object.keys(answers)).toEqual(["row_id", "ash", "elm", "oak"]);
  });
});

describe.runIf(FULL)("rows that belong together", () => {
  const content = table(["patient", "seen", "sick"], (row) => [
    `p${row.number % 25}`,
    new Date(Date.UTC(2024, 0, 1 + row.number)).toISOString().slice(0, 10),
    answer(row),
  ]);

  it("stay on one side, also where only the name of a column says that they do", () => {
    const made = shop.make("clinic", content, "--target", "sick", ...TIME_TO_LEARN);
    expect(made).toMatchObject({
      status: "ready",
      proposal: { split: { by: "group", column: "patient", why: expect.stringContaining("people") } },
    });
    const train = new Set(shop.columns("clinic", "public/train.csv").patient);
    expect(train.size).toBeLessThan(25);
    expect(Object.keys(shop.columns("clinic", "public/test.csv"))).not.toContain("patient");
    // Train has all rows of its patients, so test has none of them.
    const rows = shop.columns("clinic", "public/train.csv").patient.length;
    expect(rows).toBe(train.size * 8);
  });

  it("are split by time where that is asked for", () => {
    const options = ["--time", "seen", "--drop", "patient", ...TIME_TO_LEARN];
    const made = shop.make("seasons", content, "--target", "sick", ...options);
    expect(made).toMatchObject({
      status: "ready",
      proposal: { split: { by: "time" }, dropped: ["patient"] },
    });
    const latest = shop.columns("seasons", "public/train.csv").seen.sort().at(-1)!;
    const [earliest] = shop.columns("seasons", "public/test.csv").seen.sort();
    expect(latest < earliest).toBe(true);
  });
});

describe("a column that is the answer under another name", () => {
  const content = table(["paid", "answer"], (row) => [answer(row) === "yes" ? 1 : 0, answer(row)]);

  it("keeps the competition from being ready, until it is dropped as the next command says", () => {
    const { code, outcome, folder } = shop.init("leaky", content, "--target", "answer", ...TIME_TO_LEARN);
    expect([code, outcome]).toMatchObject([
      1,
      { status: "not-ready", audit: { verdict: "findings" }, scores: { perfect: { score: 1 } } },
    ]);
    expect(fs.existsSync(path.join(folder, "competition.mjs"))).toBe(true);
    expect(fs.existsSync(path.join(shop.data, "leaky"))).toBe(false);
    const [next] = (outcome as MadeCompetition).nextCommands;
    expect(next).toContain("--drop paid --force");
    const [, ...words] = next.split(" ");
    const mended = mlebench([...words, "--json"]);
    expect(mended.code).toBe(0);
    expect(json(mended)).toMatchObject({ status: "ready", proposal: { dropped: ["paid"] } });
    expect(Object.keys(shop.columns("leaky", "public/train.csv"))).not.toContain("paid");
  });
});

describe("a table from which nothing can be learned", () => {
  // What the columns say of the earlier days is the opposite of what they say of the later ones.
  const content = table(["day", "answer"], (row) => [
    new Date(Date.UTC(2024, 0, 1 + row.number)).toISOString().slice(0, 10),
    row.x + row.error > 0.5 === row.number < 160 ? "yes" : "no",
  ]);

  it("becomes a competition that is not ready, and the reason says so", () => {
    const { code, outcome } = shop.init("turned", content, "--target", "answer", "--time", "day");
    expect([code, outcome]).toMatchObject([
      1,
      {
        status: "not-ready",
        reasons: [expect.stringContaining("is not better than the constant guess (0.5)")],
      },
    ]);
    expect(fs.existsSync(path.join(shop.data, "turned"))).toBe(false);
  });
});

describe.runIf(FULL)("every metric that can be asked for", () => {
  const content = table(["price", "answer", "grade"], (row) => [
    price(row),
    answer(row),
    1 + Math.floor(row.x * 4),
  ]);
  it.each([
    ["mae", "price", 0],
    ["rmsle", "price", 0],
    ["log-loss", "answer", 0],
    ["accuracy", "answer", 1],
    ["accuracy", "colour", 1],
    ["quadratic-kappa", "grade", 1],
  ])(
    "%s of %s gives perfect answers the best score, and the constant guess a worse one",
    (metric, target, best) => {
      const id = `${metric}-of-${target}`;
      const others = ["price", "answer", "grade"].filter((name) => name !== target);
      const made = shop.make(
        id,
        content,
        ...["--target", target, "--metric", metric],
        ...others.flatMap((name) => ["--drop", name]),
      );
      expect(made).toMatchObject({ proposal: { metric: { metric } }, scores: { perfect: { score: best } } });
      expect(scoresOf(made).sample).not.toBe(best);
    },
  );
});

describe("Ctrl-C", () => {
  it("leaves neither a folder nor data", async () => {
    const root = temporaryFolder();
    const train = writeText(
      root,
      "flats.csv",
      table(["price"], (row) => [price(row)]),
    );
    const competitions = path.join(root, "competitions");
    const child = startMlebench([
      ...["init", path.join(competitions, "flats"), "--train", train, "--target", "price"],
      ...["--data-dir", path.join(root, "data"), "--time-limit", "60s"],
    ]);
    let seen = "";
    const code = await new Promise((resolve) => {
      child.stderr!.on("data", (text: Buffer) => {
        if (!seen.includes("running the baseline")) {
          seen += text;
          if (seen.includes("running the baseline")) child.kill("SIGINT");
        }
      });
      child.on("exit", resolve);
    });
    expect(code).toBe(130);
    expect(fs.readdirSync(competitions)).toEqual([]);
    expect(fs.existsSync(path.join(root, "data"))).toBe(false);
  });
});
