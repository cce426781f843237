// Ten thousand trials on two hundred nodes in virtual time: the executor's own decisions, the group's own files, and a
// cluster on which everything goes wrong now and then. npm run soak -- scale [trials] [nodes]
import fs from "node:fs";
import path from "node:path";
import { arrayStore } from "../../src/executors/slurm/arrays.ts";
import { drive } from "../../src/executors/slurm/drive.ts";
import { readGroup } from "../../src/trials/group/folder.ts";
import { runGroup } from "../../src/trials/group/run.ts";
import { type SharedByTrials, shareOf } from "../../src/trials/group/shared.ts";
import { readStarts } from "../../src/trials/group/starts.ts";
import { groupStates } from "../../src/trials/state/group-state.ts";
import { COMPETITION, plan, scene } from "../e2e/trials/setting.ts";
import { virtualSlurm } from "./scale/virtual-slurm.ts";
import { virtualTime } from "./scale/virtual-time.ts";

const [trials = 10_000, nodes = 200] = process.argv.slice(2).map(Number);
const NEVER = new AbortController().signal;

class Killed extends Error {}

/** A generator of its own, so that a run can be repeated. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = seeded(20);
const began = performance.now();
const setting = scene("sleep 1");
const folder = await plan(setting, { executor: "slurm" }, { seeds: trials });
const group = readGroup(folder)!;
let shared: Promise<SharedByTrials> | null = null;
const share = () => {
  shared ??= shareOf(folder, group, { trials: group.trials.slice(0, 1), acceptChangedData: false }).then(
    (value) => {
      if ("code" in value) throw new Error(value.message);
      return value;
    },
  );
  return shared;
};
const time = virtualTime();
const slurm = virtualSlurm(time, share, { nodes, random });

let ended = 0;
let deaths = 0;
/** Calls to the scheduler after each tenth: in the last one nothing waits any more. */
const callsSoFar: { calls: number; disturbed: number }[] = [];
const tenths: { controllerMs: number }[] = [];
let mark = { events: 0, cpu: process.cpuUsage() };
function onTrialEnd(): void {
  if (++ended % Math.floor(trials / 10) !== 0) return;
  const used = process.cpuUsage(mark.cpu);
  const cpuMs = (used.user + used.system) / 1000;
  const controllerMs = cpuMs - (time.eventMs() - mark.events);
  tenths.push({ controllerMs });
  callsSoFar.push({
    calls: slurm.calls.queue + slurm.calls.submit,
    disturbed: slurm.counts.refused + slurm.counts.lost + deaths,
  });
  mark = { events: time.eventMs(), cpu: process.cpuUsage() };
  const each = trials / 10;
  console.log(
    `${ended} finished, virtual hour ${(time.now() / 3_600_000).toFixed(1)}: ${(cpuMs / each).toFixed(2)} ms of processor time a trial, of it the controller ${(controllerMs / each).toFixed(2)} ms`,
  );
}

for (;;) {
  // Whoever drives the group dies now and then; the next one goes on.
  const diesAt = deaths < 5 ? time.now() + (2 + random() * 6) * 3_600_000 : Number.POSITIVE_INFINITY;
  const clock = {
    now: time.now,
    async sleep(milliseconds: number) {
      await time.sleep(milliseconds, NEVER);
      if (time.now() > diesAt) throw new Killed();
    },
  };
  try {
    const outcome = await runGroup(folder, {
      interrupted: NEVER,
      killed: NEVER,
      onTrialEnd,
      executor: {
        machine: { cpus: 1, memoryBytes: 1, gpus: [] },
        elsewhere: true,
        impossible: () => null,
        runAll: (jobs, context) =>
          drive(
            jobs,
            {
              ...context,
              files: {
                ...context.files,
                look(id) {
                  const sight = context.files.look(id);
                  // The counter of a lock whose holder lives moves in virtual time.
                  return sight.status === "held" && slurm.isAlive(id)
                    ? { ...sight, mark: `${clock.now()}` }
                    : sight;
                },
              },
            },
            {
              scheduler: slurm,
              store: arrayStore(folder),
              clock,
              workers: trials,
              maxTasks: 1000,
              nodes: [],
            },
          ),
      },
    });
    if (outcome.status !== "ended") throw new Error(outcome.problem.message);
    if (outcome.unfinished.length > 0)
      throw new Error(`${outcome.unfinished.length} unfinished: ${outcome.refusal?.message}`);
    break;
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    deaths++;
    console.log(`whoever drove the group died in virtual hour ${(time.now() / 3_600_000).toFixed(1)}`);
  }
}

