import path from "node:path";
import { describe, expect, it } from "vitest";
import { traceProvenance } from "../../../../src/agents/repo/provenance.ts";
import { heuristicQuality, ratedQuality } from "../../../../src/agents/repo/quality.ts";
import { readSettings } from "../../../../src/agents/repo/settings.ts";
import { mapRepository } from "../../../../src/repositories/map/repository-map.ts";
import { readExperiment } from "../../../../src/workflows/experiment/schema.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

const SHELF = path.resolve("tests/fixtures/repositories/shelf");

describe("provenance", () => {
  it("names the lines taken over, their original, its licence; what is our own is not in it", async () => {
    const odds = await mapRepository(path.join(SHELF, "word-odds"));
    const closed = await mapRepository(path.join(SHELF, "closed-toolbox"));
    const code = temporaryFolder();
    const toolbox = (closed.read("toolbox.js") ?? "").split("\n").slice(1, 6);
    writeText(
      code,
      "mine.js",
      ["const own = 1;", "", ...toolbox.map((line) => `  ${line}`), "countWords(own);", ""].join("\n"),
    );
    writeText(code, "alone.js", "const a = 1;\nconst b = a + 1;\nconsole.log(a, b);\n");
    const { files, findings, repositories } = traceProvenance(code, [odds, closed], new Set(), "mle-bench");
    expect(files).toEqual([
      {
        file: "mine.js",
        lines: 9,
        similarity: 0.667,
        spans: [
          {
            repository: "closed-toolbox",
            commit: null,
            licence: "proprietary",
            original: "toolbox.js",
            lines: [3, 6],
            originalLines: [2, 5],
          },
        ],
      },
    ]);
    expect(findings.map(({ code: kind, repository }) => [kind, repository])).toEqual([
      ["LICENCE_FORBIDS_REUSE", "closed-toolbox"],
    ]);
    expect(repositories.map(({ used }) => used)).toEqual([false, true]);
  });

  it("what was left out as a solution and is used all the same is a finding, unless another has those lines, too", async () => {
    const closed = await mapRepository(path.join(SHELF, "closed-toolbox"));
    const code = temporaryFolder();
    writeText(code, "mine.js", closed.read("toolbox.js") ?? "");
    const found = traceProvenance(code, [], new Set(), "mle-bench", [closed]);
    expect(found.findings.map(({ code: kind }) => kind)).toEqual(["DROPPED_REPOSITORY_USED"]);
    expect(found.files[0].spans[0].repository).toBe("closed-toolbox");
    const twin = temporaryFolder();
    writeText(twin, "toolbox.js", closed.read("toolbox.js") ?? "");
    const other = await mapRepository(twin);
    const both = traceProvenance(code, [other], new Set(), "mle-bench", [closed]);
    expect(both.findings.map(({ code: kind }) => kind)).toEqual(["LICENCE_UNSTATED"]);
  });
});

describe("quality", () => {
  it("full marks are 1 although the published weights add up to 1.1; nonsense counts nothing", () => {
    const full = {
      results: 1,
      algorithm: 1,
      domain: 1,
      data_processing: 1,
      model_quality: 1,
      readability: 1,
      structure: 1,
      extensibility: 1,
    };
    expect(ratedQuality({ ...full, overall: 10 })).toBeCloseTo(1, 12);
    expect(ratedQuality({ ...full, overall: 0 })).toBeCloseTo(0.6, 12);
    expect(ratedQuality({ results: 1e9, overall: "eleven" })).toBeCloseTo((0.6 * 0.2) / 1.1, 12);
    expect(ratedQuality({})).toBe(0);
  });

  it("without a model a repository that can be started and reused stands before one that cannot", async () => {
    const odds = heuristicQuality(await mapRepository(path.join(SHELF, "word-odds")), 1);
    const closed = heuristicQuality(await mapRepository(path.join(SHELF, "closed-toolbox")), 1);
    expect(odds.score).toBeGreaterThan(closed.score);
    expect(odds.reasons).toContain("can be started");
  });
});

describe("settings", () => {
  it("parameters of a RepoMaster file are honoured, also over the definition's own", () => {
    const materials = temporaryFolder();
    writeText(
      materials,
      "repo.yaml",
      'repo: {type: local, path: tool}\ntask_description: "Count"\ntask_prompt: "{task_description} with {repo_path}"\ninput_data:\n  - {path: a.csv, description: rows}\nparameters: {max_turns: 7, retry: 3, max_repo: 2, use_venv: false, output_format: csv}\n',
    );
    const read = readSettings(["--max_turns", "40", "--context_tokens", "500"], materials);
    if (read.status !== "read") throw new Error(read.message);
    expect(read.settings).toMatchObject({
      maxTurns: 7,
      attempts: 3,
      maxRepositories: 2,
      contextTokens: 500,
      useVenv: false,
      allowSolutions: false,
    });
    expect(read.notes).toEqual(["without effect here: output_format"]);
    expect(readSettings(["--allow_competition_solutions", "yes"], temporaryFolder())).toMatchObject({
      settings: { allowSolutions: true, maxTurns: 40 },
    });
  });

  it("arguments of RepoMaster that are decided elsewhere, and addresses, are named", () => {
    const materials = temporaryFolder();
    writeText(materials, "repo.yaml", "repo: {type: github, url: https://example.org/x}\n");
    const read = readSettings(["--parallel", "--max-repo", "3", "--use_venv=no"], materials);
    expect(read).toMatchObject({
      settings: { useVenv: false, maxRepositories: 3 },
      notes: [
        "without effect here: parallel",
        "not fetched, for a sandbox has no network: https://example.org/x",
      ],
    });
  });

  it.each([
    [["--max_repos", "3"], "did you mean max_repo?"],
    [["--retry", "none"], "--retry"],
    [["--fallback", "nobody"], "--fallback"],
    [["stray"], "is not a setting"],
  ])("%j are refused in a sentence", (args, part) => {
    const read = readSettings(args, temporaryFolder());
    expect(read).toEqual({ status: "wrong", message: expect.stringContaining(part) });
  });

  it.each([
    ["parameters: {allow_competition_solutions: true}", "repo/mle-bench-r"],
    ["parameters: {max_turns: -1}", "max_turns"],
    ["parameters: 3", "parameters"],
    ["a: [", ""],
  ])("%j is refused in a sentence", (text, part) => {
    const materials = temporaryFolder();
    writeText(materials, "repo.yaml", text);
    const read = readSettings([], materials);
    expect(read.status).toBe("wrong");
    expect(read.status === "wrong" && read.message).toContain(part);
  });
});

it("the experiment that sets repo against tools is one", () => {
  const read = readExperiment("docs/examples/repo-against-tools.yaml");
  expect(read).toMatchObject({
    ok: true,
    experiment: { defaults: { models: { default: "simulated:steady" } } },
  });
});
