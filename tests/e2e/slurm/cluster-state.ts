import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { COMPETITION } from "../trials/setting.ts";
import type { Cluster } from "./cluster.ts";

/** How long the last tasks may take to leave the queue. */
const LEAVE_MS = 30_000;

/** What is still in the queue after a while: a task leaves it a moment after its trial is finished. */
export async function emptyQueue(cluster: Cluster): Promise<string> {
  const until = performance.now() + LEAVE_MS;
  for (;;) {
    const queue = cluster.slurm("squeue", "-h");
    if (queue === "" || performance.now() > until) return queue;
    await wait(250);
  }
}

/**
 * What an administrator does. A controller that is killed has not saved its last seconds: the next one starts tasks that
 * run already, nodes refuse them as duplicates, and Slurm drains such a node until somebody returns it.
 */
export async function returnDrained(
  cluster: Cluster,
  ended: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  while (!ended.aborted) {
    for (const [node, reason] of drainedNodes(cluster)) {
      say(`returning ${node}, which Slurm had drained: ${reason}`);
      ask(cluster, "scontrol", "update", `nodename=${node}`, "state=resume");
    }
    await wait(2000, undefined, { signal: ended }).catch(() => {});
  }
}

function drainedNodes(cluster: Cluster): Map<string, string> {
  const answer = ask(cluster, "sinfo", "-h", "-N", "-t", "drain", "-o", "%N|%E");
  return new Map([...answer.matchAll(/^(n\d+)\|(.*)$/gm)].map(([, node, reason]) => [node, reason]));
}

/** For whoever reads of a failure long after the cluster is gone. */
export function whatStandsWhere(cluster: Cluster, folder: string, story: readonly string[]): string {
  const read = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim() : "none");
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
  const trials = names
    .filter((name) => name.startsWith(COMPETITION))
    .filter((name) => !fs.existsSync(path.join(folder, name, "certificate.json")))
    .map((name) => `${name}: lock ${read(path.join(folder, name, "trial.lock"))}`);
  const logs = path.join(folder, "slurm", "logs");
  const words = (fs.existsSync(logs) ? fs.readdirSync(logs) : []).map(
    (name) => `${name}: ${read(path.join(logs, name)).slice(-300)}`,
  );
  const controller = path.join(path.dirname(cluster.env.SLURM_CONF), "log", "slurmctld.log");
  return Object.entries({
    story: story.join("\n"),
    nodes: ask(cluster, "sinfo", "-N", "-o", "%N %T %E"),
    queue: ask(cluster, "squeue", "-r", "-o", "%i %j %T %N %r %V %S"),
    "trials that are not finished": trials.join("\n"),
    "last words of tasks": words.join("\n"),
    starts: lines(path.join(folder, "starts.jsonl"))
      .map((line) => line.slice(0, 160))
      .join("\n"),
    controller: read(controller).split("\n").slice(-60).join("\n"),
  })
    .map(([title, text]) => `--- ${title}\n${text}`)
    .join("\n");
}

/** The answer, or why there is none. */
function ask(cluster: Cluster, program: string, ...args: string[]): string {
  try {
    return cluster.slurm(program, ...args);
  } catch (error) {
    return String(error);
  }
}

export function lines(file: string): string[] {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : [];
}
