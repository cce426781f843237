import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { type SyntheticTrial, writeGroup } from "../analysis/synthetic-group.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const root = temporaryFolder();
const group = (name: string) => path.join(root, name);
const trial = (seed: number, medal: SyntheticTrial["medal"]): SyntheticTrial => ({
  competitionId: "starter-spam",
  seed,
  medal,
});

function plant(name: string, agent: string, model?: { name: string; languageModel: boolean }): void {
  writeGroup(group(name), [trial(0, "gold"), trial(1, null)], agent);
  if (model === undefined) return;
  const plan = JSON.parse(fs.readFileSync(path.join(group(name), "group.json"), "utf8"));
  plan.settings.models = { default: model.name };
  writeText(group(name), "group.json", JSON.stringify(plan));
  const tokens = { inputUncached: 90, cacheRead: 0, cacheWrite: 0, output: 10, reasoning: 0, total: 100 };
  const counts = { calls: 2, answered: 2, failed: 0, refused: 0, cancelled: 0, retries: 0 };
  for (const { id } of plan.trials) {
    const file = path.join(group(name), id, "trial.json");
    const record = JSON.parse(fs.readFileSync(file, "utf8"));
    record.modelTotals = { ...counts, tokens, cost: null, complete: false, waiting: 0, thinking: 1 };
    record.modelAccess = {
      roles: [{ role: "default", ...model, id: "it", price: null, priceSource: null }],
      limits: { trial: {}, group: {} },
      providerTools: "refused",
      transcripts: "full",
      providerToolsRefused: {},
    };
    fs.writeFileSync(file, JSON.stringify(record));
  }
}

beforeAll(() => {
  plant("first", "one-agent");
  plant("again", "one-agent");
  plant("other", "another-agent");
  plant("simulated", "tools/codeact", { name: "simulated:steady", languageModel: false });
  plant("real", "tools/codeact", { name: "openai:gpt-5", languageModel: true });
});

const reportOf = (name: string) =>
  path.join(group(name), fs.readdirSync(group(name)).find((file) => file.endsWith("_grading_report.json"))!);

describe("results of two agents are never taken for seeds of one", () => {
  test.each([
    ["other", "another-agent"],
    ["simulated", "tools/codeact with simulated:steady"],
  ])("standings first,%s is refused, and says how each gets a row", (name, label) => {
    const { code, stderr } = mlebench(["standings", `${group("first")},${group(name)}`]);
    expect(code).toBe(2);
    expect(stderr).toContain("is of one-agent");
    expect(stderr).toContain(`of ${label}`);
    expect(stderr).toContain(`mlebench standings ${group("first")} ${group(name)}`);
  });

  test("aggregate refuses their groups and their reports alike", () => {
    for (const args of [
      ["--runs", group("first"), group("other")],
      ["--grading-reports", reportOf("first"), reportOf("other")],
      ["--runs", group("simulated"), group("real")],
    ]) {
      const { code, stderr } = mlebench(["aggregate", ...args]);
      expect([code, stderr.includes("SEVERAL_AGENTS")]).toEqual([2, true]);
    }
  });

  test("groups of one agent are still one", () => {
    const { code, stdout } = mlebench(["aggregate", "--runs", group("first"), group("again"), "--json"]);
    expect([code, JSON.parse(stdout).seeds]).toEqual([0, 4]);
  });

  test("a report keeps one agent with two models apart", () => {
    const result = mlebench([
      ...["report", group("simulated"), group("real"), "--no-verify"],
      ...["--format", "json"],
    ]);
    const { agents } = json(result) as { agents: { name: string }[] };
    expect(agents.map(({ name }) => name)).toEqual([
      "tools/codeact with simulated:steady",
      "tools/codeact with openai:gpt-5",
    ]);
  });

  test("a disclosure may join them, and its row says so", () => {
    const file = writeText(
      root,
      "joined.yaml",
      JSON.stringify({ agent: "joined", reports: [group("first"), group("other")] }),
    );
    const result = mlebench(["standings", file, "--no-published", "--no-verify", "--json"]);
    const { rows } = json(result) as { rows: { notes: string[] }[] };
    expect(rows[0].notes.join()).toContain("they are not seeds of one agent");
  });
});

describe("starter groups", () => {
  test("aggregate takes what the reports have when none of it is of the published split", () => {
    const result = mlebench(["aggregate", "--runs", group("first"), "--json"]);
    expect([result.code, (json(result) as { competitions: number }).competitions]).toEqual([0, 1]);
  });
});

describe("a simulated model is marked wherever its result is shown", () => {
  test.each(["markdown", "csv", "html", "text"])("standings, %s", (format) => {
    const args = ["standings", "--no-published", "--no-verify", "--format", format];
    expect(mlebench([...args, group("simulated")]).stdout).toContain("tools/codeact (no LLM)");
    expect(mlebench([...args, group("real")]).stdout).not.toContain("(no LLM)");
  });

  test.each(["markdown", "text"])("scorecard, %s", (format) => {
    const { stdout } = mlebench(["scorecard", group("simulated"), "--format", format]);
    expect(stdout).toMatch(/not a language model.?.?s result/);
    expect(stdout).toContain("200 tokens");
  });
});
