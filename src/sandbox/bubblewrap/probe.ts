import { execFile } from "node:child_process";
import { harnessIsRoot, UNPRIVILEGED_USER } from "../agent-user.ts";
import { findProgram } from "../find-program.ts";
import { findCgroupLayout } from "../limits/cgroup-layout.ts";
import { cgroupCapabilities } from "../limits/limit-policy.ts";
import { canLimitDisk } from "../limits/limited-disk.ts";
import { hasSlirp } from "../network/slirp.ts";
import type { Capabilities } from "../sandbox.ts";

const INSTALL = "install it: apt-get install bubblewrap";
const ALLOW_NAMESPACES =
  "use bubblewrap 0.8 or later, and allow user namespaces: sysctl kernel.unprivileged_userns_clone=1, or on Ubuntu sysctl kernel.apparmor_restrict_unprivileged_userns=0";

/** Root gives up being root before bubblewrap starts, so that the agent's user is nobody on the host either. */
export function asAgent(program: string): string[] {
  if (!harnessIsRoot()) return [program];
  const user = `${UNPRIVILEGED_USER}`;
  return ["setpriv", "--reuid", user, "--regid", user, "--clear-groups", "--", program];
}

let working: Promise<{ failure: string } | { version: string }> | null = null;

/** Whether a harmless command runs in all the namespaces we want; if not, what bubblewrap said. */
function tryOnce(): Promise<{ failure: string } | { version: string }> {
  working ??= new Promise((resolve) => {
    const bwrap = findProgram("bwrap") ?? "bwrap";
    const [program, ...own] = asAgent(bwrap);
    const namespaces = ["--unshare-all", "--unshare-user", "--disable-userns"];
    const command = ["--ro-bind", "/", "/", "--proc", "/proc", bwrap, "--version"];
    execFile(program, [...own, ...namespaces, ...command], (error, stdout, stderr) =>
      resolve(error === null ? { version: stdout.trim() } : { failure: stderr.trim() || error.message }),
    );
  });
  return working;
}

/** Without side effects, and quick after the first time. */
export async function probeBubblewrap(): Promise<Capabilities> {
  const tried = findProgram("bwrap") === null ? null : await tryOnce();
  const problem =
    tried === null
      ? { message: "bubblewrap (bwrap) is not installed", nextStep: INSTALL }
      : "failure" in tried
        ? { message: `bubblewrap does not work here: ${tried.failure}`, nextStep: ALLOW_NAMESPACES }
        : null;
  return {
    kind: "bubblewrap",
    available: problem === null,
    problem,
    isolated: true,
    version: tried !== null && "version" in tried ? tried.version : null,
    limits: {
      ...cgroupCapabilities(findCgroupLayout()),
      diskBytes: canLimitDisk() ? "enforced" : "polled",
    },
    networks: hasSlirp() ? ["none", "allow-list", "open"] : ["none", "allow-list"],
  };
}
