import path from "node:path";
import { CANNOT_EXCLUDE } from "../../trials/certificate/limits-of-proof.ts";
import type { Verification } from "../../trials/certificate/verification.ts";
import { verifyTrial } from "../../trials/certificate/verify-trial.ts";
import { trialPaths } from "../../trials/trial/folder.ts";
import { safeText } from "../../wording/safe-text.ts";
import { answer, gone, type Route } from "./route.ts";

export interface CertificatePage {
  verification: Verification;
  cannotExclude: readonly string[];
}

/** A trial's certificate, worked through here and now: what was recomputed, what is attested, what only declared. */
export const certificate: Route = async (store, { group = "", trial = "" }) => {
  const folder = store.trialFolder(group, trial);
  if (folder === null) return gone(`The trial ${trial}`);
  const verification = await verifyTrial(trialPaths(folder).certificate, {
    trustedKey: null,
    // The path in a record is somebody's claim; grades are worked out again by `mlebench verify`, which is told where.
    dataDir: path.join(path.sep, "nonexistent"),
    competitionsDir: store.competitionsDir,
    known: new Map(),
  });
  const findings = verification.findings.map((finding) => ({ ...finding, what: safeText(finding.what) }));
  const page: CertificatePage = {
    verification: { ...verification, findings },
    cannotExclude: CANNOT_EXCLUDE,
  };
  return answer(page);
};
