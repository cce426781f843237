import { chmodSync, lstatSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { makeFolder } from "../files/make-folder.ts";
import { type ArchiveProblem, refuse } from "./archive-problem.ts";
import { checkEntryName } from "./entry-name.ts";
import { createBudget } from "./limits.ts";
import { checkSevenZipHeader } from "./seven-zip-header.ts";
import { runSevenZip, type SevenZipResult } from "./seven-zip-process.ts";
import type { UnpackJob, UnpackOutcome } from "./unpack-job.ts";

export type SevenZipEntry = {
  name: string;
  folder: boolean;
  encrypted: boolean;
  link: boolean;
  bytes: number;
};
export type SevenZipWritten = { status: "written"; bytes: number };

// Any password: with none given 7-Zip would ask for one and wait.
const reading = ["-pnone", "-sccUTF-8", "-bd"];

/** Unpacks a 7z. The listing is checked first; a 7z never unpacks to more than it lists, and the run enforces it. */
export async function unpackSevenZip(job: UnpackJob): Promise<UnpackOutcome> {
  const entries = await listSevenZip(job.archive, job.label, job.signal);
  if ("status" in entries) return entries;
  const budget = createBudget(job.limits, job.label, statSync(job.archive).size);
  const chosen: string[] = [];
  const seen = new Set<string>();
  let partial = false;
  for (const entry of entries) {
    const problem = checkEntry(entry, seen, job.label);
    if (problem) return problem;
    if (!job.only(entry.name)) {
      partial = true;
      continue;
    }
    const overLimit = budget.charge(entry.name, entry.bytes, null);
    if (overLimit) return overLimit;
    // A folder named in the list brings everything below it along.
    if (!entry.folder) chosen.push(entry.name);
  }
  if (partial && chosen.length === 0) return { status: "unpacked", files: 0, bytes: 0 };
  const totalBytes = budget.bytes;
  const result = await runSevenZip({
    args: [
      "x",
      ...reading,
      "-y",
      "-spd",
      "-scsUTF-8",
      "-o/out",
      archiveInside(job.archive),
      ...(partial ? ["@/names"] : []),
    ],
    mounts: [
      { at: "/in", folder: dirname(resolve(job.archive)) },
      { at: "/out", folder: job.folder },
    ],
    files: { "/names": chosen.join("\n") },
    workingFolder: "/",
    maxWrittenBytes: totalBytes,
    onWritten: (doneBytes) => job.onProgress({ doneBytes, totalBytes, entries: 0 }),
    signal: job.signal,
  });
  const failed = explainFailure(result, job.label);
  if (failed) return failed;
  const found = settleFiles(job.folder);
  if (found === null)
    return refuse("LINK", job.label, null, "holds something that is neither a file nor a folder");
  if (found.bytes !== totalBytes)
    return refuse("DAMAGED", job.label, null, "did not unpack to the sizes it lists");
  job.onProgress({ doneBytes: found.bytes, totalBytes, entries: found.files });
  return { status: "unpacked", ...found };
}

/** The entries of a 7z in its own order. */
export async function listSevenZip(
  archive: string,
  label = basename(archive),
  signal: AbortSignal | null = null,
): Promise<SevenZipEntry[] | ArchiveProblem> {
  const unreadable = checkSevenZipHeader(archive, label);
  if (unreadable) return unreadable;
  const result = await runSevenZip({
    args: ["l", "-slt", "-ba", ...reading, archiveInside(archive)],
    mounts: [{ at: "/in", folder: dirname(resolve(archive)) }],
    files: {},
    workingFolder: "/",
    maxWrittenBytes: 0,
    onWritten: () => {},
    signal,
  });
  const failed = explainFailure(result, label);
  if (failed) return failed;
  return result.status === "done" ? parseListing(result.output) : [];
}

/** Packs `names` (files or folders, relative to `root`) into a new 7z, without times, so that equal input gives equal bytes. */
export async function writeSevenZip(
  target: string,
  root: string,
  names: string[],
): Promise<SevenZipWritten | ArchiveProblem> {
  const label = basename(target);
  // 7-Zip adds to an archive that exists; a fresh folder makes sure that there is none.
  const workplace = `${target}.packing-${process.pid}`;
  makeFolder(workplace);
  try {
    const result = await runSevenZip({
      args: [
        "a",
        "-t7z",
        "-mx=3",
        "-mtm-",
        "-mtc-",
        "-mta-",
        "-spd",
        "-scsUTF-8",
        "-bd",
        "/out/new.7z",
        "@/names",
      ],
      mounts: [
        { at: "/in", folder: root },
        { at: "/out", folder: workplace },
      ],
      files: { "/names": names.join("\n") },
      workingFolder: "/in",
      maxWrittenBytes: Number.POSITIVE_INFINITY,
      onWritten: () => {},
      signal: null,
    });
    if (result.status !== "done" || result.code !== 0) {
      const missing = explainFailure(result, label);
      if (missing?.code === "TOOL_MISSING") return missing;
      const output = result.status === "done" ? lastLine(result.output) : "";
      return refuse("HOST_FAILED", label, null, `could not be written (${output})`);
    }
    renameSync(join(workplace, "new.7z"), target);
    return { status: "written", bytes: statSync(target).size };
  } finally {
    rmSync(workplace, { recursive: true, force: true });
  }
}

function checkEntry(entry: SevenZipEntry, seen: Set<string>, label: string): ArchiveProblem | null {
  const checked = checkEntryName(entry.name);
  if ("problem" in checked) return refuse("UNSAFE_PATH", label, entry.name, checked.problem);
  if (entry.link) return refuse("LINK", label, entry.name, "is a link or a device");
  if (entry.encrypted) return refuse("ENCRYPTED", label, entry.name, "is encrypted");
  if (seen.has(checked.path)) return refuse("DUPLICATE", label, entry.name, "is in the archive twice");
  seen.add(checked.path);
  return null;
}

function parseListing(output: string): SevenZipEntry[] {
  const entries: SevenZipEntry[] = [];
  for (const paragraph of output.split(/\n(?=Path = )/)) {
    if (!paragraph.startsWith("Path = ")) continue;
    const field = (key: string) => paragraph.match(new RegExp(`^${key} = (.*)$`, "m"))?.[1] ?? "";
    // Letters of Windows (L: a link), sometimes a number, then a Unix mode as `ls` prints it, its type missing at times.
    const attributes = field("Attributes").split(" ");
    const mode = attributes.find((word) => word.length === 10) ?? "";
    entries.push({
      name: field("Path"),
      folder: attributes[0].includes("D"),
      encrypted: field("Encrypted") === "+",
      link: /^[lbcps]/.test(mode) || attributes[0].includes("L") || field("Symbolic Link") !== "",
      bytes: Number(field("Size")) || 0,
    });
  }
  return entries;
}

function explainFailure(result: SevenZipResult, label: string): ArchiveProblem | null {
  if (result.status === "missing") {
    return refuse("TOOL_MISSING", label, null, "is a 7z archive, which needs the optional package 7z-wasm");
  }
  if (result.status === "stopped") {
    return result.why === "interrupted"
      ? refuse("INTERRUPTED", label, null, "was not extracted to the end")
      : refuse("TOO_LARGE", label, null, "unpacks to more than it lists");
  }
  if (result.code === 0) return null;
  const { output } = result;
  if (/wrong password|encrypted/i.test(output)) return refuse("ENCRYPTED", label, null, "is encrypted");
  if (/unexpected end/i.test(output)) return refuse("TRUNCATED", label, null, "is cut off");
  if (/CRC failed/i.test(output)) return refuse("CHECKSUM", label, null, "does not match its checksum");
  if (/unsupported method/i.test(output))
    return refuse("UNSUPPORTED", label, null, "is packed with an unsupported method");
  if (/no space left/i.test(output)) return refuse("DISK_FULL", label, null, "does not fit on the disk");
  if (/memory/i.test(output)) return refuse("HOST_FAILED", label, null, "needs more memory than there is");
  return refuse("DAMAGED", label, null, `cannot be unpacked (${lastLine(output)})`);
}

/** Counts what was unpacked and takes the execution right off it, with which the run makes every file. Null on a link. */
function settleFiles(folder: string): { files: number; bytes: number } | null {
  let files = 0;
  let bytes = 0;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const info = lstatSync(path);
    if (info.isFile()) {
      chmodSync(path, 0o644);
      files++;
      bytes += info.size;
      continue;
    }
    const inner = info.isDirectory() ? settleFiles(path) : null;
    if (inner === null) return null;
    files += inner.files;
    bytes += inner.bytes;
  }
  return { files, bytes };
}

function archiveInside(archive: string): string {
  return `/in/${basename(archive)}`;
}

function lastLine(output: string): string {
  return output.trim().split("\n").at(-1)?.trim() ?? "";
}
