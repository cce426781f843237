import type { Problem } from "../../wording/problem.ts";
import type { Needs } from "../executor.ts";
import type { Machine } from "../machine.ts";
import { slurmCommand } from "./commands.ts";
import { COLLECTION_SECONDS, HARNESS_BYTES } from "./sbatch-arguments.ts";
import type { ClusterNode } from "./scheduler.ts";
import type { SlurmSettings } from "./schema.ts";

/** What the cluster has for a run's settings. */
export interface Cluster {
  /** The partition that jobs go to. */
  partition: string;
  nodes: ClusterNode[];
  /** Nodes of the partition that the settings leave out. */
  outside: string[];
  /** How many tasks an array may have. */
  maxTasks: number;
  /** How long a job may take there; null where nothing limits it. */
  maxSeconds: number | null;
}

/** More tasks in one array help nobody. */
const MAX_TASKS = 1000;

/** Asks Slurm what there is. One question about the nodes, one about the limits. */
export async function readCluster(settings: SlurmSettings): Promise<Cluster | Problem> {
  const answer = await slurmCommand("sinfo", ["-h", "-N", "-o", "%P|%N|%c|%m|%l|%G"]);
  if (answer.status === "missing")
    return problem(
      "NO_SLURM",
      `${answer.message}.`,
      "submit from a host that has Slurm's programs, such as a login node",
    );
  if (answer.status !== "ran")
    return problem(
      "SLURM_UNREACHABLE",
      `Slurm does not answer: ${answer.message}.`,
      "see whether its controller answers: scontrol ping; SLURM_CONF names its configuration",
    );
  // Slurm lists them in whatever order its tables have that day: what we say must not change with it.
  const rows = answer.output
    .split("\n")
    .flatMap(parseNode)
    .sort((a, b) => (`${a.partition} ${a.name}` < `${b.partition} ${b.name}` ? -1 : 1));
  const partition = settings.partition ?? rows.find((row) => row.isDefault)?.partition;
  if (partition === undefined)
    return problem("NO_PARTITION", "Slurm has no default partition.", "name one: --partition <name>");
  const names = partition.split(",");
  const known = rows.filter((row) => names.includes(row.partition));
  if (known.length === 0)
    return problem(
      "NO_PARTITION",
      `Slurm has no partition "${partition}"; there are: ${[...new Set(rows.map((row) => row.partition))].join(", ")}.`,
      "name another one: --partition <name>",
    );
  const wanted = settings.nodes === undefined ? null : await nodeNames(settings.nodes);
  if (wanted !== null && "code" in wanted) return wanted;
  const nodes = known.filter(({ name }) => wanted === null || wanted.includes(name));
  if (nodes.length === 0)
    return problem("NO_NODES", `None of ${settings.nodes} is in the partition ${partition}.`, "see sinfo -N");
  const limits = known.map(({ maxSeconds }) => maxSeconds);
  return {
    partition,
    nodes,
    outside: [...new Set(known.filter((node) => !nodes.includes(node)).map(({ name }) => name))],
    maxTasks: Math.min(MAX_TASKS, await maxArraySize()),
    maxSeconds: limits.includes(null) ? null : Math.max(...(limits as number[])),
  };
}

async function nodeNames(list: string): Promise<string[] | Problem> {
  const answer = await slurmCommand("scontrol", ["show", "hostnames", list]);
  if (answer.status === "ran") return answer.output.split("\n").filter((name) => name !== "");
  return problem(
    "NO_NODES",
    `"${list}" does not name nodes: ${answer.message}.`,
    "write it as Slurm does: n[1-3]",
  );
}

async function maxArraySize(): Promise<number> {
  const answer = await slurmCommand("scontrol", ["show", "config"]);
  const size = answer.status === "ran" ? /^MaxArraySize\s*=\s*(\d+)/m.exec(answer.output)?.[1] : undefined;
  // Numbers of tasks stay below it; where arrays are switched off it is 0, and each trial is an array of one.
  return Math.max(1, Number(size ?? MAX_TASKS));
}

/** What one trial gets unless told: all of the smallest node, less what the harness needs. */
export function smallestNode({ nodes }: Cluster): Machine {
  const least = (of: (node: ClusterNode) => number) => Math.min(...nodes.map(of));
  const gpus = Math.max(...nodes.map((node) => node.gpus));
  return {
    cpus: least((node) => node.cpus),
    memoryBytes: Math.max(2 ** 28, least((node) => node.memoryBytes) - HARNESS_BYTES),
    gpus: Array.from({ length: gpus }, (_, i) => `${i}`),
  };
}

/** What no node can give, as a sentence; null when some node can. */
export function impossibleOn(cluster: Cluster, needs: Needs): string | null {
  const { nodes, maxSeconds, partition } = cluster;
  const fits = (node: ClusterNode) =>
    Math.ceil(needs.cpus) <= node.cpus &&
    needs.gpus <= node.gpus &&
    (needs.memoryBytes === 0 || needs.memoryBytes + HARNESS_BYTES <= node.memoryBytes + 2 ** 20);
  if (!nodes.some(fits))
    return `no node of the partition ${partition} has ${Math.ceil(needs.cpus)} processors, ${needs.gpus} GPUs and ${Math.ceil((needs.memoryBytes + HARNESS_BYTES) / 2 ** 20)} MiB of memory together`;
  const minutes = Math.ceil((needs.seconds + COLLECTION_SECONDS) / 60);
  if (maxSeconds !== null && minutes * 60 > maxSeconds)
    return `a job would be asked for ${minutes} minutes, and the partition ${partition} allows ${Math.floor(maxSeconds / 60)}`;
  return null;
}

function parseNode(line: string) {
  const [partition, name, cpus, megabytes, time, gres] = line.split("|");
  if (gres === undefined) return [];
  return [
    {
      partition: partition.replace(/\*$/, ""),
      isDefault: partition.endsWith("*"),
      name,
      cpus: Number.parseInt(cpus, 10),
      memoryBytes: Number.parseInt(megabytes, 10) * 2 ** 20,
      gpus: gpuCount(gres),
      maxSeconds: parseTime(time),
    },
  ];
}

/** Such as `gpu:2(S:0)` or `gpu:a100:4,gpu:v100:2`. */
export function gpuCount(gres: string): number {
  const counts = [
    ...gres.replaceAll(/\([^)]*\)/g, "").matchAll(/\bgpu(?::[^:,]*[a-z][^:,]*)?(?::(\d+))?(?=,|$)/gi),
  ];
  return counts.reduce((sum, [, count]) => sum + Number(count ?? 1), 0);
}

/** `days-hours:minutes:seconds`, with parts missing from the left; null for `infinite`. */
export function parseTime(text: string): number | null {
  const match = /^(?:(\d+)-)?(?:(?:(\d+):)?(\d+):)?(\d+)$/.exec(text.trim());
  if (match === null) return null;
  const [days, hours, minutes, last] = match.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + last;
}

function problem(code: string, message: string, nextStep: string): Problem {
  return { code, message, nextStep };
}
