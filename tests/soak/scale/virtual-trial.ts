import fs from "node:fs";
import { waitForLock } from "../../../src/files/lock-file.ts";
import { sealTrial } from "../../../src/trials/certificate/certificate.ts";
import { groupPaths } from "../../../src/trials/group/folder.ts";
import { newTrial } from "../../../src/trials/group/new-trial.ts";
import type { PlannedTrial } from "../../../src/trials/group/schema.ts";
import { type SharedByTrials, trialRequest } from "../../../src/trials/group/shared.ts";
import { announceStart } from "../../../src/trials/group/starts.ts";
import { openEvents } from "../../../src/trials/trial/events.ts";
import { trialPaths, writeTrial } from "../../../src/trials/trial/folder.ts";
import { recoverTrial } from "../../../src/trials/trial/recover.ts";

/** One attempt on a node: everything a trial writes, and an agent that only sleeps. */
export interface VirtualTrial {
  finish(): Promise<void>;
  /** SIGTERM: what stands there is put down, and the lock is given back. */
  cut(): void;
  /** The node is without power: its lock stays as it was, with a counter that moves no more. */
  die(): void;
}

const SUBMISSION = `id,value\n${Array.from({ length: 50 }, (_, i) => `${i},0.5`).join("\n")}\n`;

/** Null when somebody else runs it or has finished it. */
export async function beginTrial(
  shared: SharedByTrials,
  planned: PlannedTrial,
  { node, jobId }: { node: string; jobId: string },
): Promise<VirtualTrial | "done" | "busy"> {
  const paths = trialPaths(groupPaths(shared.folder).trial(planned.id));
  const lock = await waitForLock(paths.lock, "trial-lock", { beats: true, silenceMs: 4 });
  if (lock.status === "busy") return "busy";
  const recovery = await recoverTrial(paths.folder, null);
  if (recovery.status === "done") {
    lock.release();
    return "done";
  }
  const place = { executor: "slurm", jobId };
  const request = trialRequest(shared, planned, { attempt: recovery.attempt, gpus: [], place });
  const trial = newTrial(request);
  trial.host.name = node;
  trial.start = await announceStart(request.plan!.starts, planned.id, recovery.attempt);
  writeTrial(paths.folder, trial);
  const events = openEvents(paths.events);
  const { id, attempt, plan, start, competition, agent, seed, limits, network, materials } = trial;
  events.append("prepared", {
    id,
    attempt,
    plan,
    start,
    competition,
    agent,
    seed,
    limits,
    network,
    materials,
  });
  return {
    async finish() {
      fs.mkdirSync(paths.submission, { recursive: true });
      fs.writeFileSync(`${paths.submission}/submission.csv`, SUBMISSION);
      const final = { sha256: null, why: "an agent of a simulation leaves none" };
      const outcome = {
        stopReason: "exited",
        blame: null,
        message: "It slept.",
        exitCode: 0,
        signal: null,
      } as const;
      const measurements = { wallSeconds: 1, peakMemoryBytes: 0, cpuSeconds: 0, bytesWritten: 0 };
      const endedAt = events.append("ended", {
        exit: { kind: "exited", code: 0 },
        stop: null,
        measurements,
      }).time;
      events.append("final", final);
      events.append("finished", { outcome, final });
      events.close();
      writeTrial(paths.folder, { ...trial, status: "finished", outcome, final, measurements, endedAt });
      if (!lock.isMine()) throw new Error(`${id} was finished by somebody who did not hold its lock`);
      await sealTrial(paths.folder, null);
      lock.release();
    },
    cut() {
      events.close();
      const outcome = {
        stopReason: "cancelled",
        blame: "host",
        message: "cut off",
        exitCode: null,
        signal: null,
      } as const;
      writeTrial(paths.folder, { ...trial, status: "interrupted", outcome });
      lock.release();
    },
    die() {
      events.close();
      const text = fs.readFileSync(paths.lock, "utf8");
      lock.release();
      fs.writeFileSync(
        paths.lock,
        JSON.stringify({ ...JSON.parse(text), machine: `boot of ${node}`, host: node }),
      );
    },
  };
}
