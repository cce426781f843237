import fs from "node:fs";
import path from "node:path";
import { readFingerprint } from "../../trials/certificate/signing.ts";
import { isAccepted, type Verification } from "../../trials/certificate/verification.ts";
import { verifyGroup } from "../../trials/certificate/verify-group.ts";
import { verifyTrial } from "../../trials/certificate/verify-trial.ts";
import { isAnnounced } from "../../trials/group/announce.ts";
import { foldersIn, groupPaths, readGroup } from "../../trials/group/folder.ts";
import type { Problem } from "../../wording/problem.ts";
import { orRefusal } from "../or-refusal.ts";

export interface VerifyRequest {
  /** A run group's folder, a trial's, or the file of a certificate. */
  place: string;
  /** The file of the only public key whose signatures count; any key's unless told. */
  key?: string | undefined;
  /** Accepts only what one key signed: the record, the grade and the group. */
  requireSignature?: boolean | undefined;
  /** A file in which the group's plan must be announced. */
  announcement?: string | undefined;
  /** Where the prepared data are at hand, grades are worked out again. */
  dataDir?: string | undefined;
  competitionsDir?: string | undefined;
}

export type VerifyOutcome =
  | {
      status: "checked";
      /** Nothing is broken, and all that was required is there. */
      accepted: boolean;
      /** Of a group its own first, then those of its trials. */
      results: Verification[];
      announced: { found: boolean; what: string }[];
    }
  | { status: "refused"; problem: Problem };

/** Checks what certificates claim, as far as it can be checked here. */
export function verifyRun(request: VerifyRequest): Promise<VerifyOutcome> {
  return orRefusal<VerifyOutcome>(
    () => verifyPlace(request),
    (problem) => ({ status: "refused", problem }),
  );
}

async function verifyPlace(request: VerifyRequest): Promise<VerifyOutcome> {
  const { place, key, announcement, dataDir, competitionsDir, requireSignature = false } = request;
  const trustedKey = key === undefined ? null : readFingerprint(key);
  if (key !== undefined && trustedKey === null)
    return refused("NO_KEY", `${key} is not a public key.`, "it is the .pub file of mlebench keys create");
  if (!fs.existsSync(place)) return refused("NO_GROUP", `There is no ${place}.`, "see mlebench status");
  const foreign = whoseInstead(place);
  if (foreign !== null)
    return refused(
      "NOT_OURS",
      `${place} ${foreign}: nothing in it was measured, isolated or certified by mlebench.`,
      "its grades can be worked out again where the submissions and the answers are: mlebench grade",
    );
  const options = { trustedKey, dataDir, competitionsDir, known: new Map() };
  const results = fs.existsSync(groupPaths(place).group)
    ? await verifyGroup(place, options)
    : [await verifyTrial(certificateAt(place), options)];
  const announced = announcement === undefined ? [] : [announcementOf(place, announcement)];
  const accepted = isAccepted(results, { requireSignature }) && announced.every(({ found }) => found);
  return { status: "checked", accepted, results, announced };
}

/** Groups and trials that others made; null for what a certificate of ours may be about. */
function whoseInstead(place: string): string | null {
  const has = (name: string) => fs.existsSync(path.join(place, name));
  if (has("group.json") || has("trial.json") || has("certificate.json")) return null;
  if (has("harbor.json")) return "is a trial of Harbor";
  if (!has("metadata.json")) return null;
  const isHarbors = foldersIn(place).some((trial) => fs.existsSync(path.join(trial, "harbor.json")));
  return isHarbors ? "was imported from Harbor" : "is a group of the original";
}

/** A certificate alone, or the one that a trial's folder has, or ought to have. */
function certificateAt(place: string): string {
  return path.resolve(fs.statSync(place).isFile() ? place : path.join(place, "certificate.json"));
}

/** Only a group has a plan. */
function announcementOf(place: string, announcement: string): { found: boolean; what: string } {
  const group = readGroup(place);
  return group === null
    ? { found: false, what: `"${place}" is not a run group` }
    : { found: isAnnounced(announcement, group), what: `the plan of ${group.name}, in ${announcement}` };
}

function refused(code: string, message: string, nextStep: string): VerifyOutcome {
  return { status: "refused", problem: { code, message, nextStep } };
}
