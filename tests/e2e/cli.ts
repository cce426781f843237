import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import path from "node:path";

// Tests and soaks are started in the root of the repository; a soak is a bundle that lies elsewhere.
const MAIN = path.resolve("dist/cli/main.js");

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the built command with nothing of the tester's own environment that changes what it does. */
export function mlebench(
  args: readonly string[],
  env: Record<string, string> = {},
  timeout = 60_000,
): CliResult {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    env: { ...plainEnvironment(), ...env },
    encoding: "utf8",
    timeout,
    maxBuffer: 2 ** 26,
  });
  return { code: status, stdout, stderr };
}

/** What a `--json` command prints. */
export function json(result: CliResult): unknown {
  return JSON.parse(result.stdout);
}

/** Starts the built command without waiting for it. */
export function startMlebench(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { env: { ...plainEnvironment(), ...env }, stdio: "pipe" });
}

function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(MLEBENCH_|NODE_OPTIONS|VITEST|FORCE_COLOR|NO_COLOR)/.test(name),
  );
  return Object.fromEntries(kept);
}
