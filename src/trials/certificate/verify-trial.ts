import path from "node:path";
import { readingProblem, understandRecord } from "../../files/read-record.ts";
import { plural } from "../../wording/counts.ts";
import { durationText } from "../../wording/durations.ts";
import { sizeText } from "../../wording/sizes.ts";
import { strangeInTrial } from "../group/strange-entries.ts";
import { isKnownEvent, readEvents } from "../trial/events.ts";
import { readTrialRecord, trialPaths } from "../trial/folder.ts";
import type { Trial } from "../trial/schema.ts";
import { valueDigest } from "./canonical-json.ts";
import {
  CERTIFICATE,
  claims,
  claimsOfEvents,
  differingFromStart,
  rawTrial,
  recordedFiles,
} from "./certificate.ts";
import { gradeCoverage, recordCoverage } from "./coverage.ts";
import { type Certificate, SealedRecord } from "./schema.ts";
import {
  broken,
  conclude,
  declared,
  type Finding,
  notUnderstood,
  type PartKey,
  recomputed,
  type Verification,
} from "./verification.ts";
import { type DataAtHand, verifyData, verifyGrade } from "./verify-grade.ts";
import { readExactly, verifyFiles, verifySeal } from "./verify-seal.ts";

const MAX_SHOWN = 500;

export interface VerifyOptions extends DataAtHand {
  /** The fingerprint of the only key that counts; null takes any. */
  trustedKey: string | null;
}

/**
 * Checks what a trial's certificate claims, as far as it can be checked here. Needs neither a network nor the machine
 * it ran on. `file` is the certificate; without any of the trial's files beside it, only its seal can be checked.
 */
export async function verifyTrial(file: string, options: VerifyOptions): Promise<Verification> {
  return (await verifyWithRecord(file, options)).result;
}

/** The same, with what the group compares: null where the certificate cannot be read. */
export async function verifyWithRecord(
  file: string,
  options: VerifyOptions,
): Promise<{ result: Verification; certificate: Certificate | null }> {
  const folder = path.dirname(file);
  const name = path.basename(folder);
  const read = readExactly(file);
  if ("standing" in read) return { result: conclude(name, [read], []), certificate: null };
  const understood = understandRecord(read.value, CERTIFICATE);
  if (understood.status === "newer")
    return { result: notUnderstood(name, understood.writer), certificate: null };
  if (understood.status !== "read") {
    const what = `it is not a certificate of ours (${readingProblem(understood)})`;
    return { result: conclude(name, [broken(what, path.basename(file))], []), certificate: null };
  }
  // The seals are over what is written, not over what our schema makes of it.
  const certificate = read.value as Certificate;
  return { result: await verifyCertificate(folder, certificate, options), certificate };
}

async function verifyCertificate(
  folder: string,
  { record, grade }: Certificate,
  options: VerifyOptions,
): Promise<Verification> {
  const seal = verifySeal("record", record, options.trustedKey);
  const findings = [...seal.findings];
  const standing = seal.key === null ? "declared" : "attested";
  const present = recordedFiles(folder).filter((name) => !isPassing(name));
  if (present.length === 0) findings.push({ standing, what: "all files: they are not here", file: null });
  else {
    findings.push(...(await verifyFiles(folder, record.content.files, present)));
    findings.push(...verifyEvents(folder, record.content), ...verifyClaims(folder, record.content));
    const strange = strangeInTrial(folder);
    if (strange !== null) findings.push(broken(`${strange}, which mlebench never makes`, null));
  }
  findings.push(...(await verifyData(record.content, options, standing)));
  findings.push(...statements(record.content).map((what): Finding => ({ standing, what, file: null })));
  const parts: PartKey[] = [{ part: "the record", key: seal.key }];
  const covers = seal.key === null ? [] : [recordCoverage(record.content)];
  if (grade === null) return conclude(record.content.trialId, findings, parts, { covers });
  const gradeSeal = verifySeal("grade", grade, options.trustedKey);
  parts.push({ part: "the grade", key: gradeSeal.key });
  if (gradeSeal.key !== null) covers.push(gradeCoverage(grade.content));
  findings.push(...gradeSeal.findings, ...verifyBelonging(record, grade, gradeSeal.key));
  const gradeStanding = gradeSeal.key === null ? "declared" : "attested";
  const graded = await verifyGrade(folder, record.content, grade.content, options, gradeStanding);
  findings.push(graded.grade, ...graded.timeline);
  return conclude(record.content.trialId, findings, parts, { grade: graded.grade.standing, covers });
}

