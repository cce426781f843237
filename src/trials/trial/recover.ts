import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import type { Spending } from "../../models/budget.ts";
import { sandboxes } from "../../sandbox/kinds.ts";
import { agreesWithEvents, sealTrial } from "../certificate/certificate.ts";
import type { SigningKey } from "../certificate/signing.ts";
import { spentIn } from "../group/spent.ts";
import { readHeartbeat } from "../state/heartbeat.ts";
import { removeTree } from "./collect.ts";
import { collectOutputs } from "./end.ts";
import { openEvents } from "./events.ts";
import { isLive, readTrial, type TrialPaths, trialPaths, writeTrial } from "./folder.ts";
import type { Trial } from "./schema.ts";
import { explainHarnessError } from "./stop-reason.ts";

export type Recovery = { status: "done" } | { status: "start"; attempt: number };

/**
 * Finds out what is left to do for a trial, after an end of any kind: nothing, the certificate, or all of it. What an
 * interrupted attempt left is set aside under `attempts/<n>` and never counts. May itself be killed and repeated.
 */
export async function recoverTrial(folder: string, key: SigningKey | null): Promise<Recovery> {
  const paths = trialPaths(folder);
  if (fs.existsSync(paths.certificate)) {
    fs.rmSync(paths.heartbeat, { force: true });
    return { status: "done" };
  }
  const trial = readTrial(folder);
  if (trial !== null) await endLeftovers(trial);
  if (trial?.status === "finished" && agreesWithEvents(folder)) {
    await removeTree(paths.work);
    for (const file of [paths.cancel, paths.heartbeat]) fs.rmSync(file, { force: true });
    try {
      await sealTrial(folder, key);
      return { status: "done" };
    } catch (error) {
      if (!isOfTheRecord(error)) throw error;
    }
  }
  if (trial?.status === "running") await closeRecord(paths, trial);
  fs.rmSync(paths.heartbeat, { force: true });
  const attempt = trial?.attempt ?? lastAttempt(paths) + 1;
  if (setAside(paths, attempt)) return { status: "start", attempt: attempt + 1 };
  return { status: "start", attempt };
}

/** A full disk or a missing right may be mended; a record that cannot be read makes room for another attempt. */
function isOfTheRecord(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined || ["ENAMETOOLONG", "ELOOP", "ENOENT", "ENOTDIR", "EISDIR"].includes(code);
}

const IDENTITY = /^mlebench-[0-9a-f]{16}$/;

/** Where the sockets of a trial lie. A socket's path must be short, which a trial's folder is not. */
export function runtimeFolderOf(identity: string): string {
  return path.join(os.tmpdir(), `${identity}.run`);
}

/** The harness may have been killed while the agent ran: it, its cgroup, its mounts and its sockets may still be there. */
async function endLeftovers({ sandbox }: Trial): Promise<void> {
  // What is ended and removed follows from a name of the form we give, never from a path that the record holds.
  if (!IDENTITY.test(sandbox.identity)) return;
  await sandboxes[sandbox.kind].destroyLeftovers(sandbox.identity);
  await removeTree(runtimeFolderOf(sandbox.identity));
}

async function closeRecord(paths: TrialPaths, trial: Trial): Promise<void> {
  const elapsedSeconds = elapsedOf(paths, trial);
  const notes = fs.existsSync(paths.work) ? await collectOutputs(paths) : [];
  const outcome = explainHarnessError("The harness was killed while the trial ran.");
  const events = openEvents(paths.events);
  const { time } = events.append("recovered", { outcome, notes, elapsedSeconds });
  events.close();
  writeTrial(paths.folder, {
    ...{ ...trial, status: "interrupted", outcome, endedAt: time, elapsedSeconds },
    notes: [...trial.notes, ...notes],
  });
  await removeTree(paths.work);
}

/** trial.json goes last: as long as it is there, a second try knows what it was about. True when anything was moved. */
function setAside(paths: TrialPaths, attempt: number): boolean {
  if (!fs.existsSync(paths.folder)) return false;
  const kept = new Set(["attempts", "cancel"]);
  const names = fs
    .readdirSync(paths.folder)
    .filter((name) => !kept.has(name) && !isLive(name) && !name.endsWith(".tmp"));
  if (names.length === 0) return false;
  const target = path.join(paths.attempts, String(attempt));
  makeFolder(target);
  const last = (name: string) => (name === "trial.json" ? 1 : 0);
  for (const name of names.sort((a, b) => last(a) - last(b))) {
    fs.renameSync(path.join(paths.folder, name), path.join(target, name));
    letGo(path.join(target, name));
  }
  for (const name of fs.readdirSync(paths.folder))
    if (name.endsWith(".tmp")) fs.rmSync(path.join(paths.folder, name), { force: true });
  return true;
}

/** An orphan on another machine may have the file open, and write to it when it wakes up: what is kept is a copy. */
function letGo(file: string): void {
  if (!fs.lstatSync(file).isFile()) return;
  fs.copyFileSync(file, `${file}.tmp`, fs.constants.COPYFILE_FICLONE);
  fs.renameSync(`${file}.tmp`, file);
}

function lastAttempt(paths: TrialPaths): number {
  if (!fs.existsSync(paths.attempts)) return 0;
  return Math.max(0, ...fs.readdirSync(paths.attempts).map(Number).filter(Number.isInteger));
}

/** What an attempt goes on from: what the interrupted one left, and its time and its money, which are gone. */
export interface Continuation {
  /** The attempt that was interrupted. */
  attempt: number;
  /** Where its `submission`, `logs` and `code` lie, and the ledger of its model calls. */
  folder: string;
  /** Of the trial's time, by it and those it had gone on from. */
  usedSeconds: number;
  /** How often the trial was continued, this time included. */
  count: number;
  spent: Spending;
}

/** What an attempt may go on from; null where the one before it left no record that says how much it had used. */
export function continuationOf(paths: TrialPaths, attempt: number): Continuation | null {
  const before = attempt - 1;
  const folder = path.join(paths.attempts, String(before));
  const trial = before < 1 ? null : readTrial(folder);
  if (trial === null) return null;
  const own = trial.measurements?.wallSeconds ?? trial.elapsedSeconds;
  if (own === undefined) return null;
  return {
    attempt: before,
    folder,
    usedSeconds: own + (trial.usedSeconds ?? 0),
    count: (trial.continuations ?? 0) + 1,
    spent: spentIn([path.join(folder, "model")]),
  };
}

/**
 * How long an attempt had run whose harness was killed: what its last heartbeat says, or longer, if what it wrote is
 * younger. An agent that outlives its harness for a while uses its own time.
 */
export function elapsedOf(paths: TrialPaths, { startedAt, limits }: Trial): number {
  const beat = readHeartbeat(paths.heartbeat)?.elapsedSeconds ?? 0;
  const written = [
    ...[paths.stdout, paths.stderr, paths.events],
    ...["logs", "submission", "code"].flatMap((name) => entriesOf(path.join(paths.work, name))),
  ].map((file) => fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  const seen = (written.reduce((latest, one) => Math.max(latest, one), 0) - Date.parse(startedAt)) / 1000;
  return Math.round(1000 * Math.min(limits.timeSeconds, Math.max(beat, seen, 0))) / 1000;
}

function entriesOf(folder: string): string[] {
  try {
    return fs.readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}
