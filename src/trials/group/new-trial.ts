import { randomBytes } from "node:crypto";
import os from "node:os";
import { VERSION } from "../../grading/version.ts";
import { runtimeFolderOf } from "../trial/recover.ts";
import type { TrialRequest } from "../trial/request.ts";
import type { Trial } from "../trial/schema.ts";

/** The record of a trial that is about to start. */
export function newTrial(request: TrialRequest): Trial {
  const identity = `mlebench-${randomBytes(8).toString("hex")}`;
  const startedAt = new Date();
  return {
    schema: "mlebench/trial",
    version: 1,
    id: request.id,
    runGroup: request.runGroup,
    attempt: request.attempt,
    status: "running",
    competition: {
      id: request.loaded.competition.id,
      version: request.competitionVersion,
      data: request.data,
    },
    agent: request.recordedAgent,
    seed: request.seed,
    limits: request.limits,
    network: request.network,
    gpus: [...request.gpus],
    materials: request.materials,
    externalKnowledge: request.materials !== null,
    sandbox: {
      kind: request.sandbox.kind,
      identity,
      runtimeFolder: runtimeFolderOf(identity),
      policy: null,
    },
    host: {
      name: os.hostname(),
      hardware: request.hardware,
      cpus: os.cpus().length,
      memoryBytes: os.totalmem(),
      platform: `${os.platform()} ${os.release()} ${os.arch()}`,
    },
    executor: { name: request.place.executor, jobId: request.place.jobId },
    mlebenchVersion: VERSION,
    ...period(startedAt, request.limits.timeSeconds),
    endedAt: null,
    measurements: null,
    outcome: null,
    submissions: [],
    final: null,
    validationCalls: 0,
    notes: [...request.notes],
    ...(request.continued
      ? { continuations: request.continued.count, usedSeconds: request.continued.usedSeconds }
      : {}),
    ...(request.show.length === 0 ? {} : { shown: [...request.show] }),
    ...(request.plan === null ? {} : { plan: request.plan.digest }),
    ...(request.disguise
      ? {
          obfuscation: {
            name: request.disguise.name,
            digest: request.disguise.digest,
            ...(request.disguise.rewrittenBy === null ? {} : { rewrittenBy: request.disguise.rewrittenBy }),
          },
        }
      : {}),
  };
}

export function period(startedAt: Date, timeSeconds: number): Pick<Trial, "startedAt" | "deadline"> {
  const deadline = new Date(startedAt.getTime() + timeSeconds * 1000);
  return { startedAt: startedAt.toISOString(), deadline: deadline.toISOString() };
}
