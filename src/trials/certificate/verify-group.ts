import fs from "node:fs";
import path from "node:path";
import { type RecordKind, readingProblem, understandRecord } from "../../files/read-record.ts";
import { groupPaths, readGroupRecord } from "../group/folder.ts";
import { planDigest } from "../group/plan-digest.ts";
import { ownFiles } from "../group/record.ts";
import type { RunGroup } from "../group/schema.ts";
import { strangeEntry } from "../group/strange-entries.ts";
import { groupCoverage } from "./coverage.ts";
import { GroupCertificate } from "./schema.ts";
import {
  broken,
  conclude,
  declared,
  type Finding,
  notUnderstood,
  type PartKey,
  type Verification,
} from "./verification.ts";
import { type CertifiedTrial, verifyPlan, verifyReport } from "./verify-plan.ts";
import { readExactly, verifyFiles, verifySeal } from "./verify-seal.ts";
import { type VerifyOptions, verifyWithRecord } from "./verify-trial.ts";

const GROUP_CERTIFICATE: RecordKind<GroupCertificate> = {
  schema: "mlebench/group-certificate",
  version: 1,
  shape: GroupCertificate,
};

/** Checks a group's own files and the certificate of each of its trials; the group's result comes first. */
export async function verifyGroup(folder: string, options: VerifyOptions): Promise<Verification[]> {
  const name = path.basename(folder);
  const read = readGroupRecord(folder);
  if (read.status === "newer") return [notUnderstood(name, read.writer)];
  if (read.status !== "read")
    return [conclude(name, [broken(`it cannot be read: ${readingProblem(read)}`, "group.json")], [])];
  const { record: group } = read;
  const results: Verification[] = [];
  const trials: CertifiedTrial[] = [];
  for (const { id } of group.trials) {
    const file = path.join(groupPaths(folder).trial(id), "certificate.json");
    if (!fs.existsSync(file)) continue;
    const { result, certificate } = await verifyWithRecord(file, options);
    results.push(result);
    if (certificate !== null) trials.push({ id, certificate });
  }
  return [await verifyGroupFiles(folder, group, trials, options), ...results];
}

async function verifyGroupFiles(
  folder: string,
  group: RunGroup,
  trials: readonly CertifiedTrial[],
  { trustedKey }: VerifyOptions,
): Promise<Verification> {
  const name = path.basename(folder);
  const { certificate } = groupPaths(folder);
  const plan = [...verifyPlan(folder, group, trials), ...verifyReport(folder, trials)];
  const strange = strangeEntry(folder, group, () => false);
  if (strange !== null) plan.push(broken(`${strange}, which mlebench never makes`, null));
  const keysOfTrials = trials.map(({ id, certificate: { record } }): PartKey => {
    return { part: id, key: record.signature?.key ?? null };
  });
  if (!fs.existsSync(certificate)) {
    const what = "the group was never closed: resume it, or look at its trials one by one";
    return conclude(name, [declared(what), ...plan], [{ part: "the group", key: null }]);
  }
  const read = readExactly(certificate);
  if ("standing" in read) return conclude(name, [read], []);
  const understood = understandRecord(read.value, GROUP_CERTIFICATE);
  if (understood.status === "newer") return notUnderstood(name, understood.writer);
  if (understood.status !== "read") {
    const what = `it is not a certificate of ours (${readingProblem(understood)})`;
    return conclude(name, [broken(what, "certificate.json")], []);
  }
  const { record } = read.value as GroupCertificate;
  const { content } = record;
  const seal = verifySeal("group's record", record, trustedKey);
  const findings: Finding[] = [
    ...seal.findings,
    ...(await verifyFiles(
      folder,
      content.files,
      ownFiles(folder).filter((file) => isReport(file, content)),
    )),
    ...verifyList(group, content, trials),
    ...plan,
  ];
  const parts = [{ part: "the group", key: seal.key }, ...keysOfTrials];
  const others = parts.filter(({ key }) => key !== seal.key);
  if (others.length > 0)
    findings.push(
      declared(
        `the group is ${seal.key === null ? "not signed" : `signed by key ${seal.key}`}, but not so: ${others.map(({ part }) => part).join(", ")}`,
      ),
    );
  return conclude(name, findings, parts, { covers: seal.key === null ? [] : [groupCoverage(content)] });
}

/** Only what a reader would take for the group's own report; the first release left those of the past uncovered. */
function isReport(name: string, { plan }: GroupCertificate["record"]["content"]): boolean {
  return name.includes("grading_report") && (plan !== undefined || !name.startsWith("earlier-reports/"));
}

/** What the certificate lists is what the plan has: nobody was left out, and nobody came in. */
function verifyList(
  group: RunGroup,
  { runGroup, plan, unfinished, files }: GroupCertificate["record"]["content"],
  trials: readonly CertifiedTrial[],
): Finding[] {
  const findings: Finding[] = [];
  if (runGroup !== group.name)
    findings.push(broken(`it is the certificate of ${runGroup}, not of ${group.name}`, "certificate.json"));
  if (plan !== undefined && plan !== planDigest(group))
    findings.push(broken("the plan is not the one that was certified", "group.json"));
  const certified = new Set(files.map(({ path: name }) => name));
  const open = new Set(unfinished);
  const finished = new Set(trials.map(({ id }) => id));
  for (const { id } of group.trials) {
    if (open.has(id)) findings.push(declared(`${id} was not finished`));
    if (open.has(id) && finished.has(id))
      findings.push(
        broken("it has a certificate, but was not finished by the group's", `${id}/certificate.json`),
      );
    if (!open.has(id) && !certified.has(`${id}/certificate.json`))
      findings.push(broken("the group's certificate knows nothing of it", id));
  }
  const planned = new Set(group.trials.map(({ id }) => id));
  const listed = [
    ...open,
    ...[...certified].flatMap((name) => name.match(/^([^/]+)\/certificate\.json$/)?.[1] ?? []),
  ];
  for (const id of listed) if (!planned.has(id)) findings.push(broken("it is not in the plan", id));
  return findings;
}
