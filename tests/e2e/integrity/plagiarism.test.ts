import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readFindings } from "../../../src/integrity/findings/read.ts";
import { writeGroup } from "../analysis/synthetic-group.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const SOURCES = path.resolve("tests/unit/integrity/plagiarism/sources");
const source = (name: string) => fs.readFileSync(path.join(SOURCES, name), "utf8");
const [LEAF, SPOOKY] = ["leaf-classification", "spooky-author-identification"];

function scene() {
  const root = temporaryFolder();
  const group = writeGroup(
    path.join(root, "runs/g"),
    [LEAF, LEAF, SPOOKY].map((competitionId, seed) => ({ competitionId, seed, medal: "gold" as const })),
  );
  const code = (trial: string, name: string, text: string) => writeText(group, `${trial}/code/${name}`, text);
  const copied = source("boosting.py").replaceAll("frame", "tbl").replaceAll("predictions", "p");
  code(`${LEAF}_0-0`, "train.py", copied);
  code(`${LEAF}_1-1`, "solve/main.py", source("network.py"));
  code(`${LEAF}_1-1`, "site-packages/library.py", source("boosting.py"));
  code(`${SPOOKY}_2-2`, "words.py", source("words.py"));
  const kernels = path.join(root, "checkout/mlebench/competitions", LEAF, "kernels");
  writeText(kernels, "ann_boosting.py", source("boosting.py"));
  writeText(kernels, "bob_words.py", source("words.py"));
  writeText(kernels, "notes.txt", "not code");
  const data = path.join(root, "data");
  return { root, group, data, runs: ["--runs-dir", path.join(root, "runs"), "--data-dir", data] };
}

interface Printed {
  page: string;
  reports: string[];
  warnings: string[];
  trials: { trial: string; max: { similarity: number; rightFile: string } | null; flagged: unknown[] }[];
}

