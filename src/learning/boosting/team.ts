import { Worker } from "node:worker_threads";
import { type Arena, ROOM } from "./arena.ts";
import { ARENA_NAMES, Control, type FeatureWork, featureWork, Job } from "./feature-work.ts";
import { assembleRowLoops, type RowLoops } from "./loops.ts";

/** Helper threads that outlive one fit. Start them once; a team without helpers does all on the calling thread. */
export interface Team {
  readonly helpers: readonly Worker[];
}

/** The calling thread's side of a fit: it shares out the features of each job, and works itself. */
export interface Shift {
  readonly loops: RowLoops;
  /** Does the job described in the arena, alone or with the helpers. */
  run(activeCount: number, alone: boolean): void;
  /** Sends the helpers back to waiting for the next fit; must be called, or they wait forever. */
  end(): void;
}

const CHUNKS_PER_THREAD = 4;
const SPINS = 2000;

/**
 * A team of `threads`, the calling one included. The helpers run the text of two functions, so that they need no
 * file of their own, neither in the bundle nor under the test runner.
 */
export function openTeam(threads: number): Team {
  const program = `(${serveFits.toString()})(${featureWork.toString()}, require("node:worker_threads").parentPort)`;
  const helpers = Array.from({ length: Math.max(0, threads - 1) }, () => {
    const helper = new Worker(program, { eval: true });
    helper.unref();
    return helper;
  });
  return { helpers };
}

export async function closeTeam(team: Team): Promise<void> {
  await Promise.all(team.helpers.map((helper) => helper.terminate()));
}

export function startShift(team: Team, { memory, layout }: Arena): Shift {
  const { buffer } = memory;
  const module = new WebAssembly.Module(assembleRowLoops());
  const loops = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as RowLoops;
  const work = featureWork(buffer, layout, loops, ARENA_NAMES);
  for (const helper of team.helpers) helper.postMessage({ memory, layout, module, names: ARENA_NAMES });
  const control = new Int32Array(buffer, layout.control, ROOM.control);
  const job = new Float64Array(buffer, layout.job, ROOM.job);
  const threads = team.helpers.length + 1;

  function runTogether(activeCount: number): void {
    const chunk = Math.ceil(activeCount / (threads * CHUNKS_PER_THREAD));
    job[Job.activeCount] = activeCount;
    job[Job.chunk] = chunk;
    const end = Atomics.load(control, Control.end) + Math.ceil(activeCount / chunk);
    Atomics.store(control, Control.end, end);
    Atomics.notify(control, Control.end);
    work.takeChunks();
    for (let spins = 0; ; spins++) {
      const done = Atomics.load(control, Control.done);
      if (done === end) return;
      if (spins > SPINS) Atomics.wait(control, Control.done, done);
    }
  }

  return {
    loops,
    run: (activeCount, alone) =>
      alone || team.helpers.length === 0 ? work.doFeatures(0, activeCount) : runTogether(activeCount),
    end() {
      Atomics.store(control, Control.stop, 1);
      Atomics.store(control, Control.end, -1);
      Atomics.notify(control, Control.end);
    },
  };
}

/** A helper's whole program. It is run as text: it may use its arguments and nothing else from outside. */
function serveFits(
  prepareWork: typeof featureWork,
  port: {
    on(
      event: "message",
      listener: (
        fit: { memory: WebAssembly.Memory; module: WebAssembly.Module; names: typeof ARENA_NAMES } & Pick<
          Arena,
          "layout"
        >,
      ) => void,
    ): void;
  },
): void {
  const PATIENCE = 2000;
  port.on("message", ({ memory, layout, module, names }) => {
    const { Control, ROOM } = names;
    const loops = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as RowLoops;
    const work: FeatureWork = prepareWork(memory.buffer, layout, loops, names);
    const control = new Int32Array(memory.buffer, layout.control, ROOM.control);
    for (let idle = 0; ; idle++) {
      const end = Atomics.load(control, Control.end);
      if (Atomics.load(control, Control.stop) === 1) return;
      if (Atomics.load(control, Control.ticket) < end) {
        work.takeChunks();
        idle = 0;
      } else if (idle > PATIENCE) Atomics.wait(control, Control.end, end);
    }
  });
}
