import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type InitRequest, initCompetition } from "../../../src/workflows/init/init.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { answer, table } from "./tables.ts";

const good = table(["account", "day", "note", "answer"], (row) => [
  `a${row.number % 10}`,
  row.number === 3 ? "soon" : "2024-01-01",
  `${row.number} words of its own`,
  answer(row),
]);

async function init(content: string | Uint8Array, wishes: Partial<InitRequest> = {}) {
  const root = temporaryFolder();
  const competitions = path.join(root, "competitions");
  const outcome = await initCompetition(
    {
      folder: path.join(competitions, "mine"),
      train: writeText(root, "table.csv", content),
      target: "answer",
      metric: null,
      id: null,
      group: null,
      time: null,
      drop: [],
      testSize: 0.2,
      seed: 0,
      dataDir: path.join(root, "data"),
      dataDirOption: null,
      baselineSeconds: 1,
      force: false,
      words: [],
      ...wishes,
    },
    { signal: new AbortController().signal, onStep: () => {} },
  );
  return { outcome, written: fs.readdirSync(root).filter((name) => name !== "table.csv") };
}

const rows = (count: number, cell: (row: number) => string) =>
  `x,answer\n${Array.from({ length: count }, (_, row) => `${(row * 37) % 11},${cell(row)}\n`).join("")}`;

describe("a table that cannot be used is refused in a sentence, and nothing is written", () => {
  it.each<[string, string, string | Uint8Array, Partial<InitRequest>]>([
    ["no such file", "NO_SUCH_FILE", good, { train: "/nowhere/table.csv" }],
    ["a folder in place of a file", "NOT_A_FILE", good, { train: "tests" }],
    ["no target of that name", "NO_SUCH_COLUMN", good, { target: "Answer" }],
    ["no id of that name", "NO_SUCH_COLUMN", good, { id: "nobody" }],
    ["no column to drop", "NO_SUCH_COLUMN", good, { drop: ["nothing"] }],
    ["the target dropped", "BAD_DROP", good, { drop: ["answer"] }],
    ["an empty file", "NO_ROWS", "", {}],
    ["a header alone", "NO_ROWS", "x,answer\n", {}],
    ["text that is not UTF-8", "NOT_A_TABLE", Buffer.from("x,answer\n1,caf\xe9\n", "latin1"), {}],
    ["a quote that is never closed", "NOT_A_TABLE", 'x,answer\n1,"yes\n2,no\n', {}],
    ["rows longer than the header", "NOT_A_TABLE", "x,answer\n1,2,3\n4,5,6\n", {}],
    ["a longer row further down", "NOT_A_TABLE", "x,answer\n1,2\n4,5,6\n", {}],
    ["bytes of no table", "NO_SUCH_COLUMN", Uint8Array.from({ length: 300 }, (_, i) => i % 90), {}],
    ["too few rows", "TOO_FEW_ROWS", rows(19, (row) => String(row % 2)), {}],
    ["answers missing but for a few", "TOO_FEW_ROWS", rows(90, (row) => (row < 9 ? "1" : "")), {}],
    ["a constant target", "CONSTANT_TARGET", rows(40, () => "same"), {}],
    ["an infinite target", "BAD_TARGET", rows(40, (row) => (row === 7 ? "inf" : `${row}.5`)), {}],
    ["free text", "FREE_TEXT", good, { target: "note" }],
    ["amounts with a sign before them", "FREE_TEXT", rows(40, (row) => `$${row}`), {}],
    ["a class of two with one row", "ONE_ROW_PER_CLASS", rows(40, (row) => (row === 5 ? "yes" : "no")), {}],
    ["a class for each row", "METRIC_DOES_NOT_FIT", good, { target: "note", metric: "accuracy" }],
    ["squared errors of words", "METRIC_DOES_NOT_FIT", good, { metric: "rmse" }],
    ["AUC of three classes", "METRIC_DOES_NOT_FIT", good, { target: "colour", metric: "auc" }],
    ["logarithms below zero", "METRIC_DOES_NOT_FIT", rows(40, (row) => `${row - 9}.5`), { metric: "rmsle" }],
    ["ids twice", "DUPLICATED_IDS", good, { id: "account" }],
    ["the target as id", "BAD_ID", good, { id: "answer" }],
    ["an id in the order of the target", "ID_LEAKS", sorted(), { id: "number" }],
    ["group and time", "TWO_SPLITS", good, { group: "account", time: "day" }],
    ["a time that is none", "BAD_TIME", good, { time: "day" }],
    ["one group", "BAD_GROUP", rows(40, (row) => String(row % 2)).replace(/^\d+/gm, "1"), { group: "x" }],
    ["the target as group", "BAD_SPLIT", good, { group: "answer" }],
    ["nothing to predict from", "NO_FEATURES", rows(40, (row) => String(row % 2)), { drop: ["x"] }],
    ["a name without letters", "BAD_NAME", good, { folder: "___" }],
    ["a name of the catalogue", "NAME_TAKEN", good, { folder: "Leaf_Classification" }],
  ])("%s", async (_, code, content, wishes) => {
    const { outcome, written } = await init(content, wishes);
    expect(outcome).toMatchObject({ status: "refused", code, blame: "user" });
    if (outcome.status !== "refused") return;
    for (const sentence of [outcome.message, outcome.nextStep]) expect(sentence).toMatch(/[.?]$/);
    expect(written).toEqual([]);
  });

  it("a file too large to look at", async () => {
    const train = writeText(temporaryFolder(), "large.csv", "x,answer\n");
    fs.truncateSync(train, 2 ** 30);
    expect((await init("", { train })).outcome).toMatchObject({ status: "refused", code: "TOO_LARGE" });
  });
});

