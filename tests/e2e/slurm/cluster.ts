import { execFileSync, spawnSync } from "node:child_process";
import path from "node:path";
import { hasProgram, notTested } from "../../tools.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const SCRIPT = path.resolve("scripts/slurm-cluster.sh");
const INSTALL = "sudo bash scripts/install-slurm.sh";

/** Whether a cluster can be started here at all. */
export function canStartCluster(): boolean {
  const what = "trials that a real Slurm runs";
  if (process.getuid?.() !== 0) {
    notTested({
      what,
      why: "nodes are started as root",
      command: "run the tests as root",
      ofThisPlace: true,
    });
    return false;
  }
  return ["slurmctld", "slurmd", "munged", "sbatch"].every((name) => hasProgram(name, what, INSTALL));
}

export interface Cluster {
  env: { SLURM_CONF: string };
  do(verb: string, node?: string): void;
  /** One of Slurm's own programs; its output. */
  slurm(program: string, ...args: string[]): string;
  stop(): void;
}

/** A cluster in a folder of its own. Its sockets' paths must be short. */
export function startCluster(nodes = 4): Cluster {
  const folder = path.join(temporaryFolder(), "c");
  const env = { SLURM_CONF: path.join(folder, "slurm.conf") };
  const run = (...args: string[]) => {
    const { status, stderr } = spawnSync("bash", [SCRIPT, args[0], folder, ...args.slice(1)], {
      encoding: "utf8",
      timeout: 200_000,
      // It ends with us, however we end.
      env: { ...process.env, SLURM_CLUSTER_OWNER: `${process.pid}` },
      // What it leaves running must not hold our pipes open.
      stdio: ["ignore", "ignore", "pipe"],
    });
    if (status !== 0) throw new Error(`slurm-cluster.sh ${args.join(" ")}: ${stderr}`);
  };
  run("start", `${nodes}`);
  return {
    env,
    do: (verb, node) => run(verb, ...(node === undefined ? [] : [node])),
    slurm: (program, ...args) =>
      execFileSync(program, args, { encoding: "utf8", env: { ...process.env, ...env }, timeout: 60_000 }),
    stop: () => run("stop"),
  };
}
