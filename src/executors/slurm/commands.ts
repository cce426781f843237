import { execFile } from "node:child_process";
import type { Refused } from "./scheduler.ts";

/** A controller that is busy answers late; one that does not answer at all is asked again later. */
const PATIENCE_MS = 60_000;

export type CommandOutcome =
  | { status: "ran"; output: string }
  | { status: "missing"; message: string }
  | Refused;

/** What a controller says that restarts, is overloaded, or has no room at the moment; it may say something else later. */
const LATER =
  /unable to contact|connection (refused|reset|timed out)|timed out|zero bytes|temporarily|resource temporarily|MaxJobCount|submit ?limit|job submit limit|QOSMaxSubmitJob|AssocMaxSubmitJob|communication|controller.*(not|down)|try again|Pending job list|slurm_persist|in backup|Munge decode failed.*expired/i;

/** Runs one of Slurm's programs without a shell. */
export function slurmCommand(
  program: string,
  args: readonly string[],
  signal?: AbortSignal,
): Promise<CommandOutcome> {
  return new Promise((resolve) => {
    const options = { timeout: PATIENCE_MS, encoding: "utf8" as const, maxBuffer: 2 ** 28, signal };
    const child = execFile(
      program,
      args,
      { ...options, env: plainEnvironment() },
      (error, stdout, stderr) => {
        if (error === null) return resolve({ status: "ran", output: stdout });
        if (error.code === "ENOENT")
          return resolve({ status: "missing", message: `${program} is not installed here` });
        if (error.killed)
          return resolve({ status: "later", message: waits(stderr) ?? `${program} did not answer in time` });
        const message = lastWords(stderr) || lastWords(stdout) || error.message.split("\n")[0];
        resolve(LATER.test(stderr) ? { status: "later", message } : { status: "refused", message });
      },
    );
    // It would ask again and again for two minutes, with as many jobs as there is no room for.
    let said = "";
    child.stderr?.on("data", (chunk) => {
      said += chunk;
      if (waits(said) !== null) child.kill();
    });
  });
}

/** What sbatch says before it begins to wait by itself: the queue is full. */
function waits(stderr: string): string | null {
  return /^sbatch: (?:error: )?(.+), sleeping and retrying/m.exec(stderr)?.[1] ?? null;
}

/** Slurm's programs take options from variables: what another job was asked for must not become ours. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => name === "SLURM_CONF" || !/^(SBATCH_|SQUEUE_|SINFO_|SCANCEL_|SLURM_)/.test(name),
  );
  return Object.fromEntries(kept);
}

function lastWords(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/^\w+: (error: )?/, "").trim());
  return (
    lines
      .filter((line) => line !== "")
      .at(-1)
      ?.slice(0, 300) ?? ""
  );
}
