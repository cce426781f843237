import type { Clock } from "../../../src/executors/slurm/scheduler.ts";

/** Time that passes only when somebody waits for it. What happens meanwhile happens in its order. */
export interface VirtualTime extends Clock {
  at(time: number, what: () => Promise<void>): void;
  /** Milliseconds of processor time that the events took: not the controller's. */
  eventMs(): number;
}

export function virtualTime(): VirtualTime {
  let now = 0;
  let order = 0;
  let spent = 0;
  const heap: { time: number; order: number; what: () => Promise<void> }[] = [];
  const before = (a: number, b: number) =>
    heap[a].time < heap[b].time || (heap[a].time === heap[b].time && heap[a].order < heap[b].order);
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b], heap[a]];
  };
  function pop() {
    const first = heap[0];
    const last = heap.pop()!;
    if (heap.length > 0) {
      heap[0] = last;
      for (let i = 0; ; ) {
        let least = i;
        for (const child of [2 * i + 1, 2 * i + 2])
          if (child < heap.length && before(child, least)) least = child;
        if (least === i) break;
        swap(i, least);
        i = least;
      }
    }
    return first;
  }
  return {
    now: () => now,
    eventMs: () => spent,
    at(time, what) {
      heap.push({ time: Math.max(time, now), order: order++, what });
      for (let i = heap.length - 1; i > 0; ) {
        const parent = (i - 1) >> 1;
        if (!before(i, parent)) break;
        swap(i, parent);
        i = parent;
      }
    },
    async sleep(milliseconds) {
      const until = now + milliseconds;
      const started = process.cpuUsage();
      while (heap.length > 0 && heap[0].time <= until) {
        const { time, what } = pop();
        now = Math.max(now, time);
        await what();
      }
      const used = process.cpuUsage(started);
      spent += (used.user + used.system) / 1000;
      now = until;
    },
  };
}
