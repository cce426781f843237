import { readCertificate } from "../../trials/certificate/certificate.ts";
import { verifyGroup } from "../../trials/certificate/verify-group.ts";
import type { VerifyOptions } from "../../trials/certificate/verify-trial.ts";
import { groupPaths, readGroupRecord } from "../../trials/group/folder.ts";
import { trialPaths } from "../../trials/trial/folder.ts";
import type { Trust } from "../standings/schema.ts";
import type { TrialRecord } from "../trial-records.ts";

export interface TrustFinding {
  trust: Trust;
  reason: string;
}

/**
 * How far the grades of a run group can be trusted, by its certificates: `recomputed` when each was worked out again
 * here, `attested` when a signature covers those that were not, `declared` otherwise. `records` are the group's own.
 */
export async function groupTrust(
  folder: string,
  records: readonly TrialRecord[],
  options: VerifyOptions,
): Promise<TrustFinding> {
  const plan = readGroupRecord(folder);
  if (plan.status === "absent")
    return { trust: "declared", reason: "a group without certificates of its trials" };
  if (plan.status === "newer")
    return { trust: "declared", reason: `its plan cannot be used: ${plan.writer}` };
  const results = await verifyGroup(folder, options);
  for (const { subject, findings } of results) {
    const fault = findings.find(({ standing }) => standing === "broken");
    if (fault)
      return { trust: "broken", reason: `${subject}: ${fault.file ?? "certificate"}: ${fault.what}` };
  }
  const contradiction = records.find((record) => sealedGradeDiffers(folder, record));
  if (contradiction)
    return {
      trust: "broken",
      reason: `${contradiction.id}: the grading report says otherwise than the certificate`,
    };
  const count = (trust: Trust) => results.filter(({ grade }) => grade === trust).length;
  const [recomputed, attested] = [count("recomputed"), count("attested")];
  const total = records.length;
  const signers = [...new Set(results.flatMap(({ signedBy }) => signedBy ?? []))];
  const origin = signers.length > 0 ? `signed by ${signers.join(", ")}` : "unsigned";
  const said = `${recomputed} of ${total} grades worked out again, ${attested} more attested, ${origin}`;
  if (recomputed === total) return { trust: "recomputed", reason: said };
  return { trust: recomputed + attested === total ? "attested" : "declared", reason: said };
}

const FLAGS = [
  "gold_medal",
  "silver_medal",
  "bronze_medal",
  "above_median",
  "valid_submission",
  "submission_exists",
] as const;

function sealedGradeDiffers(folder: string, { id, grade }: TrialRecord): boolean {
  if (grade === null) return false;
  const sealed = readCertificate(trialPaths(groupPaths(folder).trial(id)).certificate)?.grade?.content.report;
  if (sealed === undefined) return false;
  return FLAGS.some((flag) => sealed[flag] !== grade[flag]) || sealed.score !== (grade.score ?? null);
}

const ORDER: readonly Trust[] = ["broken", "declared", "attested", "recomputed"];

/** The weakest of several: an experiment is as good as its worst group. */
export function weakest(findings: readonly TrustFinding[]): TrustFinding {
  return findings.reduce((a, b) => (ORDER.indexOf(b.trust) < ORDER.indexOf(a.trust) ? b : a));
}
