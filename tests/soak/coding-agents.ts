/**
 * All five coding agents, installed from npm if they are not there, and our own tool agents on all starter competitions:
 *
 *   npm run soak -- coding-agents                 everything
 *   npm run soak -- coding-agents --only codex    one of them
 *
 * Each trial runs in bubblewrap without a network, with the simulated model; figures are about our machinery.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { CODING_PROGRAM_IDS } from "../../src/agents/coding/programs.ts";
import { temporaryFolder } from "../e2e/temporary-folder.ts";

const { values } = parseArgs({ options: { only: { type: "string" } } });
const root = temporaryFolder();
const data = path.join(root, "data");
const agents = [...CODING_PROGRAM_IDS, "tools/codeact", "tools/mlab"].filter(
  (id) => (values.only ?? id) === id,
);

function mlebench(...args: string[]): number | null {
  return spawnSync(process.execPath, ["dist/cli/main.js", ...args], { stdio: "inherit" }).status;
}

mlebench("prepare", "--split", "starter", "--data-dir", data);
let failed = 0;
for (const agent of agents) {
  const ours = agent.startsWith("tools/");
  if (!ours && mlebench("agents", "install", agent) !== 0) failed += 1;
  const competitions = ours ? ["--split", "starter"] : ["-c", "starter-spam", "starter-house-prices"];
  const runs = path.join(root, agent.replace("/", "-"));
  const options = [
    "--model",
    "simulated:steady",
    "--sandbox",
    "bubblewrap",
    "--time-limit",
    "150",
    "--workers",
    "1",
    "--grade",
  ];
  const status = mlebench(
    "run",
    "--agent",
    agent,
    ...competitions,
    "--data-dir",
    data,
    "--runs-dir",
    runs,
    ...options,
  );
  const group = path.join(runs, fs.readdirSync(runs)[0]);
  if (status !== 0 || mlebench("verify", group) !== 0) failed += 1;
}
console.log(`${agents.length - failed} of ${agents.length} agents left valid submissions that verify`);
process.exitCode = failed > 0 ? 1 : 0;
