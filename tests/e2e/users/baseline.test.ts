// full: the baseline learns for seconds
import path from "node:path";
import { expect, test } from "vitest";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { KINDS } from "../trials/kinds.ts";

const root = temporaryFolder();
const dataDir = path.join(root, "data");
const COMPETITION = "starter-births";

test.each(KINDS)(
  "the baseline passes its own scorecard in a %s sandbox: all it says is so",
  { timeout: 120_000 },
  (kind) => {
    expect(mlebench(["prepare", "-c", COMPETITION, "--data-dir", dataDir]).code).toBe(0);
    const runs = ["--runs-dir", path.join(root, "runs")];
    const run = mlebench(
      [
        ...["run", "--agent", "baseline", "-c", COMPETITION, "--data-dir", dataDir, ...runs],
        ...["--time-limit", "30s", "--sandbox", kind, "--name", kind],
      ],
      {},
      100_000,
    );
    expect(run.code, run.stderr).toBe(0);
    expect(mlebench(["grade", kind, ...runs, "--data-dir", dataDir]).code).toBe(0);
    const { cards } = json(mlebench(["scorecard", path.join(root, "runs", kind), "--json"])) as {
      cards: { seeds: { units: { flags: string[]; O: number[]; m: number; r: number }[] }[] }[];
    };
    const [unit] = cards[0].seeds[0].units;
    expect(unit.flags.filter((flag) => flag.startsWith("not so"))).toEqual([]);
    expect(unit).toMatchObject({ O: [1, 1, 1, 1, 1], m: 1, r: 1 });
  },
);

test("show names the metric that the ventilators are graded by", () => {
  expect(json(mlebench(["show", "ventilator-pressure-prediction", "--json"]))).toMatchObject({
    metric: { name: "MAE", direction: "minimize" },
  });
});