test("a renamed copy of a public notebook is found, an unrelated trial is not, and both are shown side by side", () => {
  const { root, group, runs, data } = scene();
  const taken = mlebench(["kernels", "import", path.join(root, "checkout"), "--data-dir", data, "--json"]);
  expect(taken.code, taken.stderr).toBe(0);
  expect(json(taken)).toMatchObject({ competitions: [{ competitionId: LEAF, imported: 2, skipped: 1 }] });
  const ran = mlebench(["plagiarism", "g", ...runs, "--json"]);
  expect(ran.code, ran.stderr).toBe(1);
  expect(ran.stderr).toContain(`${SPOOKY} has no kernels`);
  const result = json(ran) as Printed;
  const [copy, own, words] = result.trials;
  expect(copy.max).toMatchObject({ similarity: 1, rightFile: "kernels/ann_boosting.py" });
  expect(own.max!.similarity).toBeLessThan(0.4);
  expect(own.flagged).toEqual([]);
  expect(words.max).toBeNull();
  const page = fs.readFileSync(result.page, "utf8");
  expect(page).toContain("lines 1 to");
  expect(page).toContain("default-src 'none'");
  const report = result.reports.find((file) => file.includes(`${LEAF}_0-0`))!;
  expect(report).toMatch(/_code_plagiarism_report\.jsonl$/);
  const lines = fs
    .readFileSync(report, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(Object.keys(lines[0])).toEqual(["leftFile", "rightFile", "similarity"]);
  expect(lines.map(({ similarity }) => similarity)).toEqual(
    lines.map((one) => one.similarity).sort((a, b) => b - a),
  );
  expect(readFindings(group).findings).toMatchObject([
    { trial: `${LEAF}_0-0`, kind: "similar-to-kernel", severity: "serious", explained: null },
  ]);
});

test("a copy in a folder called env, and one in a notebook with many pictures, are found", () => {
  const { root, group, runs, data } = scene();
  expect(mlebench(["kernels", "import", path.join(root, "checkout"), "--data-dir", data]).code).toBe(0);
  writeText(group, `${LEAF}_1-1/code/.cache/env/x.py`, source("boosting.py"));
  const picture = { data: { "image/png": "iVBORw0KGgo".repeat(300_000) } };
  const cell = { cell_type: "code", source: source("boosting.py"), outputs: [picture] };
  fs.rmSync(path.join(group, `${LEAF}_0-0/code`), { recursive: true });
  writeText(group, `${LEAF}_0-0/code/solve.ipynb`, JSON.stringify({ cells: [cell] }));
  const result = json(mlebench(["plagiarism", "g", ...runs, "--json"])) as Printed;
  expect(result.trials.slice(0, 2).map(({ max }) => max?.similarity)).toEqual([1, 1]);
});

test("what an agent says it took from a repository is shown as explained", () => {
  const { root, group, runs } = scene();
  const spans = [{ repository: "ann/boosting", commit: "abc", licence: "MIT", original: "b.py" }];
  const files = [{ file: "train.py", lines: 60, similarity: 0.9, spans }];
  writeText(group, `${LEAF}_0-0/code/provenance.json`, JSON.stringify({ files }));
  const kernels = path.join(root, "checkout/mlebench/competitions");
  const ran = mlebench(["plagiarism", "g", ...runs, "--kernels", kernels, "--json"]);
  expect(ran.code, ran.stderr).toBe(0);
  expect(readFindings(group).findings).toMatchObject([
    {
      severity: "note",
      explained: expect.stringContaining("90 % of this file is from ann/boosting at abc (MIT)"),
    },
  ]);
});

test("a starter competition is compared with the solutions that come with it, and nobody is sent to Kaggle for notebooks", () => {
  const root = temporaryFolder();
  const id = "starter-house-prices";
  const group = writeGroup(path.join(root, "runs/g"), [{ competitionId: id, seed: 0, medal: "gold" }]);
  const rungs = fs.readFileSync("src/starter/rungs/house_prices.py", "utf8").replaceAll("number", "table");
  writeText(group, `${id}_0-0/code/train.py`, rungs);
  const places = ["--runs-dir", path.join(root, "runs"), "--data-dir", path.join(root, "data")];
  for (const command of ["plagiarism", "integrity"]) {
    const ran = mlebench([command, "g", ...places, "--json"]);
    expect(ran.code, ran.stderr).toBe(1);
    expect(ran.stderr + ran.stdout).not.toContain("kernels download");
    expect(readFindings(group).findings.filter(({ check }) => check === "plagiarism")).toMatchObject([
      {
        kind: "similar-to-solution",
        severity: "serious",
        sentence: expect.stringContaining("solutions/rungs.py"),
      },
    ]);
  }
  // Solutions of the user's own stand beside them, in the whole check, too.
  writeText(root, `known/${id}/mine.py`, rungs);
  const known = mlebench(["integrity", "g", ...places, "--solutions", path.join(root, "known")]);
  expect(known.code, known.stderr).toBe(1);
  expect(
    readFindings(group)
      .findings.map(({ kind }) => kind)
      .filter((kind) => kind === "similar-to-solution"),
  ).toHaveLength(2);
});

test("the original's list of submissions works, with hostile files in it", () => {
  const { root, group } = scene();
  writeText(group, `${LEAF}_0-0/code/deep.py`, "(".repeat(200_000));
  writeText(group, `${LEAF}_0-0/code/bytes.py`, Buffer.from([0xff, 0xfe, 0, 1, 2]));
  writeText(group, `${LEAF}_0-0/code/broken.ipynb`, "{");
  fs.symlinkSync("/etc", path.join(group, `${LEAF}_0-0/code/link`));
  const lines = [0, 1].map((i) =>
    JSON.stringify({ competition_id: LEAF, code_path: `runs/g/${LEAF}_${i}-${i}/code` }),
  );
  const list = writeText(root, "list.jsonl", lines.join("\n"));
  const out = path.join(root, "out");
  const kernels = path.join(root, "checkout/mlebench/competitions");
  const ran = mlebench([
    "plagiarism",
    "--submission",
    list,
    "--kernels",
    kernels,
    "--output-dir",
    out,
    "--json",
  ]);
  expect(ran.code, ran.stderr).toBe(1);
  expect((json(ran) as Printed).trials[0].max?.similarity).toBe(1);
  expect(fs.readdirSync(out)).toHaveLength(3);
  expect(mlebench(["plagiarism", "--submission", writeText(root, "bad.jsonl", "{}")]).code).toBe(2);
  expect(mlebench(["plagiarism"]).code).toBe(2);
});
