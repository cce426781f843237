import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { findProgram } from "./find-program.ts";
import { checkHostEnvironment } from "./host-environment.ts";

/** What the launcher exits with when a cgroup would not take it. */
const NOT_JOINED = 97;

/**
 * Joins the cgroups before the program is there at all, so that no moment is unlimited and unmeasured; closes every
 * descriptor the harness may itself have inherited and would hand on; asks the kernel to prefer the agent as a
 * victim should the whole machine run out of memory. With a mount table it lets go of all limited disks except where
 * they are staged: its copy of another sandbox's mount would keep that disk alive as long as this agent runs.
 */
const LAUNCHER = `
umask 022
joins=$1; keep=$2; table=$3; shift 3
while [ "$joins" -gt 0 ]; do echo $$ > "$1" || exit ${NOT_JOINED}; shift; joins=$((joins - 1)); done
for fd in /proc/$$/fd/*; do fd=\${fd##*/}; if [ "$fd" -gt "$keep" ] 2>/dev/null; then eval "exec $fd>&-"; fi; done
if [ -n "$table" ]; then
  mount --all --fstab "$table" || exit 96
  scratch=\${table%/*}; disks=" "
  while read -r device point rest; do
    case $point in "\${scratch%/*}"/*/disk) disks="$disks$device ";; esac
  done < /proc/self/mounts
  while read -r device point rest; do
    case $disks in *" $device "*) case $point in "$scratch"/stage/*) ;; *) umount -l "$(printf %b "$point")";; esac;; esac
  done < /proc/self/mounts
fi
{ echo 500 > /proc/$$/oom_score_adj; ulimit -c 0; } 2>/dev/null
exec "$@"`;

/** Starts a program inside the given cgroups. Throws where the system would not start any. */
export function launch(
  program: string,
  args: readonly string[],
  options: {
    joinFiles: readonly string[];
    stdio: StdioOptions & unknown[];
    /** Never the agent's: this is what a shell of the host starts with. */
    env: NodeJS.ProcessEnv;
    cwd?: string;
    /** In a session of its own. */
    detached?: boolean;
    /** Mounts to make first, in a mount namespace of its own. */
    mountTable?: string;
  },
): StartedChild {
  const { joinFiles, mountTable, ...spawnOptions } = options;
  checkHostEnvironment(options.env);
  // dash cannot close a descriptor above 9; every Debian has bash, and elsewhere sh is usually able to.
  const shell = findProgram("bash") ?? "/bin/sh";
  const numbers = [`${joinFiles.length}`, `${options.stdio.length - 1}`, mountTable ?? ""];
  const script = ["-c", LAUNCHER, "launcher", ...numbers, ...joinFiles, program, ...args];
  if (mountTable === undefined) return started(spawn(shell, script, spawnOptions));
  const apart = ["--mount", "--propagation", "slave", "--", shell];
  return started(spawn(findProgram("unshare") ?? "unshare", [...apart, ...script], spawnOptions));
}

type StartedChild = ChildProcess & { pid: number };

/** Without descriptors or processes a child has no id, and not even its streams. */
function started(child: ChildProcess): StartedChild {
  child.on("error", () => {});
  if (child.pid === undefined)
    throw new Error("no process could be started: the machine, or this process, has no room for one");
  return child as StartedChild;
}
