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

export interface Verification {
  /** A trial's id or a group's name. */
  subject: string;
  findings: Finding[];
  /** How far the trial's grade can be trusted; null when there is none, or no trial. */
  grade: Standing | null;
  /** The fingerprint of the key whose signature holds; null when unsigned. */
  signedBy: string | null;
  /** An unsigned record can be rewritten whole by its owner: it is never called verified. */
  verdict: "verified" | "consistent, but unsigned" | "broken";
}

export function conclude(
  subject: string,
  findings: Finding[],
  signedBy: string | null,
  grade: Standing | null = null,
): Verification {
  const broken = findings.some(({ standing }) => standing === "broken");
  const verdict = broken ? "broken" : signedBy === null ? "consistent, but unsigned" : "verified";
  return { subject, findings, grade, signedBy, verdict };
}

export function broken(what: string, file: string | null = null): Finding {
  return { standing: "broken", what, file };
}

export function recomputed(what: string): Finding {
  return { standing: "recomputed", what, file: null };
}
