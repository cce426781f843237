import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readContract } from "../../../../src/agents/kit/contract.ts";
import { finish } from "../../../../src/agents/tree/endgame/finish.ts";
import { endingPlan } from "../../../../src/agents/tree/endgame/refit.ts";
import { record } from "../../../../src/agents/tree/engine/loop.ts";
import { treeOf } from "../../../../src/agents/tree/engine/tree.ts";
import { type Carved, carve } from "../../../../src/agents/tree/evaluation/carve.ts";
import { readTask } from "../../../../src/agents/tree/evaluation/task.ts";
import { fileDigest, keptFolder } from "../../../../src/agents/tree/execution/attempt.ts";
import { findLanguage } from "../../../../src/agents/tree/execution/language.ts";
import { openJournal } from "../../../../src/agents/tree/journal/append.ts";
import { JOURNAL_SCHEMA, type JournalHead } from "../../../../src/agents/tree/journal/schema.ts";
import type { Workshop } from "../../../../src/agents/tree/operators/workshop.ts";
import { writeReport } from "../../../../src/agents/tree/outputs/report.ts";
import { placeSolution } from "../../../../src/agents/tree/outputs/solution.ts";
import type { SettingName } from "../../../../src/agents/tree/settings/schema.ts";
import { temporaryFolder } from "../../../e2e/temporary-folder.ts";
import { smallCompetition } from "../../../e2e/tree/agent-setting.ts";
import { ALONE, nodesOf, type Sketch, settingsWith } from "./nodes.ts";

/** Reads what it is given and predicts how many training rows it saw: the file tells what it was learned from. */
const COUNTS = `const fs = require("node:fs");
const rows = fs.readFileSync("input/train.csv", "utf8").trim().split("\\n").length - 1;
const [head, ...ids] = fs.readFileSync("input/sample_submission.csv", "utf8").trim().split("\\n");
fs.writeFileSync("submission/submission.csv", [head, ...ids.map((line) => line.split(",")[0] + "," + rows)].join("\\n"));
`;

const SEARCHED = 3.5;

/** `offsets`: a step for each, which is wrong by so much on every hidden row; none: one that predicts 11. */
async function ended(
  secondsLeft: number,
  own: Partial<Record<SettingName, unknown>> = {},
  code = COUNTS,
  offsets: readonly (number | null)[] = [null],
) {
  const folder = temporaryFolder();
  const at = (name: string) => path.join(folder, name);
  const data = smallCompetition();
  const contract = readContract({
    DATA_DIR: data,
    SUBMISSION_DIR: at("submission"),
    LOGS_DIR: at("logs"),
    AGENT_DIR: at("agent"),
  });
  for (const name of ["submission", "scratch"]) fs.mkdirSync(at(name));
  const task = await readTask(contract);
  const outcome = carve(data, task, { seed: 0 }, at("view"));
  if (outcome.status !== "carved") throw new Error(outcome.why);
  const { carved } = outcome;
  const settings = settingsWith({ "agent.language": "js", ...own });
  const head = headWith({ settings: { ...settings } });
  const journal = await openJournal(at("logs/journal.jsonl"), head, at("scratch"));
  const language = findLanguage("js");
  const place = {
    ...{ kept: at("logs/attempts"), scratch: at("scratch"), language, seed: 0, threads: 1 },
    ...ALONE,
  };
  const clock = { secondsLeft: () => secondsLeft, executionSeconds: () => 20, memoryBytes: 2 ** 30 };
  const shop = {
    ...{
      settings,
      seed: 0,
      task,
      language,
      place,
      carved,
      data: carved.folder,
      sample: carved.sample,
      clock,
    },
    ...{ measuredBy: "hold-out", tree: journal.tree, texts: journal.texts },
  } as unknown as Workshop;
  const nodes = nodesOf(
    offsets.map((_, step) => [null, SEARCHED + step, { codePath: `attempts/000${step}/solution.cjs` }]),
  );
  for (const [step, offset] of offsets.entries()) {
    const kept = keptFolder(place, `000${step}`);
    fs.writeFileSync(path.join(kept, "solution.cjs"), code);
    const file = path.join(kept, "predictions.csv");
    fs.writeFileSync(file, predictions(carved, offset));
    record(journal, { ...nodes[step], code, diff: "", output: "", submissionSha256: fileDigest(file) });
  }
  const ending = await finish({
    ...{ shop, journal, allData: data, baselineProgram: null },
    validateUrl: "http://127.0.0.1:9/validate",
  });
  if (ending !== null) placeSolution(at("code"), shop, ending.node);
  const end = { why: "time" } as const;
  writeReport(contract, { head, tree: journal.tree(), end, ending, elapsedSeconds: 1 });
  return {
    code: (name: string) => fs.readFileSync(at(`code/${name}`), "utf8"),
    codeFiles: () => fs.readdirSync(at("code")).sort(),
    node: ending?.node,
    firstAnswer: ending && fs.readFileSync(ending.file, "utf8").split("\n")[1].split(",")[1],
    report: fs.readFileSync(at("submission/report.md"), "utf8"),
    metrics: JSON.parse(fs.readFileSync(at("submission/metrics.json"), "utf8")),
  };
}

