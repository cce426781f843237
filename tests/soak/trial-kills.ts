/**
 * Kills the harness with SIGKILL at random moments of groups of thirty trials, resumes it each time, and fails unless
 * every trial is finished exactly once, no submission is lost and every certificate verifies. Needs the built package.
 *
 *   npm run soak -- trial-kills                        fifty kills in bubblewrap
 *   npm run soak -- trial-kills --kills 5 --trials 6   fewer
 *   npm run soak -- trial-kills --sandbox process      without isolation
 *   npm run soak -- trial-kills --signals              any signals, many of which it is to survive
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { temporaryFolder } from "../e2e/temporary-folder.ts";
import { ANY_SIGNAL, killAndResume } from "../e2e/trials/kill-and-resume.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    trials: { type: "string", default: "30" },
    sandbox: { type: "string", default: "bubblewrap" },
    signals: { type: "boolean", default: false },
  },
});
const wanted = Number(values.kills);
let kills = 0;
let failed = false;
while (kills < wanted && !failed) {
  const result = await killAndResume({
    main: path.resolve("dist/cli/main.js"),
    folder: temporaryFolder(),
    kills: wanted - kills,
    trials: Number(values.trials),
    system: { sandbox: values.sandbox === "process" ? "process" : "bubblewrap" },
    ...(values.signals ? { signals: ANY_SIGNAL } : {}),
    random: Math.random,
    log: (line) => console.log(line),
  });
  kills += result.kills;
  failed = result.problems.length > 0;
  for (const problem of result.problems) console.error(problem);
}
console.log(
  failed ? "trial-kills: failed" : `trial-kills: ${kills} kills, nothing lost, everything verifies`,
);
process.exitCode = failed ? 1 : 0;
