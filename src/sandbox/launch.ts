import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { findProgram } from "./find-program.ts";

/** What the launcher exits with when a cgroup would not take it. */
export const NOT_JOINED = 97;

/**
 * Joins the cgroups before the program is there at all, so that no moment is unlimited and unmeasured; closes every
 * descriptor the harness may itself have inherited and would hand on; asks the kernel to prefer the agent as a
 * victim should the whole machine run out of memory.
 */
const LAUNCHER = `
joins=$1; keep=$2; shift 2
while [ "$joins" -gt 0 ]; do echo $$ > "$1" || exit ${NOT_JOINED}; shift; joins=$((joins - 1)); done
for fd in /proc/$$/fd/*; do fd=\${fd##*/}; if [ "$fd" -gt "$keep" ] 2>/dev/null; then eval "exec $fd>&-"; fi; done
{ echo 500 > /proc/$$/oom_score_adj; ulimit -c 0; } 2>/dev/null
exec "$@"`;

/** Starts a program inside the given cgroups. */
export function launch(
  program: string,
  args: readonly string[],
  options: {
    joinFiles: readonly string[];
    stdio: StdioOptions & unknown[];
    env: NodeJS.ProcessEnv;
    cwd?: string;
  },
): ChildProcess {
  const { joinFiles, stdio, env, cwd } = options;
  // dash cannot close a descriptor above 9; every Debian has bash, and elsewhere sh is usually able to.
  const shell = findProgram("bash") ?? "/bin/sh";
  const script = ["-c", LAUNCHER, "launcher", `${joinFiles.length}`, `${stdio.length - 1}`, ...joinFiles];
  return spawn(shell, [...script, program, ...args], { stdio, env, ...(cwd === undefined ? {} : { cwd }) });
}
