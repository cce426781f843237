import { setTimeout as delay } from "node:timers/promises";
import { sendSignal } from "../process/process-table.ts";
import { readText } from "./cgroup-layout.ts";

const PATIENCE_MS = 3000;

/**
 * Stops processes that no cgroup can freeze: whoever still moves is signalled again, until nobody does in two looks in
 * a row. False when they were faster, such as a relay of forks; what they write meanwhile does not count.
 */
export async function stopProcesses(members: () => readonly number[]): Promise<boolean> {
  const before = performance.now();
  let quiet = 0;
  for (let pause = 0; performance.now() - before < PATIENCE_MS; pause = Math.min(10, pause + 1)) {
    const moving = members().filter(moves);
    for (const pid of moving) sendSignal(pid, "SIGSTOP");
    quiet = moving.length === 0 ? quiet + 1 : 0;
    if (quiet === 2) return true;
    await delay(pause);
  }
  return false;
}

/** Neither stopped, nor traced, nor dead. */
function moves(pid: number): boolean {
  const stat = readText(`/proc/${pid}/stat`);
  const state = stat.slice(stat.lastIndexOf(")") + 2)[0];
  return stat !== "" && !"TtZX".includes(state);
}
