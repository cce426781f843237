import { fileDigests, regularFiles } from "../../files/folder-digest.ts";
import { MAX_CERTIFICATE_BYTES, readPlainText } from "../../files/plain-file.ts";
import { type RecordKind, readRecord, recordOrNull } from "../../files/read-record.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import { readEvents, type TrialEvent } from "../trial/events.ts";
import { isLive, readTrial, trialPaths } from "../trial/folder.ts";
import type { Trial } from "../trial/schema.ts";
import { valueDigest } from "./canonical-json.ts";
import { Certificate, type Sealed, type SealedGrade, SealedRecord } from "./schema.ts";
import { type SigningKey, signValue } from "./signing.ts";

/**
 * Writes the certificate of a trial that has finished. It follows from the files alone, so that it can be made up
 * for when the harness was killed just before.
 */
export async function sealTrial(folder: string, key: SigningKey | null): Promise<Certificate> {
  const paths = trialPaths(folder);
  const trial = readTrial(folder);
  if (trial?.status !== "finished") throw new Error(`${folder} holds no finished trial`);
  const { events } = readEvents(paths.events);
  const files = await fileDigests(folder, recordedFiles(folder));
  const record = SealedRecord.parse({ ...claims(trial), ...claimsOfEvents(events), files });
  const certificate: Certificate = {
    schema: "mlebench/certificate",
    version: 1,
    record: seal(record, key),
    grade: null,
  };
  writeCertificate(paths.certificate, certificate);
  return certificate;
}

/** Puts a grade beside the record, which stays as it was, signature included. */
export function sealGrade(
  folder: string,
  certificate: Certificate,
  grade: Omit<SealedGrade, "record" | "recordKey">,
  key: SigningKey | null,
): void {
  const { record } = certificate;
  const content = { record: record.digest, recordKey: record.signature?.key ?? null, ...grade };
  writeCertificate(trialPaths(folder).certificate, { ...certificate, grade: seal(content, key) });
}

export const CERTIFICATE: RecordKind<Certificate> = {
  schema: "mlebench/certificate",
  version: 1,
  shape: Certificate,
  maxBytes: MAX_CERTIFICATE_BYTES,
};

/** Null when there is none that can be read. */
export function readCertificate(file: string): Certificate | null {
  return recordOrNull(readRecord(file, CERTIFICATE));
}

/** Whether trial.json still says what its first event wrote down: one that was changed since is not sealed. */
export function agreesWithEvents(folder: string): boolean {
  const { events, problem } = readEvents(trialPaths(folder).events);
  const said = rawTrial(folder);
  if (said === null || problem !== null || events[0]?.type !== "prepared") return false;
  return differingFromStart(said, events[0]).length === 0;
}

/** Which claims are not those of the first event, by name. */
export function differingFromStart(said: Record<string, unknown>, first: TrialEvent): string[] {
  return Object.entries(first.data).flatMap(([key, value]) =>
    key in said && valueDigest(said[key]) !== valueDigest(value) ? [key] : [],
  );
}

/** trial.json as it stands there, fields of later versions included. */
export function rawTrial(folder: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(readPlainText(trialPaths(folder).trial));
    return typeof value === "object" ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

/** A certificate has exactly one form on disk, so that no byte of it can change unnoticed. */
export function certificateText(certificate: object): string {
  return `${JSON.stringify(certificate, null, 2)}\n`;
}

export function seal<T>(content: T, key: SigningKey | null): Sealed<T> {
  return { content, digest: valueDigest(content), signature: key === null ? null : signValue(content, key) };
}

/** What a certificate covers: all that lies in the trial's folder, except itself. */
export function recordedFiles(folder: string): string[] {
  return regularFiles(folder, (name) => name === "certificate.json" || name === "work" || isLive(name));
}

function writeCertificate(file: string, certificate: Certificate): void {
  writeFileAtomically(file, certificateText(certificate));
}

/** The part of a record that trial.json holds. */
export function claims(trial: Trial) {
  const { id, sandbox, ...rest } = trial;
  return { ...rest, trialId: id, sandbox: sandbox.policy };
}

/** The part of a record that follows from the events. */
export function claimsOfEvents(events: readonly TrialEvent[]) {
  const ofType = (type: TrialEvent["type"]) => events.filter((event) => event.type === type);
  return {
    validations: ofType("validation").map(({ time, data }) => ({
      time,
      sha256: typeof data.sha256 === "string" ? data.sha256 : null,
      result: String(data.result),
    })),
    validationsRefused: ofType("validation-refused").reduce((sum, { data }) => sum + Number(data.calls), 0),
    connections: connectionsOf(ofType("network")),
    connectionsUnlisted: ofType("network-unreported").reduce(
      (sum, { data }) => sum + Number(data.attempts),
      0,
    ),
    submissions: ofType("submission").map(({ time, data }) => ({ ...data, time })),
    final: ofType("final").at(-1)?.data ?? ofType("finished").at(-1)?.data.final,
    events: { count: events.length, head: events.at(-1)?.hash ?? "" },
  };
}

/** In the order in which each was first tried. */
function connectionsOf(events: readonly TrialEvent[]): SealedRecord["connections"] {
  const tried = new Map<string, SealedRecord["connections"][number]>();
  for (const { data } of events) {
    const { host, port, allowed } = data as { host: string; port: number; allowed: boolean };
    const key = `${host} ${port}`;
    const before = tried.get(key)?.attempts ?? 0;
    tried.set(key, { host, port, allowed, attempts: before + 1 });
  }
  return [...tried.values()];
}