/** A file of the moment, which no record covers. */
function isPassing(name: string): boolean {
  return name === "cancel" || (!name.includes("/") && name.endsWith(".tmp"));
}

/** The grade is one of this very record, and the key that vouches for the record vouches for it, too. */
function verifyBelonging(
  record: Certificate["record"],
  grade: NonNullable<Certificate["grade"]>,
  gradeKey: string | null,
): Finding[] {
  const key = record.signature?.key ?? null;
  const { record: digest, recordKey } = grade.content;
  if (digest !== record.digest) return [broken("the grade belongs to another record", "certificate.json")];
  if (recordKey !== undefined && recordKey !== key)
    return [
      broken(
        `the grade was made for a record ${recordKey === null ? "without a signature" : `of key ${recordKey}`}`,
        "certificate.json",
      ),
    ];
  if (gradeKey === key) return [];
  const by = (fingerprint: string | null) =>
    fingerprint === null ? "not signed" : `signed by key ${fingerprint}`;
  return [declared(`the grade is ${by(gradeKey)}, the record is ${by(key)}: nobody vouches for both`)];
}

/** The chain holds, ends where the record says, and accepts nothing after the end. */
function verifyEvents(folder: string, { events: recorded }: SealedRecord): Finding[] {
  const { events, problem } = readEvents(trialPaths(folder).events);
  if (problem !== null) return [broken(problem, "events.jsonl")];
  if (events.length !== recorded.count || events.at(-1)?.hash !== recorded.head)
    return [broken("the chain does not end where the record says", "events.jsonl")];
  const end = events.findIndex(({ type }) => type === "signal" || type === "ended");
  const late = end >= 0 && events.slice(end).some(({ type }) => type === "submission");
  const understood = events.filter(isKnownEvent).length;
  return [
    recomputed(`the chain of ${events.length} events`),
    ...(understood < events.length
      ? [declared(`understood ${understood} of ${events.length} events: the others are of a later mlebench`)]
      : []),
    late
      ? broken("a submission was accepted after the end", "events.jsonl")
      : recomputed("nothing was accepted after the end"),
  ];
}

/** The record says the same as trial.json and the events do, and the final file is the one it names. */
function verifyClaims(folder: string, record: SealedRecord): Finding[] {
  const read = readTrialRecord(folder);
  const trial = rawTrial(folder);
  if (read.status !== "read" || trial === null)
    return [broken(`it cannot be read: ${readingProblem(read)}`, "trial.json")];
  const { events } = readEvents(trialPaths(folder).events);
  // As it is written, so that a field we do not know is compared like all others.
  const derived = { ...claims(trial as Trial), ...claimsOfEvents(events) } as Record<string, unknown>;
  const differing = Object.entries(record).flatMap(([key, value]) =>
    key !== "files" && valueDigest(value) !== valueDigest(derived[key] ?? null) ? [key] : [],
  );
  const unknown = differing.filter((key) => !(key in SealedRecord.shape) && !(key in derived));
  const contradicted = [
    ...differing.filter((key) => !unknown.includes(key)),
    ...(events[0] === undefined ? [] : differingFromStart(trial, events[0])),
  ];
  if (contradicted.length > 0)
    return [
      broken(
        `the record says otherwise than the trial's files: ${contradicted.join(", ")}`,
        "certificate.json",
      ),
    ];
  const { sha256 } = record.final;
  const file = record.files.find(({ path: name }) => name === "submission/submission.csv");
  if ((file?.sha256 ?? null) !== sha256)
    return [broken("it is not the version that counts", "submission/submission.csv")];
  return [
    recomputed("the record agrees with trial.json and the events"),
    ...(unknown.length > 0 ? [declared(`not understood: ${unknown.join(", ")}`)] : []),
    recomputed(
      sha256 === null ? `no submission counts: ${record.final.why}` : `the final submission is ${sha256}`,
    ),
  ];
}

