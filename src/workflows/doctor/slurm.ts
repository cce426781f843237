import fs from "node:fs";
import os from "node:os";
import { impossibleOn, readCluster, smallestNode } from "../../executors/slurm/cluster.ts";
import { slurmCommand } from "../../executors/slurm/commands.ts";
import { sizeText } from "../../wording/sizes.ts";
import type { DoctorCheck } from "./schema.ts";

const DAY = 24 * 3600;

/** Whether trials can be handed to Slurm from here. Asks the controller a handful of questions, and submits nothing. */
export async function checkSlurm(partition: string | undefined, runsDir: string): Promise<DoctorCheck[]> {
  const cluster = await readCluster(partition === undefined ? {} : { partition });
  if ("code" in cluster) return [check("cluster", "missing", cluster.message, cluster.nextStep)];
  const { cpus, memoryBytes, gpus } = smallestNode(cluster);
  const size = `${cluster.nodes.length} nodes, the smallest with ${cpus} processors and ${sizeText(memoryBytes)} for a trial`;
  const found = [
    check(
      "cluster",
      "ok",
      `partition ${cluster.partition}: ${size}, at most ${gpus.length} GPUs in one`,
      null,
    ),
  ];
  const day = impossibleOn(cluster, { cpus: 0, memoryBytes: 0, gpus: 0, seconds: DAY });
  found.push(
    day === null
      ? check("time limit", "ok", "a trial may take 24 hours there", null)
      : check(
          "time limit",
          "warning",
          day,
          "choose another partition: --partition <name>; or --time-limit less",
        ),
  );
  found.push(
    await checkNodes(cluster.partition),
    await checkRequeue(),
    await checkAccounting(),
    checkShared(runsDir),
  );
  return found;
}

/** Slurm itself drains a node that refused a job, and returns it to nobody before a person says so. */
async function checkNodes(partition: string): Promise<DoctorCheck> {
  const states = "down,drain,fail";
  const answer = await slurmCommand("sinfo", ["-h", "-N", "-p", partition, "-t", states, "-o", "%N: %E"]);
  const lines = answer.status === "ran" ? answer.output.split("\n").filter((line) => line !== "") : [];
  const out = [...new Set(lines)].sort();
  return out.length === 0
    ? check("nodes", "ok", "all of the partition's are in service", null)
    : check(
        "nodes",
        "warning",
        `out of service are ${out.slice(0, 10).join("; ")}${out.length > 10 ? ` and ${out.length - 10} more` : ""}`,
        "an administrator returns a drained one: scontrol update nodename=<node> state=resume",
      );
}

async function checkRequeue(): Promise<DoctorCheck> {
  const answer = await slurmCommand("scontrol", ["show", "config"]);
  const text = answer.status === "ran" ? answer.output : "";
  const seconds = Number(/^KillWait\s*=\s*(\d+)/m.exec(text)?.[1] ?? 30);
  return seconds >= 15
    ? check("grace", "ok", `a job that is cut off has ${seconds} s to put things down`, null)
    : check(
        "grace",
        "warning",
        `a job that is cut off has only ${seconds} s to put things down`,
        "ask for KillWait=30",
      );
}

/** Nothing of ours needs it. */
async function checkAccounting(): Promise<DoctorCheck> {
  const answer = await slurmCommand("sacct", ["-n", "-X", "-S", "now-1minutes"]);
  return check(
    "accounting",
    "ok",
    answer.status === "ran" ? "is kept" : "is switched off, which trials do not need",
    null,
  );
}

/** The nodes must see what this host sees. Only a guess can be made from here. */
function checkShared(runsDir: string): DoctorCheck {
  const local = new Set([os.tmpdir(), "/tmp", "/var/tmp", "/dev/shm"]);
  const isLocal = [...local].some((place) => runsDir === place || runsDir.startsWith(`${place}/`));
  if (isLocal)
    return check(
      "shared folder",
      "warning",
      `${runsDir} is probably not seen by the nodes`,
      "use a shared one: --runs-dir",
    );
  const there = fs.existsSync(runsDir) ? "exists" : "will be made";
  return check(
    "shared folder",
    "ok",
    `${runsDir} ${there}; the nodes must see it, the data and mlebench at the same paths`,
    null,
  );
}

function check(
  name: string,
  status: DoctorCheck["status"],
  message: string,
  fix: string | null,
): DoctorCheck {
  return { area: "slurm", name, status, message, fix };
}
