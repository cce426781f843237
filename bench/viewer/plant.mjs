// A runs folder to measure the viewer on: many finished trials, and one with thousands of model calls and a huge log.
import fs from "node:fs";
import path from "node:path";

const DIGEST = "0".repeat(64);
const STARTED = "2026-01-31T12:00:00.000Z";

function settings(agentId) {
  const wish = (value) => ({ value, required: false });
  return {
    ...{
      agentId,
      agentFolders: [],
      dataDir: "data",
      competitionVersion: "v1",
      competitionsDir: null,
      workers: 1,
    },
    ...{ sandbox: "process", network: null, timeSeconds: 3600, timeSecondsOf: {}, graceSeconds: 1 },
    ...{
      memoryBytes: wish(2 ** 30),
      memoryBytesOf: {},
      cpus: wish(1),
      processes: wish(256),
      diskBytes: wish(2 ** 30),
    },
    ...{
      gpus: 0,
      image: null,
      rootFolder: null,
      materials: null,
      snapshotMinutes: 60,
      retain: false,
      signingKey: null,
    },
  };
}

function trialOf(runGroup, agent, id, competitionId, seed) {
  return {
    ...{ schema: "mlebench/trial", version: 1, id, runGroup, attempt: 1, status: "finished", seed },
    competition: { id: competitionId, version: "v1", data: { public: DIGEST, answers: DIGEST } },
    agent: {
      ...{ id: agent, name: agent, command: ["sh"], image: null, imageDigest: null },
      ...{ definitionDigest: DIGEST, codeDigest: null },
    },
    limits: { timeSeconds: 3600, graceSeconds: 1 },
    ...{ network: { mode: "none" }, gpus: [], materials: null, externalKnowledge: false },
    sandbox: { kind: "process", identity: id, runtimeFolder: "run", policy: null },
    host: { hardware: "a CPU", cpus: 2, memoryBytes: 2 ** 33, platform: "linux" },
    ...{ mlebenchVersion: "0.1.0", startedAt: STARTED, deadline: STARTED, endedAt: STARTED },
    measurements: {
      wallSeconds: 600 + seed,
      peakMemoryBytes: 2 ** 28,
      cpuSeconds: 500,
      bytesWritten: 2 ** 22,
    },
    outcome: { stopReason: "exited", blame: null, message: "It ended by itself.", exitCode: 0, signal: null },
    ...{ submissions: [], final: { sha256: DIGEST, why: "the last one" }, validationCalls: 0, notes: [] },
  };
}

/** Writes a graded and finished group. */
export function plantGroup(runsDir, agent, count) {
  const name = `2026-01-31T12-00-00-UTC_run-group_${agent}`;
  const folder = path.join(runsDir, name);
  const trials = Array.from({ length: count }, (_, i) => {
    const competitionId = `competition-${String(i % 25).padStart(2, "0")}`;
    return { id: `${competitionId}_${String(i).padStart(6, "0")}`, competitionId, seed: Math.floor(i / 25) };
  });
  const runs = {};
  for (const { id, competitionId, seed } of trials) {
    fs.mkdirSync(path.join(folder, id), { recursive: true });
    fs.writeFileSync(
      path.join(folder, id, "trial.json"),
      JSON.stringify(trialOf(name, agent, id, competitionId, seed)),
    );
    fs.writeFileSync(path.join(folder, id, "certificate.json"), "{}");
    runs[id] = { success: true };
  }
  const group = {
    ...{ schema: "mlebench/run-group", version: 1, name, createdAt: STARTED, agentDigest: DIGEST },
    ...{ settings: settings(agent), trials },
  };
  fs.writeFileSync(path.join(folder, "group.json"), JSON.stringify(group));
  fs.writeFileSync(
    path.join(folder, "metadata.json"),
    JSON.stringify({ run_group: name, created_at: STARTED, runs }),
  );
  const reports = trials.map(({ id, competitionId, seed }, i) => ({
    ...{
      competition_id: competitionId,
      run_id: id,
      seed,
      score: 0.5,
      percentile: 40,
      above_median: i % 3 === 0,
    },
    ...{ gold_medal: i % 11 === 0, silver_medal: i % 11 === 1, bronze_medal: i % 11 === 2 },
    ...{ submission_exists: true, valid_submission: true, status: "scored", reasons: [] },
  }));
  fs.writeFileSync(
    path.join(folder, "2026-01-31T13-00-00-UTC_grading_report.json"),
    JSON.stringify({ run_group: name, competition_reports: reports }),
  );
  return { name, folder, first: trials[0].id };
}

/** Gives a trial so many model calls and so large a log; what is not text of the log is a hole in the file. */
export function burden(folder, calls, logBytes) {
  fs.mkdirSync(path.join(folder, "model"), { recursive: true });
  const lines = [JSON.stringify({ schema: "mlebench/ledger", version: 1 })];
  for (let seq = 0; seq < calls; seq++)
    lines.push(
      JSON.stringify({
        ...{
          seq,
          time: new Date(Date.parse(STARTED) + seq * 100).toISOString(),
          role: seq % 2 ? "code" : "review",
        },
        ...{
          modelAsked: "m",
          model: "compatible:m",
          modelAnswered: "m",
          protocolIn: "chat",
          protocolOut: "chat",
        },
        ...{ streamed: false, outcome: "answered", blame: null, problem: null, status: 200 },
        usage: { inputUncached: 1000 + seq, cacheRead: 0, cacheWrite: 0, output: 200, reasoning: 0 },
        ...{ usageSource: "reported", cost: 0.001, costSource: "price" },
        milliseconds: { waiting: 0, firstByte: 40, total: 80 },
        ...{
          retries: 0,
          stopReason: "end",
          requestId: `r${seq}`,
          requestSha256: DIGEST,
          replySha256: DIGEST,
        },
        ...{ bytesIn: 4000, bytesOut: 900, replayed: false, notes: [] },
      }),
    );
  fs.writeFileSync(path.join(folder, "model/ledger.jsonl"), `${lines.join("\n")}\n`);
  const log = fs.openSync(path.join(folder, "run.log"), "w");
  fs.ftruncateSync(log, logBytes);
  const end = Array.from(
    { length: 4000 },
    (_, i) => `[agent] epoch ${i} loss ${(1 / (i + 1)).toFixed(6)}`,
  ).join("\n");
  fs.writeSync(log, `\n${end}\n`, logBytes - Buffer.byteLength(end) - 2);
  fs.closeSync(log);
  const previous = "0".repeat(64);
  const events = [{ seq: 0, time: STARTED, type: "started", data: {}, previous, hash: previous }];
  fs.writeFileSync(path.join(folder, "events.jsonl"), `${events.map((e) => JSON.stringify(e)).join("\n")}\n`);
}
