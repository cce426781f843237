import path from "node:path";
import { type ReadRecord, type RecordKind, readRecord, recordOrNull } from "../../files/read-record.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import { Trial } from "./schema.ts";

export type TrialPaths = ReturnType<typeof trialPaths>;

/** Every place in a trial's folder. */
export function trialPaths(folder: string) {
  // Joined by hand: there may be ten thousand trials, and path.join goes through the whole path for each name.
  const joined = path.join(folder, ".");
  const root = joined.endsWith(path.sep) ? joined : joined + path.sep;
  const place = (...names: string[]) => root + names.join(path.sep);
  return {
    folder,
    trial: place("trial.json"),
    events: place("events.jsonl"),
    certificate: place("certificate.json"),
    runLog: place("run.log"),
    stdout: place("stdout.log"),
    stderr: place("stderr.log"),
    /** Memory and processor time while it ran. */
    usage: place("usage.jsonl"),
    submissions: place("submissions"),
    /** What was collected, as the original lays it out. */
    submission: place("submission"),
    logs: place("logs"),
    code: place("code"),
    /** Ledger and transcripts of model calls. */
    model: place("model"),
    /** One line per model call. */
    ledger: place("model", "ledger.jsonl"),
    attempts: place("attempts"),
    /** Asks whoever runs the trial to end it. */
    cancel: place("cancel"),
    /** Held by whoever runs it. */
    lock: place("trial.lock"),
    /** How far it is, while it runs. */
    heartbeat: place("heartbeat.json"),
    /** What the agent sees as its own while it runs; gone when the trial is finished. */
    work: place("work"),
  };
}

/** Files at the top of a trial's folder that only count while somebody runs it: no record covers them. */
export function isLive(name: string): boolean {
  return name === "heartbeat.json" || name === "heartbeat.json.tmp" || /^trial\.lock($|\.)/.test(name);
}

const TRIAL: RecordKind<Trial> = { schema: "mlebench/trial", version: 1, shape: Trial };

/** The record of a trial, or why there is none. */
export function readTrialRecord(folder: string): ReadRecord<Trial> {
  return readRecord(trialPaths(folder).trial, TRIAL);
}

/** For those who only want a record they can use. */
export function readTrial(folder: string): Trial | null {
  return recordOrNull(readTrialRecord(folder));
}

export function writeTrial(folder: string, trial: Trial): void {
  writeFileAtomically(trialPaths(folder).trial, `${JSON.stringify(trial, null, 2)}\n`);
}