describe("what is in the way", () => {
  it("is never removed unless init has made it, not even with --force", async () => {
    const folder = temporaryFolder();
    writeText(folder, "thesis.txt", "years of work");
    const named = path.join(path.dirname(folder), "things");
    fs.renameSync(folder, named);
    expect((await init(good, { folder: named, force: true })).outcome).toMatchObject({
      code: "FOLDER_EXISTS",
    });
    expect(fs.readdirSync(named)).toEqual(["thesis.txt"]);
  });

  it("may be data of the same name", async () => {
    const dataDir = temporaryFolder();
    writeText(dataDir, "mine/prepared/private/test.csv", "id,label\n1,0\n");
    expect((await init(good, { dataDir })).outcome).toMatchObject({ code: "DATA_EXISTS" });
  });
});

describe("the command", () => {
  const train = writeText(temporaryFolder(), "table.csv", good);

  it("says what is wrong and what to do, and leaves with 2", () => {
    const { code, stdout, stderr } = mlebench(["init", "mine", "--train", train, "--target", "anser"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(
      'error  NO_SUCH_COLUMN  There is no column "anser".\n       Name one with --target',
    );
  });

  it("refuses groups of one class each, and clears its draft away", () => {
    const root = temporaryFolder();
    const twins = Array.from({ length: 60 }, (_, row) => `${(row * 37) % 11},${row % 2},${row % 2}\n`);
    const file = writeText(root, "twins.csv", `x,twin,answer\n${twins.join("")}`);
    const folder = path.join(root, "competitions", "twins");
    const { code, stderr } = mlebench([
      ...["init", folder, "--train", file, "--target", "answer", "--group", "twin"],
      ...["--data-dir", path.join(root, "data")],
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('SPLIT_IMPOSSIBLE  Split by group, one side has a single class of "answer".');
    expect(fs.readdirSync(path.dirname(folder))).toEqual([]);
  });

  it.each([
    ["--test-size", "1.5"],
    ["--metric", "beauty"],
    ["--seed", "-1"],
    ["--time-limit", "soon"],
  ])("refuses %s %s", (option, value) => {
    const words = ["init", "mine", "--train", train, "--target", "answer", option, value];
    expect(mlebench(words)).toMatchObject({ code: 2, stdout: "" });
  });
});

/** Numbered in the order of the answers, as a table that was sorted before it was numbered. */
function sorted(): string {
  return `number,x,answer\n${Array.from({ length: 60 }, (_, row) => `${row},${(row * 37) % 11},${row < 30 ? "no" : "yes"}\n`).join("")}`;
}
