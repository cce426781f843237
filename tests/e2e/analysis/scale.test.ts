// full: thousands of synthetic trials
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import splits from "../../../src/competitions/splits.json" with { type: "json" };
import { measured } from "../measured.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { type SyntheticTrial, writeGroup } from "./synthetic-group.ts";

const COMPETITIONS = splits.split75.slice(0, 50);
const SEEDS = 200;

test("10,000 trials are aggregated, curves included, and made into a page, each in under ten seconds and 500 MB", {
  timeout: 180_000,
}, () => {
  const root = temporaryFolder();
  const groups = Array.from({ length: 10 }, (_, group) => {
    const trials = COMPETITIONS.flatMap((competitionId, c) =>
      Array.from({ length: SEEDS / 10 }, (_, s): SyntheticTrial => {
        const medal = (c + s + group) % 3 === 0 ? ("gold" as const) : null;
        const points = [600, 1800, 3600].map((elapsedSeconds) => ({ elapsedSeconds, score: 0.5, medal }));
        return { competitionId, seed: s, medal, points };
      }),
    );
    return writeGroup(path.join(root, `group-${group}`), trials);
  });
  const split = writeText(root, "split.txt", COMPETITIONS.join("\n"));
  const aggregated = measured(root, ["aggregate", "--runs", ...groups, "--split", split, "--json"]);
  expect(aggregated.status).toBe(0);
  const result = JSON.parse(aggregated.stdout);
  expect([result.seeds, result.groups.curves.trials.length]).toEqual([SEEDS, SEEDS * COMPETITIONS.length]);
  const named = groups.map((group, i) => `${i < 5 ? "first" : "second"}=${group}`);
  const page = path.join(root, "report.html");
  const reported = measured(root, ["report", ...named, "-o", page]);
  expect(reported.status).toBe(0);
  expect(fs.readFileSync(page, "utf8")).toContain("10,000 trials");
  for (const { seconds, megabytes } of [aggregated, reported]) {
    expect(seconds).toBeLessThan(10);
    expect(megabytes).toBeLessThan(500);
  }
});

test("3 agents × 10 starter competitions × 5 seeds: aggregated, compared, classified and rendered in under two seconds", () => {
  const root = temporaryFolder();
  const groups = ["one", "two", "three"].map((agent, a) => {
    const trials = splits.starter.slice(0, 10).flatMap((competitionId, c) =>
      Array.from({ length: 5 }, (_, seed): SyntheticTrial => {
        const medal = (a + c + seed) % 4 === 0 ? ("silver" as const) : null;
        const points = [20, 40].map((elapsedSeconds) => ({ elapsedSeconds, score: 0.5, medal }));
        return { competitionId, seed, medal, points, percentile: 20 * a + 3 * c + seed };
      }),
    );
    return writeGroup(path.join(root, agent), trials, agent);
  });
  const page = path.join(root, "report.html");
  const { seconds, stdout } = measured(root, ["report", ...groups, "-o", page]);
  expect(stdout).toContain(page);
  const html = fs.readFileSync(page, "utf8");
  for (const part of ["headline", "comparison", "failures", "grid"]) expect(html).toContain(`id="${part}"`);
  expect(html).toContain("150 trials");
  expect(seconds).toBeLessThan(2);
});
