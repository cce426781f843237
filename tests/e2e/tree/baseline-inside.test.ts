// full: tree search and the baseline, each on two starter competitions
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { KIND } from "../trials/kinds.ts";

/** The future must not be learned from in the one; in the other no rows can be hidden. */
const COMPETITIONS = ["starter-births", "starter-dependencies"];

interface Report {
  competition_reports: { competition_id: string; percentile?: number | null }[];
}

/** The short form of `npm run soak -- tree --part starters`. */
test("with the baseline inside, a search is no worse than the baseline alone", () => {
  const root = temporaryFolder();
  const data = path.join(root, "data");
  expect(mlebench(["prepare", "-c", ...COMPETITIONS, "--data-dir", data], {}, 240_000).code).toBe(0);
  const small = "agent.steps: 4, agent.language: js, exec.timeout: 20, parts.endgame_top: 2";
  const agents = path.dirname(
    path.dirname(
      writeText(root, "agents/mine/config.yaml", `tree/few: {extends: tree, kwargs: {${small}}}\n`),
    ),
  );
  const percentiles = (agent: string, more: readonly string[]) => {
    const runs = path.join(root, `runs-${path.basename(agent)}`);
    const places = ["--agents-dir", agents, "--data-dir", data, "--runs-dir", runs, "--sandbox", KIND];
    const ran = mlebench(
      ["run", "--agent", agent, "-c", ...COMPETITIONS, ...places, ...more, "--grade"],
      {},
      280_000,
    );
    expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)]);
    const group = path.join(runs, fs.readdirSync(runs)[0]);
    const name = fs.readdirSync(group).find((file) => file.endsWith("_grading_report.json"))!;
    const report = JSON.parse(fs.readFileSync(path.join(group, name), "utf8")) as Report;
    expect(report.competition_reports).toHaveLength(2);
    return COMPETITIONS.map(
      (id) => report.competition_reports.find(({ competition_id: one }) => one === id)?.percentile ?? 0,
    );
  };
  // A tenth of ten minutes is what the baseline has inside.
  const inside = percentiles("tree/few", ["--time-limit", "10min", "--model", "simulated:clumsy"]);
  const alone = percentiles("baseline", ["--time-limit", "60s"]);
  for (const [at, id] of COMPETITIONS.entries()) {
    expect(alone[at], id).toBeGreaterThan(50);
    expect(inside[at], id).toBeGreaterThanOrEqual(alone[at] - 2);
  }
}, 580_000);
