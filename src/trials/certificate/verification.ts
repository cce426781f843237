/**
 * How far a statement can be trusted. `recomputed`: worked out again, here and now. `attested`: somebody's signature
 * covers it. `declared`: the record says so, nothing more. `broken`: it does not fit.
 */
export type Standing = "recomputed" | "attested" | "declared" | "broken";

export interface Finding {
  standing: Standing;
  what: string;
  /** The file that does not fit, relative to the folder. */
  file: string | null;
}

/**
 * An unsigned record can be rewritten whole by its owner: it is never called verified. Neither is one of which a part is
 * unsigned or signed by somebody else than the rest, nor one that a later mlebench wrote.
 */
export type Verdict =
  | "verified"
  | "consistent, but unsigned"
  | "consistent, but only in part signed by one key"
  | "not understood"
  | "broken";

export interface Verification {
  /** A trial's id or a group's name. */
  subject: string;
  findings: Finding[];
  /** How far the trial's grade can be trusted; null when there is none, or no trial. */
  grade: Standing | null;
  /** The fingerprint of the one key whose signatures hold over all there is; null otherwise. */
  signedBy: string | null;
  /** What the signatures cover, part by part; empty when nothing is signed. */
  covers: string[];
  verdict: Verdict;
}

/** The signature of one part: the fingerprint of a key whose signature holds, or null. */
export interface PartKey {
  part: string;
  key: string | null;
}

export function conclude(
  subject: string,
  findings: Finding[],
  parts: readonly PartKey[],
  { grade = null, covers = [] }: { grade?: Standing | null; covers?: string[] } = {},
): Verification {
  const keys = new Set(parts.map(({ key }) => key));
  const [only] = keys;
  const signedBy = keys.size === 1 ? (only ?? null) : null;
  return { subject, findings, grade, signedBy, covers, verdict: verdictOf(findings, keys, signedBy) };
}

function verdictOf(
  findings: readonly Finding[],
  keys: ReadonlySet<string | null>,
  signedBy: string | null,
): Verdict {
  if (findings.some(({ standing }) => standing === "broken")) return "broken";
  if (keys.size > 1) return "consistent, but only in part signed by one key";
  return signedBy === null ? "consistent, but unsigned" : "verified";
}

/** A record of a later mlebench: nothing of it can be judged here. */
export function notUnderstood(subject: string, what: string): Verification {
  const findings: Finding[] = [{ standing: "declared", what, file: null }];
  return { subject, findings, grade: null, signedBy: null, covers: [], verdict: "not understood" };
}

/** Whether all of it holds; with `requireSignature`, whether one and the same key vouches for all of it. */
export function isAccepted(
  results: readonly Verification[],
  { requireSignature }: { requireSignature: boolean },
): boolean {
  if (results.length === 0) return false;
  if (results.some(({ verdict }) => verdict === "broken" || verdict === "not understood")) return false;
  return !requireSignature || results.every(({ verdict }) => verdict === "verified");
}

export function broken(what: string, file: string | null = null): Finding {
  return { standing: "broken", what, file };
}

export function recomputed(what: string): Finding {
  return { standing: "recomputed", what, file: null };
}

export function declared(what: string): Finding {
  return { standing: "declared", what, file: null };
}
