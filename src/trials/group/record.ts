import fs from "node:fs";
import path from "node:path";
import { fileDigests } from "../../files/folder-digest.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import { fileTimestamp } from "../../grading/report.ts";
import { certificateText, seal } from "../certificate/certificate.ts";
import type { GroupCertificate } from "../certificate/schema.ts";
import type { SigningKey } from "../certificate/signing.ts";
import { readTrial, trialPaths } from "../trial/folder.ts";
import { ranItsCourse } from "../trial/stop-reason.ts";
import { groupPaths, readMetadata } from "./folder.ts";
import { submissionLines, submissionLinesText } from "./make-submission.ts";
import { planDigest } from "./plan-digest.ts";
import type { GroupMetadata, RunGroup } from "./schema.ts";

type Run = GroupMetadata["runs"][string];

/** What metadata.json says about a trial; null as long as it is not finished. */
export function describeRun(trialFolder: string): Run | null {
  if (!fs.existsSync(trialPaths(trialFolder).certificate)) return null;
  const trial = readTrial(trialFolder);
  if (trial?.outcome == null) return null;
  return {
    success: ranItsCourse(trial.outcome),
    competition_id: trial.competition.id,
    seed: trial.seed,
    stop_reason: trial.outcome.stopReason,
    attempt: trial.attempt,
    external_knowledge: trial.externalKnowledge,
  };
}

/** Rewrites metadata.json, with the original's four blanks; runs are in the order of the plan. */
export function writeMetadata(folder: string, group: RunGroup, runs: ReadonlyMap<string, Run>): void {
  const finished = group.trials.flatMap(({ id }) => {
    const run = runs.get(id);
    return run === undefined ? [] : [[id, run] as const];
  });
  const metadata = {
    run_group: group.name,
    created_at: fileTimestamp(new Date()),
    runs: Object.fromEntries(finished),
    schema: "mlebench/run-group-metadata",
    version: 1,
    agent_id: group.settings.agentId,
    unfinished: group.trials.filter(({ id }) => !runs.has(id)).map(({ id }) => id),
  };
  writeFileAtomically(groupPaths(folder).metadata, `${JSON.stringify(metadata, null, 4)}\n`);
}

/** Writes submission.jsonl for the finished trials, and seals the group's own files. */
export async function closeGroup(folder: string, group: RunGroup, key: SigningKey | null): Promise<void> {
  const paths = groupPaths(folder);
  const metadata = readMetadata(paths.metadata);
  if (metadata !== null)
    writeFileAtomically(paths.submissions, submissionLinesText(submissionLines(folder, metadata)));
  await sealGroup(folder, group, key);
}

/** The group's certificate covers its own files and each trial's certificate, which covers the rest. */
export async function sealGroup(folder: string, group: RunGroup, key: SigningKey | null): Promise<void> {
  const certificates = group.trials.map(({ id }) => `${id}/certificate.json`);
  const finished = certificates.filter((name) => fs.existsSync(path.join(folder, name)));
  const unfinished = group.trials
    .map(({ id }) => id)
    .filter((id) => !finished.includes(`${id}/certificate.json`));
  const files = await fileDigests(folder, [...ownFiles(folder), ...finished]);
  const certificate: GroupCertificate = {
    schema: "mlebench/group-certificate",
    version: 1,
    record: seal({ runGroup: group.name, plan: planDigest(group), unfinished, files }, key),
  };
  writeFileAtomically(groupPaths(folder).certificate, certificateText(certificate));
}

/** Reports and records at the top of the group's folder, and the reports below it. */
export function ownFiles(folder: string): string[] {
  const own = (name: string) => name.endsWith(".json") || name.endsWith(".jsonl");
  const top = fs.readdirSync(folder).filter((name) => own(name) && name !== "certificate.json");
  const { hourly, earlier } = groupPaths(folder);
  const reports = [hourly, earlier].flatMap((place) =>
    fs.existsSync(place) ? fs.readdirSync(place).map((name) => `${path.basename(place)}/${name}`) : [],
  );
  return [...top, ...reports].sort();
}
