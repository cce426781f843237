/**
 * Kills the baseline with SIGKILL at random moments on one starter competition after another, and fails unless every
 * kill leaves a submission that the format check calls valid. Needs the built package.
 *
 *   npm run soak -- baseline-kills                     twenty-four kills
 *   npm run soak -- baseline-kills --kills 5 --seed 2  fewer, at other moments
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";
import { seededRandom } from "../../src/learning/seeded-random.ts";
import { agentPlace, killAgent } from "../e2e/baseline/agent-process.ts";
import { temporaryFolder } from "../e2e/temporary-folder.ts";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "24" }, seed: { type: "string", default: "1" } },
});
const MAIN = path.resolve("dist/cli/main.js");
const mlebench = (...args: string[]) => spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8" });
const LATEST_MILLISECONDS = 20_000;
const data = temporaryFolder();
const prepared = mlebench("prepare", "--split", "starter", "--data-dir", data);
if (prepared.status !== 0) throw new Error(prepared.stderr);
const competitions = JSON.parse(mlebench("list", "--split", "starter", "--json").stdout) as { id: string }[];
const random = seededRandom(Number(values.seed));
let failed = 0;
for (let kill = 0; kill < Number(values.kills); kill++) {
  const competition = competitions[kill % competitions.length].id;
  const place = agentPlace({
    competition,
    data: path.join(data, competition, "prepared/public"),
    seconds: 60,
  });
  const milliseconds = Math.round(LATEST_MILLISECONDS * random());
  await killAgent(place, milliseconds);
  const checked = mlebench("validate", place.submission, competition, "--data-dir", data);
  if (checked.status !== 0) failed++;
  console.log(
    `${checked.status === 0 ? "valid " : "BROKEN"}  ${competition}, killed after ${milliseconds} ms`,
  );
}
console.log(`baseline-kills: ${values.kills} kills, ${failed} without a valid submission`);
process.exitCode = failed > 0 ? 1 : 0;
