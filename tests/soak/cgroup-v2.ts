/**
 * Limits by cgroup v2, on a kernel that has it whatever this machine's own does: User-Mode Linux, which needs no
 * virtualisation and shows this machine's files. Needs root and the package user-mode-linux.
 *
 *   npm run soak -- cgroup-v2
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { findProgram } from "../../src/sandbox/find-program.ts";
import { temporaryFolder, writeText } from "../e2e/temporary-folder.ts";

interface Line {
  place: string;
  agent: string;
  group: string;
  refused?: string;
  by?: string;
  exit?: { kind: string };
  usage?: { peakMemoryBytes: number; cpuSeconds: number };
  seconds?: number;
}

const kernel = findProgram("linux.uml");
if (kernel === null || process.getuid?.() !== 0)
  console.log("cgroup-v2: skipped; it needs root, and: apt-get install user-mode-linux");
else process.exitCode = (await run(kernel)) ? 0 : 1;

async function run(program: string): Promise<boolean> {
  const folder = temporaryFolder();
  const inside = path.join(folder, "inside.mjs");
  await build({
    entryPoints: [path.resolve("tests/soak/cgroup-v2/inside.ts")],
    outfile: inside,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  const init = writeText(folder, "init.sh", initScript(inside));
  fs.chmodSync(init, 0o755);
  fs.chmodSync(folder, 0o755);
  const options = ["mem=1500M", "rootfstype=hostfs", "rootflags=/", "ro", `init=${init}`];
  const consoles = ["con=null", "con0=null,fd:1", "ssl=null", "quiet"];
  const { stdout } = spawnSync(program, [...options, ...consoles], { encoding: "utf8", timeout: 600_000 });
  const lines = stdout
    .split(/\r?\n/)
    .flatMap((text): Line[] => (text.startsWith("{") ? [JSON.parse(text)] : []));
  const problems = [...lines.flatMap(problemsOf), ...leftovers(stdout)];
  if (lines.length !== 12) problems.push(`${lines.length} of 12 agents ran:\n${stdout}`);
  for (const problem of problems) console.error(problem);
  console.log(
    problems.length > 0
      ? "cgroup-v2: failed"
      : "cgroup-v2: 12 agents in 4 kinds of groups ended as they should",
  );
  fs.rmSync(folder, { recursive: true, force: true });
  return problems.length === 0;
}

/** The hierarchy's root; a user's session; one without the cpu controller; and a container's own root. */
function initScript(inside: string): string {
  const node = `${process.execPath} ${inside}`;
  const asUser = `setpriv --reuid 1000 --regid 1000 --clear-groups ${node}`;
  const session = (name: string, controllers: string) => `
mkdir -p /sys/fs/cgroup/${name}/scope; echo "${controllers}" > /sys/fs/cgroup/${name}/cgroup.subtree_control
chown -R 1000 /sys/fs/cgroup/${name}/scope
( echo $BASHPID > /sys/fs/cgroup/${name}/scope/cgroup.procs; exec ${asUser} ${name} )`;
  // The temporary folder of this machine holds the program: the virtual machine's own is elsewhere.
  return `#!/bin/bash
export PATH=/usr/sbin:/usr/bin:/sbin:/bin TMPDIR=/run/tmp
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t tmpfs run /run; mkdir -m 1777 /run/tmp
mount -t devtmpfs dev /dev; mount -t cgroup2 cgroup2 /sys/fs/cgroup; ip link set lo up
${node} root
${session("session", "+memory +pids +cpu")}
${session("limited", "+memory +pids")}
mkdir /sys/fs/cgroup/box
( echo $BASHPID > /sys/fs/cgroup/box/cgroup.procs
  exec unshare --cgroup --mount sh -c 'umount /sys/fs/cgroup; mount -t cgroup2 c /sys/fs/cgroup; ${node} container' )
find /sys/fs/cgroup -name 'mlebench-inside-*' | sed 's/^/left: /'
echo o > /proc/sysrq-trigger; sleep 5`;
}

function problemsOf(line: Line): string[] {
  const { place, agent, group, refused, by, exit, usage, seconds = 0 } = line;
  const problem = (what: string) => [`${place}, an agent that ${agent}: ${what}: ${JSON.stringify(line)}`];
  if (place === "limited")
    return refused === "LIMIT_NOT_ENFORCEABLE" ? [] : problem("the CPU limit was not refused");
  if (refused !== undefined || by !== "cgroup v2") return problem("was not limited by cgroup v2");
  if (/harness.*harness/.test(group)) return problem("the harness sank deeper");
  if (agent === "eats memory")
    return exit?.kind === "out-of-memory" && (usage?.peakMemoryBytes ?? 0) <= 60_000_000
      ? []
      : problem("went on");
  if (exit?.kind !== "exited") return problem("did not end by itself");
  if (agent === "is slowed down" && (usage?.cpuSeconds ?? 0) > 0.35 * seconds)
    return problem("was not slowed down");
  return [];
}

function leftovers(output: string): string[] {
  return output.split(/\r?\n/).filter((line) => line.startsWith("left: "));
}
