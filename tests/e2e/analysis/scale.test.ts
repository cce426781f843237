import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import splits from "../../../src/competitions/splits.json" with { type: "json" };
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { type SyntheticTrial, writeGroup } from "./synthetic-group.ts";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const COMPETITIONS = splits.split75.slice(0, 50);
const SEEDS = 200;

test("10,000 trials are aggregated, curves included, in under ten seconds and 500 MB", {
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
  const peak = writeText(
    root,
    "peak.mjs",
    `import fs from "node:fs";
process.on("exit", () => fs.writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)));`,
  );
  const peakFile = path.join(root, "peak.txt");
  const started = performance.now();
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--import", peak, MAIN, "aggregate", "--runs", ...groups, "--split", split, "--json"],
    { encoding: "utf8", maxBuffer: 2 ** 28, env: { ...process.env, PEAK_FILE: peakFile } },
  );
  const seconds = (performance.now() - started) / 1000;
  expect(status).toBe(0);
  const result = JSON.parse(stdout);
  expect([result.seeds, result.groups.curves.trials.length]).toEqual([SEEDS, SEEDS * COMPETITIONS.length]);
  const megabytes = Number(fs.readFileSync(peakFile, "utf8")) / 1024;
  expect(seconds).toBeLessThan(10);
  expect(megabytes).toBeLessThan(500);
});