function predictions({ sample, hidden }: Carved, offset: number | null): string {
  const truth = new Map([...hidden.search, ...hidden.choice]);
  const ids = [...sample.rows.map(([id]) => id), ...truth.keys()];
  const value = (id: string) =>
    offset === null || !truth.has(id) ? 11 + (offset ?? 0) : Number(truth.get(id)![0]) + offset;
  return [sample.header.join(","), ...ids.map((id) => `${id},${value(id)}`)].join("\n");
}

function headWith(more: Partial<JournalHead> = {}): JournalHead {
  return {
    ...{ schema: JOURNAL_SCHEMA, version: 1, preset: "tree", settings: {}, competition: "small", seed: 0 },
    ...{
      language: "javascript",
      models: { code: "simulated:steady" },
      direction: "minimize",
      metric: "rmse",
    },
    ...{ measuredBy: "hold-out", startedAt: "" },
    ...more,
  };
}

describe("learning again from all rows", () => {
  it.each([
    ["no time left", 0, {}, COUNTS, "the time did not suffice"],
    ["it is switched off", 60, { "parts.refit": false }, COUNTS, "is switched off"],
    ["it fails", 60, {}, "process.exit(3);", "failed"],
  ])("is not claimed where it did not happen: %s", async (_, seconds, own, code, words) => {
    const { node, firstAnswer, report, metrics } = await ended(
      seconds,
      { "parts.endgame": false, ...own },
      code,
    );
    expect(firstAnswer).toBe("11");
    for (const text of [node?.plan, report, metrics.submitted]) {
      expect(text).toContain(words);
      expect(text).toContain("the step's own file stands");
      expect(text).not.toContain("step, learned again");
    }
  });

  it("is claimed where it did", async () => {
    const { node, firstAnswer, report, metrics } = await ended(60, { "parts.endgame": false });
    expect(firstAnswer).toBe("400");
    expect(node?.executionSeconds).toBeGreaterThan(0);
    for (const text of [node?.plan, report, metrics.submitted])
      expect(text).toContain("The chosen step, learned again from all rows.");
  });

  it("tells of a mix how many of its members were", () => {
    expect(endingPlan(["learned", "learned"])).toBe(
      "The mean of 2 steps by weight, learned again from all rows.",
    );
    expect(endingPlan(["learned", "no time", "no time"])).toBe(
      "The mean of 3 steps by weight, 1 of them learned again from all rows; of the others the own files stand: the time did not suffice to learn again from all rows.",
    );
    expect(endingPlan(["no time", "no time"])).toContain("as they were: the time did not suffice");
  });
});

describe("the figure of the choice", () => {
  it("is not told where no other rows were scored", async () => {
    const { node, report, metrics } = await ended(0, { "parts.endgame": false });
    expect(node?.choice).toBeNull();
    expect(report).toContain("Nothing was held back for the choice");
    expect(report).not.toContain("Rows that did not guide");
    expect(metrics).toMatchObject({ value: SEARCHED });
    expect(metrics.validation).toContain("nothing was held back for the choice");
  });

  it("is that of the rows that did not guide the search", async () => {
    const { node, report, metrics } = await ended(0, { "parts.endgame": true });
    expect(node?.choice?.value).toEqual(expect.any(Number));
    expect(node?.choice?.value).not.toBe(SEARCHED);
    expect(report).toContain(
      `Rows that did not guide the search give ${node?.choice?.value.toPrecision(6)}.`,
    );
    expect(metrics.value).toBe(node?.choice?.value);
    expect(metrics.validation).toContain("10 % chose the end");
  });
});

