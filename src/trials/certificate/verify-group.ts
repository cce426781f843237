import fs from "node:fs";
import path from "node:path";
import { groupPaths, readGroup } from "../group/folder.ts";
import { GroupCertificate } from "./schema.ts";
import { broken, conclude, type Finding, type Verification } from "./verification.ts";
import { readExactly, verifyFiles, verifySeal } from "./verify-seal.ts";
import { type VerifyOptions, verifyTrial } from "./verify-trial.ts";

/** Checks a group's own files and the certificate of each of its trials; the group's result comes first. */
export async function verifyGroup(folder: string, options: VerifyOptions): Promise<Verification[]> {
  const results = [await verifyGroupFiles(folder, options)];
  for (const { id } of readGroup(folder)?.trials ?? []) {
    const file = path.join(groupPaths(folder).trial(id), "certificate.json");
    if (fs.existsSync(file)) results.push(await verifyTrial(file, options));
  }
  return results;
}

async function verifyGroupFiles(folder: string, { trustedKey }: VerifyOptions): Promise<Verification> {
  const name = path.basename(folder);
  const { certificate } = groupPaths(folder);
  if (readGroup(folder) === null) return conclude(name, [broken("it cannot be read", "group.json")], null);
  if (!fs.existsSync(certificate)) {
    const what = "the group was never closed: resume it, or look at its trials one by one";
    return conclude(name, [{ standing: "declared", what, file: null }], null);
  }
  const read = readExactly(certificate);
  if ("standing" in read) return conclude(name, [read], null);
  if (!GroupCertificate.safeParse(read.value).success)
    return conclude(name, [broken("it is no certificate of ours", "certificate.json")], null);
  const { record } = read.value as GroupCertificate;
  const seal = verifySeal("group's record", record, trustedKey);
  const findings: Finding[] = [...seal.findings, ...(await verifyFiles(folder, record.content.files, []))];
  for (const id of record.content.unfinished)
    findings.push({ standing: "declared", what: `${id} was not finished`, file: null });
  return conclude(name, findings, seal.key);
}