const seconds = (performance.now() - began) / 1000;
const certified = group.trials.filter(({ id }) =>
  fs.existsSync(path.join(folder, id, "certificate.json")),
).length;
const { starts, problems } = readStarts(path.join(folder, "starts.jsonl"));
const beforeStatus = performance.now();
const [state] = await groupStates([folder]);
const statusMs = performance.now() - beforeStatus;
const use = measure(folder);
console.log(
  `${certified} of ${trials} trials of ${COMPETITION} finished on ${nodes} nodes (most at once: ${slurm.most})`,
);
console.log(
  `in ${seconds.toFixed(0)} s for ${(time.now() / 3_600_000).toFixed(1)} virtual hours, with`,
  slurm.counts,
  `and ${deaths} deaths of the driver`,
);
console.log(
  "calls to the scheduler:",
  slurm.calls,
  `(${(((slurm.calls.queue + slurm.calls.submit) * 100) / trials).toFixed(2)} per 100 trials)`,
);
console.log(
  `${starts.length} attempts announced; ${(use.files / trials).toFixed(1)} files, ${(use.inodes / trials).toFixed(1)} inodes and ${(use.bytes / trials / 1024).toFixed(1)} KiB a trial`,
);
console.log(
  `starts.jsonl ${(fs.statSync(path.join(folder, "starts.jsonl")).size / starts.length).toFixed(0)} bytes an attempt; status of all: ${statusMs.toFixed(0)} ms, ${(statusMs / trials).toFixed(3)} ms a trial`,
);
const [first, last] = [callsSoFar[0], callsSoFar[7]];
const perHundred = (calls: number) => (calls * 100) / (0.7 * trials);
// Who is refused or not answered asks and submits again, and so does who takes the place of a dead driver.
const repeated = 2 * (last.disturbed - first.disturbed);
const steadyCalls = perHundred(last.calls - first.calls - repeated);
console.log(
  `while others wait (tenths 2 to 8): ${perHundred(last.calls - first.calls).toFixed(2)} calls per 100 trials, without those repeated after a refusal, a lost answer or a death ${steadyCalls.toFixed(2)}`,
);
const steady = tenths.slice(1, -1).map(({ controllerMs }) => controllerMs);
const growth = steady.at(-1)! / steady[0];
console.log(`the controller's cost a trial, last part against first: ${growth.toFixed(2)}`);
const wrong = [
  ...(certified === trials ? [] : ["not all are finished"]),
  ...(slurm.twice.length === 0 ? [] : [`finished twice: ${slurm.twice.slice(0, 3).join()}`]),
  ...problems.slice(0, 3),
  ...(state.trials.every((trial) => trial.state === "finished")
    ? []
    : ["status does not call all of them finished"]),
  ...(trials < 5000 || steadyCalls <= 1 ? [] : ["more than one call to the scheduler for 100 trials"]),
  ...(trials < 5000 || growth <= 2 ? [] : [`the controller's cost a trial grows: ${growth.toFixed(2)}`]),
  ...(slurm.counts.finished === trials ? [] : [`${slurm.counts.finished} endings of ${trials} trials`]),
];
for (const line of wrong) console.log(`WRONG: ${line}`);
fs.rmSync(setting.root, { recursive: true, force: true });
process.exitCode = wrong.length === 0 ? 0 : 1;

function measure(place: string): { files: number; inodes: number; bytes: number } {
  const found = { files: 0, inodes: 0, bytes: 0 };
  const entries = fs.readdirSync(place, { withFileTypes: true, recursive: true });
  for (const entry of entries) {
    found.inodes++;
    if (!entry.isFile()) continue;
    found.files++;
    found.bytes += fs.statSync(path.join(entry.parentPath, entry.name)).size;
  }
  return found;
}
