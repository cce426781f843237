// full: two of the example experiments, in short form, with the simulated model in a real sandbox
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { cellsOf, competitionsOf } from "../../../src/workflows/experiment/experiment.ts";
import { readExperiment } from "../../../src/workflows/experiment/schema.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { KIND } from "../trials/kinds.ts";

const EXAMPLES = "docs/examples/experiments";
const root = temporaryFolder();
const data = path.join(root, "data");

describe.each([
  ["same-model-different-scaffold", "agent", ["tools-codeact", "tools-mlab"]],
  [
    "same-scaffold-different-model",
    "model",
    ["tools-codeact_simulated-steady", "tools-codeact_simulated-clumsy"],
  ],
  ["with-and-without-materials", "setting", ["tools-codeact_closed", "tools-codeact_notes"]],
  ["short-against-long-budget", "budget", ["tools-codeact_short", "tools-codeact_long"]],
  ["plain-against-obfuscated", "setting", ["baseline_plain", "baseline_obfuscated"]],
] as const)("%s", (name, factor, names) => {
  test("has two cells that differ in one thing alone", () => {
    const read = readExperiment(path.join(EXAMPLES, `${name}.yaml`));
    if (!read.ok) throw new Error(read.message);
    const chosen = competitionsOf(read.experiment);
    const cells = cellsOf(read.experiment, root, chosen.ok ? chosen.ids : []);
    expect(cells.map((cell) => cell.name)).toEqual(names);
    const [a, b] = cells.map(({ factors }) => factors);
    const differing = Object.keys(a).filter((one) => a[one as keyof typeof a] !== b[one as keyof typeof b]);
    expect(differing).toEqual([factor]);
  });
});

describe("same scaffold, different model", () => {
  const file = path.join(root, "short.yaml");
  const runs = ["--runs-dir", path.join(root, "runs")];
  const places = ["--data-dir", data, ...runs];
  beforeAll(() => {
    expect(mlebench(["prepare", "-c", "starter-spam", "--data-dir", data]).code).toBe(0);
    const text = fs.readFileSync(path.join(EXAMPLES, "same-scaffold-different-model.yaml"), "utf8");
    fs.writeFileSync(
      file,
      text
        .replace("[starter-spam, starter-house-prices]", "[starter-spam]")
        .replace("seeds: 2", "seeds: 1")
        .replace("maxCalls: 40", "maxCalls: 4"),
    );
  }, 120_000);

  test("runs offline, and its report compares the two models and says what they were asked", () => {
    const ran = mlebench(["experiment", "run", file, ...places, "--sandbox", KIND], {}, 200_000);
    expect(ran.stderr).not.toMatch(/^error/m);
    expect(ran.code).toBe(0);
    const result = mlebench(["experiment", "report", file, ...runs, "--json"]);
    const { cells, comparisons } = json(result) as {
      cells: { models: { models: string[]; languageModels: boolean; calls: number } }[];
      comparisons: { factor: string }[];
    };
    expect(cells.map(({ models }) => [models.models, models.languageModels, models.calls])).toEqual([
      [["simulated:steady"], false, 4],
      [["simulated:clumsy"], false, 4],
    ]);
    expect(comparisons.map(({ factor }) => factor)).toEqual(["model"]);
    const shown = mlebench(["experiment", "report", file, ...runs]).stdout;
    expect(shown).toContain("not a language model's result");
    const aggregated = mlebench([
      ...["aggregate", "--experiment-id", "tools-codeact_simulated-steady", "--json"],
      ...["--runs-dir", path.join(root, "runs", "same-scaffold-different-model")],
    ]);
    expect(aggregated.code).toBe(0);
  }, 240_000);

  test.each([
    ["models: [nonsense]", "is not a model"],
    ["models: [{name: a, models: echo, maxCost: 1}]", "costs nothing"],
    ["defaults: {until: later}", "used:0.9"],
  ])("%s is refused before anything starts", (line, words) => {
    const wrong = path.join(root, "wrong.yaml");
    const base = "name: wrong\ncompetitions: [starter-spam]\nseeds: 1\nagents: [tools/codeact]\n";
    fs.writeFileSync(wrong, `${base}${line}\n`);
    const ran = mlebench(["experiment", "run", wrong, ...places]);
    expect([ran.code, ran.stderr.includes(words)]).toEqual([2, true]);
  });

  test("run --compare-with grades and compares, and a group that is not there is said before the start", () => {
    const other = path.join(root, "runs", "same-scaffold-different-model", "tools-codeact_simulated-clumsy");
    const run = ["run", "--agent", "sample", "-c", "starter-spam", ...places, "--sandbox", "process"];
    const ran = mlebench([...run, "--compare-with", other, "--name", "compared"], {}, 120_000);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/sample.* \(A\) against tools\/codeact \(B\): 1 competition × 1 paired seed/);
    const missing = mlebench([...run, "--compare-with", "no-such-group", "--name", "never"]);
    expect([missing.code, fs.existsSync(path.join(root, "runs", "never"))]).toEqual([2, false]);
  }, 150_000);
});

test("plain against obfuscated, paired: only names differ, so the baseline is as good, and the report says which is which", () => {
  const file = path.join(root, "paired.yaml");
  const text = fs.readFileSync(path.join(EXAMPLES, "plain-against-obfuscated.yaml"), "utf8");
  const short = text
    .replace(/competitions: .*/, "competitions: [starter-house-prices]")
    .replace("seeds: 2", "seeds: 1")
    .replace("time: 2min", "time: 25s");
  fs.writeFileSync(file, short);
  expect(mlebench(["prepare", "-c", "starter-house-prices", "--data-dir", data], {}, 120_000).code).toBe(0);
  const runs = ["--runs-dir", path.join(root, "paired")];
  const ran = mlebench(
    ["experiment", "run", file, "--data-dir", data, ...runs, "--sandbox", KIND],
    {},
    240_000,
  );
  expect(ran.code, ran.stderr).toBe(0);
  const folder = path.join(root, "paired/plain-against-obfuscated");
  const sides = ["baseline_plain", "baseline_obfuscated"].map((name) => path.join(folder, name));
  const compared = mlebench(["compare", ...sides, "--names", "plain", "obfuscated", "--json"]);
  expect(compared.code, compared.stderr).toBe(0);
  const { circumstances, competitions } = json(compared) as {
    circumstances: Record<"a" | "b", { description: string }>;
    competitions: number;
  };
  expect([circumstances.a.description, circumstances.b.description]).toEqual(["plain", "obfuscated"]);
  expect(competitions).toBe(1);
  const scores = sides.map((side) => {
    const report = fs.readdirSync(side).find((name) => name.endsWith("grading_report.json"))!;
    return JSON.parse(fs.readFileSync(path.join(side, report), "utf8")).competition_reports[0]
      .score as number;
  });
  console.info(`plain ${scores[0]}, obfuscated ${scores[1]}`);
  // The baseline stops by the clock, so that a busy machine may leave one side a model less.
  expect(Math.abs(scores[0] - scores[1])).toBeLessThan(0.1 * scores[0]);
}, 420_000);
