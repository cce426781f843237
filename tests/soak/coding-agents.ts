/**
 * The coding agents, installed from npm if they are not there, each on two starter competitions in bubblewrap without a
 * network with the simulated model, each through what it has to survive (tests/e2e/tools/survival.ts), each recorded and replayed
 * (tests/e2e/tools/replayed.ts), and each with providers of all four protocols (tests/e2e/tools/across.ts):
 *
 *   npm run soak -- coding-agents                 all five
 *   npm run soak -- coding-agents --only codex    one of them
 *   npm run soak -- coding-agents --part across   one of solve, survive, replay and across
 *   npm run soak -- coding-agents --on starter-spam   one of the two competitions
 *
 * Figures are about our machinery, never about a language model.
 */
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { CODING_PROGRAM_IDS } from "../../src/agents/coding/programs.ts";
import { mlebench } from "../e2e/cli.ts";
import { temporaryFolder } from "../e2e/temporary-folder.ts";
import { askedAcross } from "../e2e/tools/across.ts";
import { replayed } from "../e2e/tools/replayed.ts";
import { solvedBy } from "../e2e/tools/solved.ts";
import { SURVIVAL, survive } from "../e2e/tools/survival.ts";
import { NAMES } from "../unit/models/protocols/made-up.ts";

const COMPETITIONS = ["starter-spam", "starter-house-prices"];
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    part: { type: "string" },
    on: { type: "string" },
    seconds: { type: "string", default: "150" },
  },
});
const isWanted = (part: "solve" | "survive" | "replay" | "across") => (values.part ?? part) === part;
const competitions = COMPETITIONS.filter((id) => (values.on ?? id) === id);
const agents = CODING_PROGRAM_IDS.filter((id) => (values.only ?? id) === id);
if (agents.length === 0) throw new Error(`--only is one of ${CODING_PROGRAM_IDS.join(", ")}`);
const root = temporaryFolder();
const data = path.join(root, "data");
const prepared = mlebench(["prepare", "-c", ...COMPETITIONS, "--data-dir", data], {}, 240_000);
if (prepared.code !== 0) throw new Error(prepared.stderr);

let failed = 0;
const say = (what: string, problems: readonly string[]) => {
  console.log(`${what}: ${problems.join("; ") || "as it should be"}`);
  if (problems.length > 0) failed += 1;
};
for (const agent of agents) {
  const installed = mlebench(["agents", "install", agent], {}, 600_000);
  if (installed.code !== 0) say(`installing ${agent}`, [installed.stderr]);
  if (isWanted("solve")) {
    const runs = path.join(root, agent);
    const solved = solvedBy(agent, {
      competitions,
      data,
      runs,
      seconds: Number(values.seconds),
    });
    console.log(solved.table);
    say(`${agent} on ${competitions.join(" and ")}`, solved.problems);
  }
  for (const [name, hardship] of isWanted("survive") ? Object.entries(SURVIVAL) : [])
    say(
      `${agent} and ${name}`,
      survive(agent, hardship, { data, runs: fs.mkdtempSync(path.join(root, "survival-")) }),
    );
  if (isWanted("replay")) {
    const again = replayed(agent, { data, runs: fs.mkdtempSync(path.join(root, "replay-")) });
    say(`${agent} replayed, ${again.calls} calls`, again.problems);
  }
  for (const provider of isWanted("across") ? NAMES : [])
    say(
      `${agent} with a provider of ${provider}`,
      await askedAcross(agent, provider, { data, runs: fs.mkdtempSync(path.join(root, "across-")) }),
    );
}
console.log(failed === 0 ? "all left valid submissions that verify" : `${failed} did not go as they should`);
process.exitCode = failed > 0 ? 1 : 0;
