// Starts a coding program with the task as its prompt, and again while time is left and it still does something.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const { AGENT_DIR, CODE_DIR, CODING_CLI, LOGS_DIR, SUBMISSION_DIR, MLEBENCH_DEADLINE_EPOCH } = process.env;
const deadline = Number(MLEBENCH_DEADLINE_EPOCH);
const secondsLeft = () => Math.round(deadline - Date.now() / 1000);
const instructions = fs.readFileSync(path.join(path.dirname(AGENT_DIR), "instructions.txt"), "utf8");
const submission = path.join(SUBMISSION_DIR, "submission.csv");
const until = /^used:([\d.]+)$/.exec(process.env.MLEBENCH_UNTIL ?? "")?.[1] ?? 0;
const start = secondsLeft();
const env = { ...process.env, PATH: `${process.env.PATH}:${path.dirname(process.execPath)}` };

for (let run = 0; ; run++) {
  const stands = fs.existsSync(submission) ? "A submission stands in place; improve it." : "";
  const prompt = `${instructions}\nTime left: ${secondsLeft()} s. Write a first valid submission early. ${stands}`;
  const before = fs.existsSync(submission) ? fs.statSync(submission).mtimeMs : 0;
  const { status } = spawnSync(`${CODING_CLI} "$PROMPT"`, {
    shell: true,
    cwd: CODE_DIR,
    env: { ...env, PROMPT: prompt },
    stdio: ["ignore", "inherit", "inherit"],
  });
  fs.appendFileSync(path.join(LOGS_DIR, "runs.txt"), `run ${run}: status ${status}\n`);
  const changed = fs.existsSync(submission) && fs.statSync(submission).mtimeMs > before;
  if (status !== 0 || !changed || start - secondsLeft() >= until * start) break;
}
process.exit(fs.existsSync(submission) ? 0 : 1);