/** What no reader can work out again. */
function statements(record: SealedRecord): string[] {
  const { agent, sandbox, measurements, limits, outcome, validations } = record;
  const code =
    agent.image === null
      ? `code ${agent.codeDigest ?? "none"}`
      : `image ${agent.image} (${agent.imageDigest})`;
  return [
    `agent ${agent.id}, definition ${agent.definitionDigest}, ${code}`,
    ...(agent.program === undefined ? [] : [programText(agent.program)]),
    ...(record.programStarts === undefined ? [] : [startsText(record.programStarts)]),
    ...(agent.privilegesDenied
      ? ["the agent asked for a privileged container and ran without privileges"]
      : []),
    `seed ${record.seed}, competition version ${record.competition.version}, mlebench ${record.mlebenchVersion}`,
    ...(sandbox === null ? ["sandbox: never started"] : [sandboxText(sandbox), enforcement(sandbox)]),
    `from ${record.startedAt} to ${record.endedAt}, ${durationText(measurements?.wallSeconds ?? 0)} of ${durationText(limits.timeSeconds)}`,
    ...(record.continuations === undefined
      ? []
      : [
          `continued ${plural(record.continuations, "time")} after an interruption; ${durationText(record.usedSeconds ?? 0)} of its time were used before`,
        ]),
    `stop reason: ${outcome.stopReason}${outcome.blame === null ? "" : ` (${outcome.blame})`}`,
    `peak memory ${sizeText(measurements?.peakMemoryBytes ?? 0)}, CPU time ${durationText(measurements?.cpuSeconds ?? 0)}`,
    `${plural(record.submissions.length, "submission")} seen, ${plural(validations.length, "validation call")}`,
    ...connectionsText(record),
    ...(record.externalKnowledge ? [`external knowledge: materials ${record.materials?.digest}`] : []),
  ];
}

function programText({
  name,
  integrity,
  packages,
  files,
}: NonNullable<SealedRecord["agent"]["program"]>): string {
  const more = [
    ...(packages === undefined ? [] : [`with its packages ${packages}`]),
    ...(files === undefined ? [] : [`its files ${files}`]),
  ];
  return [`program ${name}`, integrity, ...more].join(", ");
}

/** An agent's own word may be of any length. */
function startsText({ commandLine, promptDigests }: NonNullable<SealedRecord["programStarts"]>): string {
  const [first = "none", ...others] = promptDigests;
  const prompts = `its first prompt ${first}${others.length === 0 ? "" : `, and ${others.length} more`}`;
  return `by the agent's own word: started as ${commandLine.join(" ").slice(0, MAX_SHOWN)}; ${prompts}`;
}

/** Whom the agent asked for through the proxy of an allow-list. */
function connectionsText({ network, connections = [], connectionsUnlisted = 0 }: SealedRecord): string[] {
  if (network.mode !== "allow-list") return [];
  const named = (allowed: boolean) =>
    connections
      .filter((connection) => connection.allowed === allowed)
      .map(({ host, port, attempts }) => `${host}:${port} (${attempts})`)
      .join(", ") || "none";
  const more = connectionsUnlisted > 0 ? `; ${connectionsUnlisted} more attempts are not listed` : "";
  return [
    `network: allowed ${network.hosts.join(", ")}; reached ${named(true)}; refused ${named(false)}${more}`,
  ];
}

type Policy = NonNullable<SealedRecord["sandbox"]>;

function sandboxText({ kind, isolation, network, user }: Policy): string {
  const parts = Object.entries(isolation);
  const shared = parts.filter(([, own]) => !own).map(([name]) => name);
  const isolated = !isolation.files
    ? "NOT isolated from the host"
    : `isolated${shared.length > 0 ? `, sharing the host's ${shared.join(", ")} namespace` : ""}`;
  return `sandbox ${kind}, ${isolated}, network ${network.mode}, user ${user.inside}`;
}

function enforcement({ limits }: Policy): string {
  const set = Object.entries(limits).filter(([, { value }]) => value !== null);
  return `limits: ${set.map(([name, { value, enforcement: how }]) => `${limitText(name, value!)} (${how})`).join(", ") || "none"}`;
}

function limitText(name: string, value: number): string {
  const words: Record<string, string> = { memoryBytes: "memory", diskBytes: "disk", cpus: "processors" };
  return `${words[name] ?? name} ${name.endsWith("Bytes") ? sizeText(value) : value}`;
}
