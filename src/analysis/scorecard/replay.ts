import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { fileDigests, folderDigest, regularFiles } from "../../files/folder-digest.ts";
import type { ReplayOutcome } from "../../trials/replay/run.ts";
import type { TrialRecord } from "../trial-records.ts";
import type { ResultLine } from "./result-line.ts";

/** Runs a trial's recorded command again in a sandbox, with the same seed and limits. Comes from outside. */
export type ReplayTrial = (trialFolder: string, command: readonly string[]) => Promise<ReplayOutcome>;

/** What came of a replay. `impossible`: this machine could not make it, which is not held against the agent. */
export interface Replayed {
  verdict: "same bytes" | "same score" | "different" | "failed" | "impossible";
  command: readonly string[];
  /** Why it failed, was impossible, or how the scores differ; null when the bytes are the same. */
  message: string | null;
  sandbox: string | null;
  seconds: number | null;
  score: number | null;
  /** What was not as it had been. */
  deviations: string[];
}

const SHA256 = /^[0-9a-f]{64}$/;

/**
 * The agent's paths are those of its sandbox; what was collected lies in folders of the same names. Without isolation
 * they are those of its working folder, in the trial's own.
 */
export function collectedFile(trialFolder: string, reported: string): string | null {
  const work = `/${path.basename(path.resolve(trialFolder))}/work/`;
  const at = reported.lastIndexOf(work);
  const relative =
    at === -1 ? reported.replace(/^\/home\//, "").replace(/^\.\//, "") : reported.slice(at + work.length);
  const candidates = [relative, `submission/${relative}`, `code/${relative}`, `logs/${relative}`];
  for (const candidate of candidates) {
    const file = path.resolve(trialFolder, candidate);
    const inside = file.startsWith(`${path.resolve(trialFolder)}${path.sep}`);
    if (inside && fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  }
  return null;
}

export interface Hashes {
  submission: string | null;
  /** Any of these is right: the digest of the code folder, or of one file in it. */
  code: string[];
}

export async function hashesOf({ folder, trial }: TrialRecord): Promise<Hashes> {
  const codeFolder = folder === null ? null : path.join(folder, "code");
  const code: string[] = [];
  if (codeFolder !== null && fs.existsSync(codeFolder) && regularFiles(codeFolder).length <= MAX_CODE_FILES) {
    code.push(await folderDigest(codeFolder), ...(await fileDigests(codeFolder)).map((file) => file.sha256));
  }
  return { submission: trial?.final?.sha256 ?? null, code };
}

const MAX_CODE_FILES = 2_000;

/** `R` without running anything: half, when the command is there and both hashes are those of the files on disk. */
export function declaredReplay({ replay }: ResultLine, hashes: Hashes): number {
  const code = replay.code_sha256 ?? "";
  const submission = replay.submission_sha256 ?? "";
  const wellFormed = SHA256.test(code) && SHA256.test(submission);
  return wellFormed && hashes.code.includes(code) && hashes.submission === submission ? 0.5 : 0;
}

const SAME_SCORE = { absolute: 1e-5, relative: 0.001 };

/** Compares what a replay left with what counted: the same bytes, or as good as the same score. */
export function judgeReplay(
  outcome: Exclude<ReplayOutcome, { status: "interrupted" }>,
  command: readonly string[],
  hashes: Hashes,
  score: number | null,
): Replayed {
  if (outcome.status === "impossible") {
    const message = `${outcome.message} (${outcome.nextStep})`;
    const nothing = { sandbox: null, seconds: null, score: null, deviations: [] };
    return { verdict: "impossible", command, message, ...nothing };
  }
  const { sandbox, seconds, deviations } = outcome;
  const common = { command: outcome.command, sandbox, seconds, deviations };
  if (outcome.status === "failed")
    return { verdict: "failed", message: outcome.message, score: null, ...common };
  if (outcome.submissionSha256 === hashes.submission)
    return { verdict: "same bytes", message: null, score: outcome.score, ...common };
  const message = `${outcome.score ?? "no score"} now, ${score ?? "no score"} then`;
  const verdict = isSameScore(outcome.score, score) ? "same score" : "different";
  return { verdict, message, score: outcome.score, ...common };
}

function isSameScore(now: number | null, then: number | null): boolean {
  if (now === null || then === null) return false;
  const allowed = Math.max(SAME_SCORE.absolute, SAME_SCORE.relative * Math.abs(then));
  return Math.abs(now - then) <= allowed;
}

/** `R` of an executed replay; null leaves it out of the formula. */
export const REPLAY_SHARES: Record<Replayed["verdict"], number | null> = {
  "same bytes": 1,
  "same score": 0.8,
  different: 0,
  failed: 0,
  impossible: null,
};

const PRESENT: Record<string, RegExp> = {
  "language or runtime version": /^(language|runtime|python|node|r|julia)(_?version)?$/i,
  "package list or lockfile": /^(packages|requirements|lockfile(_sha256)?|dependencies)$/i,
  "system and hardware": /^(os|platform|cpu|gpu|hardware)$/i,
  "data fingerprint": /^data(_fingerprint|_sha256)?$/i,
  "code hash": /^code_sha256$/i,
};

export interface EnvironmentCheck {
  share: number;
  absent: string[];
}

/** `E`: how much of the environment is stated and, where the harness knows better, true. */
export function environmentCheck(line: ResultLine, record: TrialRecord, hashes: Hashes): EnvironmentCheck {
  const { replay } = line;
  const stated = environmentOf(line, record.folder);
  if (replay.code_sha256 !== undefined) stated.code_sha256 ??= replay.code_sha256;
  const known = new Set(["data fingerprint", "code hash"]);
  const right = (name: string, value: unknown): boolean => {
    if (value === null || value === "" || value === undefined) return false;
    if (!known.has(name)) return true;
    if (name === "code hash") return hashes.code.length === 0 || hashes.code.includes(String(value));
    return record.trial === null || String(value) === record.trial.competition.data.public;
  };
  const absent = Object.entries(PRESENT).flatMap(([name, pattern]) =>
    Object.entries(stated).some(([key, value]) => pattern.test(key) && right(name, value)) ? [] : [name],
  );
  const total = Object.keys(PRESENT).length;
  return { share: (total - absent.length) / total, absent };
}

function environmentOf({ replay }: ResultLine, folder: string | null): Record<string, unknown> {
  if (typeof replay.environment !== "string") return { ...replay.environment };
  const file = folder === null ? null : collectedFile(folder, replay.environment);
  if (file === null || fs.statSync(file).size > 2 ** 20) return {};
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(fs.readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}
