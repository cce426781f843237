/**
 * Our own tool agents on every starter competition, in bubblewrap without a network, with the simulated model:
 *
 *   npm run soak -- tool-agents                       both of them
 *   npm run soak -- tool-agents --only tools/mlab     one of them
 *   npm run soak -- tool-agents --on starter-spam,starter-births   on some, where the whole takes too long
 *
 * Figures are about our machinery, never about a language model.
 */
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { json, mlebench } from "../e2e/cli.ts";
import { temporaryFolder } from "../e2e/temporary-folder.ts";
import { solvedBy } from "../e2e/tools/solved.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    on: { type: "string" },
    seconds: { type: "string", default: "120" },
  },
});
const agents = ["tools/codeact", "tools/mlab"].filter((id) => (values.only ?? id) === id);
const root = temporaryFolder();
const data = path.join(root, "data");
const starters = json(mlebench(["list", "--split", "starter", "--json"])) as { id: string }[];
const wanted = values.on?.split(",");
const competitions = starters.map(({ id }) => id).filter((id) => wanted?.includes(id) ?? true);
const prepared = mlebench(["prepare", "-c", ...competitions, "--data-dir", data], {}, 240_000);
if (prepared.code !== 0 || agents.length === 0) throw new Error(prepared.stderr || "no such agent");

let failed = 0;
for (const agent of agents) {
  const runs = path.join(root, path.basename(agent));
  const seconds = Number(values.seconds);
  const solved = solvedBy(agent, { competitions, data, runs, seconds, withoutFailures: false });
  const ends = [...solved.trials].map(([id, trial]) => {
    const file = path.join(trial, "logs/end.json");
    const { why = "nothing", steps = 0 } = fs.existsSync(file)
      ? JSON.parse(fs.readFileSync(file, "utf8"))
      : {};
    return { id, why: String(why), steps: Number(steps) };
  });
  console.log(solved.table);
  const early = ends.filter(({ why }) => !["finished", "time", "steps"].includes(why));
  const problems = [...solved.problems, ...early.map(({ id, why }) => `${id}: it ended by ${why}`)];
  console.log(
    `${agent} on ${ends.length} of ${competitions.length}: ${problems.join("; ") || "all ended by themselves with a valid submission"}`,
  );
  if (problems.length > 0) failed += 1;
}
process.exitCode = failed > 0 ? 1 : 0;
