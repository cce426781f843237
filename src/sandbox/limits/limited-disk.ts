import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { findProgram } from "../find-program.ts";
import type { Mount } from "../sandbox.ts";
import { readText } from "./cgroup-layout.ts";

const run = promisify(execFile);
const STATE_FILE = "disk.json";
/** Below this ext4 has no room for its own tables. */
const SMALLEST_BYTES = 2 ** 20;

/** A file system of a given size that stands in for the agent's writable folders while it runs. */
export interface LimitedDisk {
  /** A folder on it, for /tmp. */
  tmp: string;
  isFull(): boolean;
}

/** Needs root: the file system is an image file, mounted through a loop device. */
export function canLimitDisk(): boolean {
  return (
    process.getuid?.() === 0 &&
    fs.existsSync("/dev/loop-control") &&
    ["mkfs.ext4", "mount", "umount", "cp"].every((name) => findProgram(name) !== null)
  );
}

/**
 * Puts the writable folders onto a disk of the given size: each host folder is covered by its part of the disk, so
 * that the harness sees the agent's files where it expects them, and gets its content back with `restoreDisk`.
 * Null when the system refuses.
 */
export async function limitDisk(
  scratch: string,
  mounts: readonly Mount[],
  bytes: number,
): Promise<LimitedDisk | null> {
  const image = path.join(scratch, "disk.img");
  const disk = path.join(scratch, "disk");
  const covered = mounts
    .filter(({ mode }) => mode === "read-write")
    .map(({ host }, index) => ({ host: fs.realpathSync(host), part: path.join(disk, `${index}`) }));
  try {
    fs.mkdirSync(disk);
    fs.writeFileSync(image, "", { mode: 0o600 });
    fs.truncateSync(image, Math.max(bytes, SMALLEST_BYTES));
    await run(findProgram("mkfs.ext4") ?? "mkfs.ext4", ["-q", "-m", "0", "-O", "^has_journal", image]);
    // Written before the first mount: whoever cleans up after a killed harness has to know all of them.
    fs.writeFileSync(path.join(scratch, STATE_FILE), JSON.stringify(covered));
    await run("mount", ["-o", "loop,nosuid,nodev", image, disk]);
    for (const { host, part } of covered) {
      await run("cp", ["-a", "--", host, part]);
      await run("mount", ["--bind", part, host]);
    }
    const tmp = path.join(disk, "tmp");
    fs.mkdirSync(tmp);
    fs.chmodSync(tmp, 0o1777);
    return { tmp, isFull: () => isFull(disk) };
  } catch {
    await restoreDisk(scratch);
    return null;
  }
}

/** Uncovers the host folders and copies what the agent left into them. Does nothing where there is no such disk. */
export async function restoreDisk(scratch: string): Promise<void> {
  const state = path.join(scratch, STATE_FILE);
  if (!fs.existsSync(state)) return;
  const covered: { host: string; part: string }[] = JSON.parse(fs.readFileSync(state, "utf8"));
  const mounted = mountPoints();
  for (const { host, part } of covered) {
    if (!mounted.has(host)) continue;
    await unmount(host);
    const isFolder = fs.lstatSync(part, { throwIfNoEntry: false })?.isDirectory();
    if (isFolder) await emptyFolder(host);
    await run("cp", ["-a", "--", isFolder ? `${part}/.` : part, host]).catch(() => null);
  }
  const disk = path.join(scratch, "disk");
  if (mounted.has(disk)) await unmount(disk);
  await loopReleased(path.join(scratch, "disk.img"));
  fs.rmSync(state);
}

/** The folder's own old content was copied onto the disk at the start; what the agent deleted must stay deleted. */
async function emptyFolder(folder: string): Promise<void> {
  for (const name of fs.readdirSync(folder)) {
    await run("rm", ["-rf", "--one-file-system", "--", path.join(folder, name)]).catch(() => null);
  }
}

async function unmount(folder: string): Promise<void> {
  // A file the harness still has open keeps it busy; lazily it goes as soon as that is closed.
  await run("umount", ["--", folder]).catch(() => run("umount", ["-l", "--", folder]).catch(() => null));
}

/** A sandbox that is starting right now may have a copy of the mount for a moment, and with it the loop device. */
async function loopReleased(image: string): Promise<void> {
  const inUse = () =>
    fs
      .readdirSync("/sys/block")
      .filter((name) => name.startsWith("loop"))
      .some((name) => readText(`/sys/block/${name}/loop/backing_file`).startsWith(image));
  for (let waited = 0; waited < 5000 && inUse(); waited += 20) await delay(20);
}

function mountPoints(): Set<string> {
  const lines = fs.readFileSync("/proc/self/mounts", "utf8").split("\n");
  const decode = (text: string) =>
    text.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
  return new Set(lines.map((line) => decode(line.split(" ")[1] ?? "")));
}

function isFull(disk: string): boolean {
  const { bavail, bsize, ffree } = fs.statfsSync(disk);
  return bavail * bsize < 64 * 1024 || ffree === 0;
}
