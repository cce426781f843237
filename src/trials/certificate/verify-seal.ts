import fs from "node:fs";
import path from "node:path";
import { type FileDigest, fileDigest } from "../../files/folder-digest.ts";
import { MAX_CERTIFICATE_BYTES, readPlainText } from "../../files/plain-file.ts";
import { valueDigest } from "./canonical-json.ts";
import { certificateText } from "./certificate.ts";
import type { Sealed } from "./schema.ts";
import { signatureHolds } from "./signing.ts";
import { broken, type Finding, recomputed } from "./verification.ts";

/** Checks digest and signature of a sealed part. `key` is the fingerprint of a signature that holds. */
export function verifySeal(
  part: string,
  { content, digest, signature }: Sealed<unknown>,
  trustedKey: string | null,
): { findings: Finding[]; key: string | null } {
  if (valueDigest(content) !== digest)
    return { findings: [broken(`the digest of the ${part} does not fit`, "certificate.json")], key: null };
  const findings = [recomputed(`the digest of the ${part}: ${digest}`)];
  if (signature === null) return { findings, key: null };
  if (!signatureHolds(content, signature))
    return {
      findings: [...findings, broken(`the signature of the ${part} does not fit`, "certificate.json")],
      key: null,
    };
  if (trustedKey !== null && signature.key !== trustedKey) {
    const what = `the ${part} is signed by key ${signature.key}, not by ${trustedKey}`;
    return { findings: [...findings, broken(what, "certificate.json")], key: null };
  }
  findings.push({ standing: "attested", what: `the ${part}, by key ${signature.key}`, file: null });
  return { findings, key: signature.key };
}

/** Our certificates have one form on disk: anything else was changed by somebody. */
export function readExactly(file: string): { value: unknown } | Finding {
  const name = path.basename(file);
  let text: string;
  try {
    if (!fs.lstatSync(file).isFile()) return broken("it is not a regular file", name);
    text = readPlainText(file, { maxBytes: MAX_CERTIFICATE_BYTES });
  } catch {
    return broken("there is no certificate", name);
  }
  try {
    const value: object = JSON.parse(text);
    if (certificateText(value) === text) return { value };
  } catch {
    return broken("the certificate is not JSON", name);
  }
  return broken("the certificate was changed after it was written", name);
}

/** Files that are named one by one where they should not be. */
const MAX_NAMED = 20;

/** Compares every recorded file with what is there. */
export async function verifyFiles(
  folder: string,
  files: readonly FileDigest[],
  present: readonly string[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { path: name, bytes, sha256 } of files) {
    const place = path.join(folder, name);
    if (!isInside(folder, place)) {
      findings.push(broken("it is not a name inside the folder", name));
      continue;
    }
    const stats = fs.lstatSync(place, { throwIfNoEntry: false });
    if (stats === undefined) findings.push(broken("it is missing", name));
    else if (!stats.isFile() || stats.size !== bytes || (await fileDigest(place)).sha256 !== sha256)
      findings.push(broken("it is not what was recorded", name));
  }
  const whole = files.length - findings.length;
  const recorded = new Set(files.map(({ path: name }) => name));
  const extra = present.filter((name) => !recorded.has(name));
  // Whoever looks at the folder would take it for the trial's.
  for (const name of extra.slice(0, MAX_NAMED)) findings.push(broken("it is not in the record", name));
  return [recomputed(`the hashes of ${whole} of ${files.length} recorded files`), ...findings];
}

/** A record from elsewhere must not have us read other folders; links on the way are followed nowhere. */
function isInside(folder: string, place: string): boolean {
  const relative = path.relative(folder, place);
  if (relative === "" || relative.startsWith("..") || path.isAbsolute(relative)) return false;
  const parts = relative.split(path.sep);
  return parts.slice(0, -1).every((_, i) => !isLink(path.join(folder, ...parts.slice(0, i + 1))));
}

function isLink(place: string): boolean {
  return fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