describe("a mix of the best", () => {
  const both = { "parts.endgame": true, "parts.ensemble": true };
  it("is submitted where it is better on rows that did not choose its weights", async () => {
    const { node, firstAnswer, metrics } = await ended(0, both, COUNTS, [1, -1]);
    expect(node).toMatchObject({ operator: "ensemble", sources: ["n1"], parent: "n0", phase: "endgame" });
    expect(node?.choice?.value).toBeCloseTo(0, 6);
    expect(firstAnswer).toBe("11");
    expect(metrics.submitted).toContain("The mean of 2 steps by weight");
  });

  it("is not where it is no better, or switched off", async () => {
    expect((await ended(0, both, COUNTS, [1, 2])).node).toMatchObject({ operator: "final", parent: "n0" });
    const off = { ...both, "parts.ensemble": false };
    expect((await ended(0, off, COUNTS, [1, -1])).node).toMatchObject({ operator: "final", sources: [] });
  });
});

describe("the programs beside the submission", () => {
  const both = { "parts.endgame": true, "parts.ensemble": true };
  it("are those of the step that was chosen, not of the one that led the search", async () => {
    const { node, code, codeFiles } = await ended(0, { "parts.endgame": true }, COUNTS, [1, 0.1]);
    expect(node).toMatchObject({ operator: "final", parent: "n1" });
    expect(codeFiles()).toEqual(["best_solution.cjs", "node_id.txt", "submitted.json"]);
    expect([code("best_solution.cjs"), code("node_id.txt")]).toEqual([COUNTS, "n1\n"]);
  });

  it("are all members of a mix, with what each counts", async () => {
    const { code, codeFiles } = await ended(0, both, COUNTS, [1, -1]);
    expect(codeFiles()).toEqual([
      ...["best_solution.cjs", "member-0000.cjs", "member-0001.cjs", "node_id.txt", "submitted.json"],
    ]);
    expect([code("member-0001.cjs"), code("node_id.txt")]).toEqual([COUNTS, "n0\n"]);
    const { how, members } = JSON.parse(code("submitted.json"));
    expect(how).toContain("The mean of 2 steps by weight");
    expect(members).toMatchObject([
      { step: 0, id: "n0", weight: 1, program: "member-0000.cjs" },
      { step: 1, id: "n1", weight: 1, program: "member-0001.cjs" },
    ]);
  });
});

describe("counts in the report", () => {
  const ENDGAME = { phase: "endgame", isBest: false } as const;
  it.each<[string, Sketch[], string, string]>([
    ["one step", [[null, 1]], "1 step on small", "0 steps failed."],
    [
      "one that failed",
      [
        [null, 1],
        [0, null],
      ],
      "2 steps on small",
      "1 step failed: 1 exception.",
    ],
    [
      "an endgame",
      [
        [null, 1],
        [0, 2],
        [0, null, { ...ENDGAME, operator: "reevaluate" }],
        [0, 1, { ...ENDGAME, operator: "final" }],
      ],
      "4 steps (2 of the search, 2 of the endgame) on small",
      "1 step failed: 1 exception.",
    ],
  ])("agree with the table: %s", (_, sketches, steps, failed) => {
    const folder = temporaryFolder();
    const nodes = nodesOf(sketches);
    const contract = readContract({ SUBMISSION_DIR: folder });
    const tree = treeOf(nodes);
    writeReport(contract, { head: headWith(), tree, end: { why: "steps" }, ending: null, elapsedSeconds: 1 });
    const report = fs.readFileSync(path.join(folder, "report.md"), "utf8");
    expect(report).toContain(steps);
    expect(report).toContain(failed);
    const table = report.split("## Operators")[1].split("## Limitations")[0];
    const rows = [...table.matchAll(/^\| \w+ \| (\d+) \| (\d+) \|/gm)];
    const sum = (column: number) => rows.reduce((total, row) => total + Number(row[column]), 0);
    expect(sum(1)).toBe(nodes.length);
    expect(sum(1) - sum(2)).toBe(Number(failed.split(" ")[0]));
  });
});
