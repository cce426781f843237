// All gradings of a campaign in one go: how busy the cores are, how often answers are read, what is graded again.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { measureNode } from "../measure.mjs";
import { makeCampaign } from "./data.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const FULL = { competitions: 75, seeds: 3, snapshots: 24 };
const QUICK = { competitions: 16, seeds: 3, snapshots: 8, most: 40_000 };
const BUSY = 0.85;

export async function run(options) {
  if (!fs.existsSync(path.join(root, "dist/public/index.js"))) {
    console.error("dist/ is missing. Build it: npm run build");
    return 2;
  }
  const quick = options.includes("--quick");
  const folder = path.join(root, ".bench", quick ? "campaign-quick" : "campaign");
  fs.mkdirSync(folder, { recursive: true });
  const campaign = makeCampaign(folder, quick ? QUICK : FULL);
  const script = path.join(import.meta.dirname, "grade-all.mjs");
  const cost = measureNode([script, campaign.list, campaign.data, campaign.competitions], {
    folder,
    runs: 1,
  });
  const { scored, graded, mostReadings, workers, wall, wanted } = JSON.parse(
    cost.output.trim().split("\n").at(-1),
  );
  const cores = os.availableParallelism();
  const busy = wanted / wall / cores;
  const report = {
    schema: "mlebench/bench-campaign",
    version: 1,
    gradings: campaign.gradings,
    distinct: campaign.distinct,
    scored,
    graded,
    workers,
    mostReadings,
    busy,
    cpuShare: cost.cpu / cost.wall / cores,
    cpu: cost.cpu,
    wall: cost.wall,
    peakMB: cost.peakMB,
  };
  const targets = [
    [`all ${campaign.gradings} have a score (${scored})`, scored === campaign.gradings],
    [`${campaign.distinct} different files, ${graded} graded`, graded === campaign.distinct],
    [
      `answers read at most once by each of ${workers} processes (${mostReadings})`,
      mostReadings === 1 && workers === cores,
    ],
    [`cores asked for ${(busy * 100).toFixed(0)} % of the time (at least ${BUSY * 100} %)`, busy >= BUSY],
  ];
  if (options.includes("--json")) console.log(JSON.stringify(report, null, 2));
  else {
    console.log(
      `${campaign.gradings} gradings: ${cost.cpu.toFixed(1)} s CPU, ${cost.wall.toFixed(1)} s, ${cores} cores, of which it got ${(report.cpuShare * 100).toFixed(0)} %`,
    );
    for (const [text, met] of targets) console.log(`${met ? "pass" : "FAIL"}  ${text}`);
  }
  return targets.every(([, met]) => met) ? 0 : 1;
}
