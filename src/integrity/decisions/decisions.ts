import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { openAppending } from "../../files/plain-file.ts";
import { valueDigest } from "../../trials/certificate/canonical-json.ts";
import { integrityPaths } from "../findings/folder.ts";
import { Decision } from "./schema.ts";

export interface ReadDecisions {
  /** In the order in which they were made. */
  decisions: Decision[];
  /** The one that counts, by trial. */
  standing: Map<string, Decision>;
  /** What is wrong with the file, in sentences. */
  problems: string[];
}

const MAX_BYTES = 2 ** 26;

/** Every decision about a group's trials. Lines that are not ours are named and count for nothing. */
export function readDecisions(group: string): ReadDecisions {
  const decisions: Decision[] = [];
  const problems: string[] = [];
  let previous: string | null = null;
  for (const [i, line] of readText(integrityPaths(group).decisions, problems).split("\n").entries()) {
    if (line === "") continue;
    const decision = parseLine(line);
    if (decision === null) {
      problems.push(`line ${i + 1} of its decisions is not a decision`);
      continue;
    }
    const { hash, ...content } = decision;
    if (hash !== valueDigest(content) || decision.previous !== previous)
      problems.push(`line ${i + 1} of its decisions was changed, or one before it was`);
    previous = hash;
    decisions.push(decision);
  }
  return { decisions, standing: new Map(decisions.map((one) => [one.trial, one])), problems };
}

export interface DecisionRequest {
  group: string;
  trial: string;
  decision: Decision["decision"];
  why: string;
  /** The user of this machine when left out. */
  by?: string | undefined;
}

/** Writes a decision behind the others, on disk when it returns. Nothing is ever taken away. */
export function decide(
  { group, trial, decision, why, by = userName() }: DecisionRequest,
  now = new Date(),
): Decision {
  const { decisions: file } = integrityPaths(group);
  const content = {
    schema: "mlebench/integrity-decision" as const,
    version: 1,
    trial,
    decision,
    why,
    by,
    time: now.toISOString(),
    previous: readDecisions(group).decisions.at(-1)?.hash ?? null,
  };
  const made: Decision = { ...content, hash: valueDigest(content) };
  makeFolder(path.dirname(file));
  const before = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
  const handle = openAppending(file);
  try {
    // A line that a crash cut short must not swallow this one.
    fs.writeSync(handle, `${before === "" || before.endsWith("\n") ? "" : "\n"}${JSON.stringify(made)}\n`);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  return made;
}

function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return "somebody without a name on this machine";
  }
}

function readText(file: string, problems: string[]): string {
  try {
    const stats = fs.statSync(file);
    if (!stats.isFile() || stats.size > MAX_BYTES) {
      problems.push("its decisions are not a file of ours");
      return "";
    }
    const text = fs.readFileSync(file, "utf8");
    // Whoever makes the file writes a decision into it.
    if (text.trim() === "") problems.push("its decisions are empty: what was decided is lost");
    return text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") problems.push(`its decisions cannot be opened (${code})`);
    return "";
  }
}

function parseLine(line: string): Decision | null {
  try {
    return Decision.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
