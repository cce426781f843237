import path from "node:path";
import { archiveKind } from "../../../archive/archive-kind.ts";
import { extractArchive } from "../../../archive/extract.ts";
import { listSevenZip } from "../../../archive/seven-zip.ts";
import { listTar } from "../../../archive/tar.ts";
import { listZip } from "../../../archive/zip-reader.ts";
import { sizeText } from "../../../wording/sizes.ts";
import type { AuditLimits } from "../audit-limits.ts";
import type { Omission } from "../audit-schema.ts";
import { type PublicFile, type Side, sideOf, spread } from "./public-files.ts";

/** An archive that could be listed: its files and what its folder entries are called. */
export interface ArchiveListing {
  file: string;
  members: string[];
  folders: string[];
  side: Side;
}

export interface Unpacked {
  files: PublicFile[];
  archives: ArchiveListing[];
  notScanned: Omission[];
}

interface Member {
  path: string;
  folder: boolean;
  bytes: number;
}

const ARCHIVE = /\.(zip|7z|tar|tgz|tar\.gz)$/i;
/** What can hold answers in readable form, and is unpacked first. */
const READABLE = /\.(csv|tsv|json|jsonl|ndjson|geojson|txt|xml|html?|md|ya?ml|log|nmea|mat|rtf|ini)$/i;

/**
 * Lists the members of every archive among the files, and unpacks into `scratch` what fits the limits: readable files
 * first, then archives inside it, then a spread of the rest. Members left out are still listed, without a location.
 */
export async function openArchives(
  files: readonly PublicFile[],
  scratch: string,
  limits: AuditLimits,
  onArchive: (file: string) => void,
): Promise<Unpacked> {
  const result: Unpacked = { files: [], archives: [], notScanned: [] };
  let unpackedBytes = 0;
  const waiting = files
    .filter((file) => file.location !== null && ARCHIVE.test(file.path))
    .map((file) => ({ file, depth: 1 }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { file, depth } = next;
    if (depth > limits.archiveDepth) {
      result.notScanned.push({
        file: file.path,
        reason: `it lies more than ${limits.archiveDepth} archives deep`,
      });
      continue;
    }
    onArchive(file.path);
    const folder = path.join(scratch, String(result.archives.length + result.notScanned.length));
    const room = Math.min(limits.archiveBytes, limits.allArchivesBytes - unpackedBytes);
    const members = await openArchive(file, folder, { ...limits, archiveBytes: room }, result);
    for (const member of members) {
      result.files.push(member);
      if (member.location !== null) unpackedBytes += member.bytes;
      if (ARCHIVE.test(member.path) && member.location !== null)
        waiting.push({ file: member, depth: depth + 1 });
    }
  }
  return result;
}

async function openArchive(
  archive: PublicFile,
  folder: string,
  limits: AuditLimits,
  result: Unpacked,
): Promise<PublicFile[]> {
  const listed = await listMembers(archive.location!);
  if (typeof listed === "string") {
    result.notScanned.push({ file: archive.path, reason: listed });
    return [];
  }
  const files = listed.filter((member) => !member.folder);
  result.archives.push({
    file: archive.path,
    members: files.map((member) => member.path),
    folders: listed.filter((member) => member.folder).map((member) => member.path),
    side: archive.side,
  });
  const chosen = chooseMembers(files, limits);
  let refused = false;
  if (chosen.size > 0) {
    const extracted = await extractArchive(archive.location!, folder, { only: (name) => chosen.has(name) });
    if (extracted.status === "refused") {
      result.notScanned.push({ file: archive.path, reason: extracted.message });
      chosen.clear();
      refused = true;
    }
  }
  const left = files.filter((member) => !chosen.has(member.path));
  if (left.length > 0 && !refused) {
    const bytes = left.reduce((sum, member) => sum + member.bytes, 0);
    const what = `the content of ${left.length} of its ${files.length} files (${sizeText(bytes)})`;
    const reason = `${what} was not unpacked: limit ${sizeText(limits.archiveBytes)} and ${limits.filesPerFamily} pictures and the like; their names were checked`;
    result.notScanned.push({ file: archive.path, reason });
  }
  return files.map((member) => {
    const file = `${archive.path}/${member.path}`;
    const location = chosen.has(member.path) ? path.join(folder, member.path) : null;
    return { path: file, location, bytes: member.bytes, side: sideOf(member.path) ?? archive.side };
  });
}

function chooseMembers(files: readonly Member[], limits: AuditLimits): Set<string> {
  const readable = files.filter(({ path }) => READABLE.test(path)).sort((a, b) => a.bytes - b.bytes);
  const nested = files.filter(({ path }) => ARCHIVE.test(path));
  const rest = files.filter(({ path }) => !READABLE.test(path) && !ARCHIVE.test(path));
  const chosen = new Set<string>();
  let bytes = 0;
  for (const member of [...readable, ...nested, ...spread(rest, limits.filesPerFamily)]) {
    if (bytes + member.bytes > limits.archiveBytes) continue;
    bytes += member.bytes;
    chosen.add(member.path);
  }
  return chosen;
}

/** The members, or why they cannot be told. */
async function listMembers(location: string): Promise<Member[] | string> {
  const kind = archiveKind(location);
  if (kind === null) return "it is called an archive but is none";
  if (kind === "7z") {
    const entries = await listSevenZip(location);
    if ("status" in entries) return entries.message;
    return entries.map(({ name, folder, bytes }) => ({ path: name, folder, bytes }));
  }
  const listing = kind === "zip" ? listZip(location) : await listTar(location);
  return listing.status === "refused" ? listing.message : listing.entries;
}
