// full: whole runs of several agents
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const ID = "mean-error";
const root = temporaryFolder();
const runs = ["--runs-dir", path.join(root, "runs")];
const own = ["--competitions", path.join(root, "own")];
const data = ["--data-dir", path.join(root, "data")];
const agentsDir = path.join(root, "agents");

beforeAll(() => {
  writeText(
    root,
    `own/${ID}/competition.mjs`,
    `import { defineCompetition, regression } from "mlebench/competition";
import { rmse } from "mlebench/metrics/rmse";
export const competition = defineCompetition({
  id: "${ID}", name: "Mean error", category: "Tabular", complexity: "dev", contest: "simple",
  dataSizeGB: null, opened: null, closed: null,
  metric: { name: "RMSE", direction: "minimize" },
  columns: { id: ["id"], target: ["y"] },
  files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample_submission.csv" },
  grade: regression({ id: "id", target: "y", error: rmse, rows: "independent" }),
});
`,
  );
  writeText(root, `own/${ID}/description.md`, "# Mean error\n");
  const rows = (y: number) => `id,y\n${Array.from({ length: 5 }, (_, i) => `${i},${y + i}`).join("\n")}\n`;
  writeText(root, `data/${ID}/prepared/private/test.csv`, rows(0));
  writeText(root, `data/${ID}/prepared/public/sample_submission.csv`, rows(9));
  for (const [agent, off] of [
    ["close", 1],
    ["far", 6],
  ] as const) {
    const script = `printf '${rows(off).replaceAll("\n", "\\n")}' > "$SUBMISSION_DIR/submission.csv"; sleep 0.3`;
    writeText(
      agentsDir,
      `${agent}/config.yaml`,
      JSON.stringify({ [agent]: { command: ["sh", "-c", script] } }),
    );
    const args = ["run", "--agent", agent, "--agents-dir", agentsDir, "-c", ID, "--sandbox", "process"];
    const ran = mlebench([...args, "--name", agent, "--grade", ...own, ...data, ...runs]);
    expect(ran.code, ran.stderr).toBe(0);
  }
}, 60_000);

describe("a competition without a board, where scores differ six-fold", () => {
  test("compare decides by score, with its direction", () => {
    const result = mlebench(["compare", "close", "far", ...own, ...runs, "--json"]);
    expect(json(result)).toMatchObject({
      wins: 1,
      ties: 0,
      losses: 0,
      byCompetition: [{ direction: "minimize", winner: "a", a: { score: 1 }, b: { score: 6 } }],
    });
    const { stdout } = mlebench(["compare", "close", "far", ...own, ...runs]);
    expect(stdout).toContain("A wins 1, ties 0, loses 0");
    expect(stdout).toContain("lower is better");
    expect(stdout).not.toContain("within noise");
  });

  test("compare knows the direction from the reports, where the folder is not named", () => {
    const { stdout } = mlebench(["compare", "far", "close", ...runs]);
    expect(stdout).toContain("A wins 0, ties 0, loses 1");
    expect(stdout).toContain("lower is better");
  });

  test("reports that do not say the direction are not compared, and the reason is not called missing runs", () => {
    const [before, after] = ["close", "far"].map((name) => {
      const [file] = fs
        .readdirSync(path.join(root, "runs", name))
        .filter((one) => one.endsWith("grading_report.json"));
      const text = fs.readFileSync(path.join(root, "runs", name, file), "utf8");
      return writeText(root, `earlier/${name}.json`, text.replaceAll(/"direction": "minimize",/g, ""));
    });
    const { stdout } = mlebench(["compare", before, after]);
    expect(stdout).toContain("name the folder with the competitions (--competitions)");
    expect(stdout).not.toContain("No pair of runs exists");
  });

  test("aggregate takes --competitions and prints no spread from one seed", () => {
    const split = writeText(root, "ids.txt", ID);
    const { code, stdout } = mlebench(["aggregate", "--runs", "close", "--split", split, ...own, ...runs]);
    expect(code).toBe(0);
    expect(stdout).not.toContain("± 0.00");
    expect(stdout).toContain("one seed: no spread");
    expect(stdout).toContain(`no board: 1 of 1 competition (${ID}); nobody can win a medal there`);
    expect(stdout).toMatch(/mean-error .* 1 ↓/);
  });

  test("an experiment's report decides by score", () => {
    const file = writeText(
      root,
      "e.yaml",
      JSON.stringify({
        name: "e",
        competitions: [ID],
        seeds: 1,
        agentsDir,
        agents: ["close", "far"],
      }),
    );
    const where = [...own, ...data, ...runs];
    const ran = mlebench(["experiment", "run", file, ...where, "--sandbox", "process"]);
    expect(ran.code, ran.stderr).toBe(0);
    const { comparisons } = json(mlebench(["experiment", "report", file, ...own, ...runs, "--json"])) as {
      comparisons: { result: { wins: number; losses: number } }[];
    };
    expect(comparisons).toMatchObject([{ result: { wins: 1, losses: 0 } }]);
  });

  test("the page draws timelines by score, and the comparison says who is better", () => {
    const output = path.join(root, "report.html");
    expect(mlebench(["report", "close", "far", ...own, ...runs, "-o", output]).code).toBe(0);
    const page = fs.readFileSync(output, "utf8");
    expect(page).not.toContain("No timelines");
    expect(page).toContain("No board: 0 is the worst score here (6), 100 the best (1).");
    expect(page).toContain("1 : 0");
  });
});
