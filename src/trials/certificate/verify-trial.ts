import fs from "node:fs";
import path from "node:path";
import { readEvents } from "../trial/events.ts";
import { readTrial, trialPaths } from "../trial/folder.ts";
import { valueDigest } from "./canonical-json.ts";
import { claims, claimsOfEvents, recordedFiles } from "./certificate.ts";
import { Certificate, type SealedRecord } from "./schema.ts";
import { broken, conclude, type Finding, recomputed, type Verification } from "./verification.ts";
import { type DataAtHand, verifyData, verifyGrade } from "./verify-grade.ts";
import { readExactly, verifyFiles, verifySeal } from "./verify-seal.ts";

export interface VerifyOptions extends DataAtHand {
  /** The fingerprint of the only key that counts; null takes any. */
  trustedKey: string | null;
}

/**
 * Checks what a trial's certificate claims, as far as it can be checked here. Needs neither a network nor the machine
 * it ran on. `file` is the certificate; without the trial's other files beside it, only its seal can be checked.
 */
export async function verifyTrial(file: string, options: VerifyOptions): Promise<Verification> {
  const folder = path.dirname(file);
  const read = readExactly(file);
  if ("standing" in read) return conclude(path.basename(folder), [read], null);
  const parsed = Certificate.safeParse(read.value);
  if (!parsed.success)
    return conclude(
      path.basename(folder),
      [broken("it is no certificate of ours", path.basename(file))],
      null,
    );
  // The seals are over what is written, not over what our schema makes of it.
  const raw = read.value as Certificate;
  const { record, grade } = raw;
  const seal = verifySeal("record", record, options.trustedKey);
  const findings = [...seal.findings];
  const alone = !fs.existsSync(trialPaths(folder).trial) && !fs.existsSync(trialPaths(folder).events);
  const standing = seal.key === null ? "declared" : "attested";
  if (alone) findings.push({ standing, what: "all files: they are not here", file: null });
  else {
    findings.push(...(await verifyFiles(folder, record.content.files, recordedFiles(folder))));
    findings.push(...verifyEvents(folder, record.content), ...verifyClaims(folder, record.content));
  }
  findings.push(...(await verifyData(record.content, options, standing)));
  findings.push(...statements(record.content).map((what): Finding => ({ standing, what, file: null })));
  let gradeFinding: Finding | null = null;
  if (grade !== null) {
    const gradeSeal = verifySeal("grade", grade, options.trustedKey);
    findings.push(...gradeSeal.findings);
    if (grade.content.record !== record.digest)
      findings.push(broken("the grade belongs to another record", "certificate.json"));
    const gradeStanding = gradeSeal.key === null ? "declared" : "attested";
    const graded = await verifyGrade(folder, record.content, grade.content, options, gradeStanding);
    gradeFinding = graded.grade;
    findings.push(graded.grade, ...graded.timeline);
  }
  return conclude(record.content.trialId, findings, seal.key, gradeFinding?.standing ?? null);
}

/** The chain holds, ends where the record says, and accepts nothing after the end. */
function verifyEvents(folder: string, { events: recorded }: SealedRecord): Finding[] {
  const { events, problem } = readEvents(trialPaths(folder).events);
  if (problem !== null) return [broken(problem, "events.jsonl")];
  if (events.length !== recorded.count || events.at(-1)?.hash !== recorded.head)
    return [broken("the chain does not end where the record says", "events.jsonl")];
  const end = events.findIndex(({ type }) => type === "signal" || type === "ended");
  const late = end >= 0 && events.slice(end).some(({ type }) => type === "submission");
  return [
    recomputed(`the chain of ${events.length} events`),
    late
      ? broken("a submission was accepted after the end", "events.jsonl")
      : recomputed("nothing was accepted after the end"),
  ];
}

/** The record says the same as trial.json and the events do, and the final file is the one it names. */
function verifyClaims(folder: string, record: SealedRecord): Finding[] {
  const trial = readTrial(folder);
  if (trial === null) return [broken("it cannot be read", "trial.json")];
  const { events } = readEvents(trialPaths(folder).events);
  const derived = { ...claims(trial), ...claimsOfEvents(events) } as Record<string, unknown>;
  const differing = Object.entries(record).flatMap(([key, value]) =>
    key !== "files" && valueDigest(value) !== valueDigest(derived[key] ?? null) ? [key] : [],
  );
  if (differing.length > 0)
    return [
      broken(`the record says otherwise than the trial's files: ${differing.join(", ")}`, "certificate.json"),
    ];
  const { sha256 } = record.final;
  const file = record.files.find(({ path: name }) => name === "submission/submission.csv");
  if ((file?.sha256 ?? null) !== sha256)
    return [broken("it is not the version that counts", "submission/submission.csv")];
  return [
    recomputed("the record agrees with trial.json and the events"),
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
    ...(agent.privilegesDenied
      ? ["the agent asked for a privileged container and ran without privileges"]
      : []),
    `seed ${record.seed}, competition version ${record.competition.version}, mlebench ${record.mlebenchVersion}`,
    ...(sandbox === null ? ["sandbox: never started"] : [sandboxText(sandbox), enforcement(sandbox)]),
    `from ${record.startedAt} to ${record.endedAt}, ${measurements?.wallSeconds ?? 0} s of ${limits.timeSeconds} s`,
    `stop reason: ${outcome.stopReason}${outcome.blame === null ? "" : ` (${outcome.blame})`}`,
    `peak memory ${measurements?.peakMemoryBytes ?? 0} bytes, ${measurements?.cpuSeconds ?? 0} CPU seconds`,
    `${record.submissions.length} submissions seen, ${validations.length} validation calls`,
    ...connectionsText(record),
    ...(record.externalKnowledge ? [`external knowledge: materials ${record.materials?.digest}`] : []),
  ];
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
  return `limits: ${set.map(([name, { value, enforcement: how }]) => `${name} ${value} (${how})`).join(", ") || "none"}`;
}
