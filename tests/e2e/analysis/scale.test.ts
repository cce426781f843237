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
  const probe = writeText(
    root,
    "probe.mjs",
    `import fs from "node:fs";
process.on("exit", () => fs.writeFileSync(process.env.USAGE_FILE, JSON.stringify(process.resourceUsage())));`,
  );
  const usageFile = path.join(root, "usage.json");
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--import", probe, MAIN, "aggregate", "--runs", ...groups, "--split", split, "--json"],
    { encoding: "utf8", maxBuffer: 2 ** 28, env: { ...process.env, USAGE_FILE: usageFile } },
  );
  expect(status).toBe(0);
  const result = JSON.parse(stdout);
  expect([result.seeds, result.groups.curves.trials.length]).toEqual([SEEDS, SEEDS * COMPETITIONS.length]);
  const usage: NodeJS.ResourceUsage = JSON.parse(fs.readFileSync(usageFile, "utf8"));
  // Processor time, since the other tests run at the same time.
  expect((usage.userCPUTime + usage.systemCPUTime) / 1e6).toBeLessThan(10);
  expect(usage.maxRSS / 1024).toBeLessThan(500);
});
