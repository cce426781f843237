import { createFolderWriter } from "../../archive/unpack-job.ts";
import type { GitStore } from "./git-store.ts";
import { MAX_SOURCE_BYTES } from "./read-source.ts";

const MAX_FILES = 50_000;
const MAX_BYTES = 400 * 1024 * 1024;

export type CheckedOut =
  | { status: "written"; files: number; leftOut: number }
  | { status: "failed"; why: string };

/**
 * Writes the plain files of a commit into an empty folder. Git itself would run filters and hooks and make links; here a
 * file is the bytes that stand in the history. Links, submodules, large files and names that lead elsewhere are left out.
 */
export function checkOut(store: GitStore, folder: string): CheckedOut {
  const listing = store.git(["ls-tree", "-r", "-z", "-l", "--full-tree", store.commit])?.toString("utf8");
  if (listing === undefined) return { status: "failed", why: "its newest commit cannot be read" };
  let leftOut = 0;
  let bytes = 0;
  const wanted: { hash: string; path: string }[] = [];
  for (const line of listing.split("\0").filter(Boolean)) {
    const [, mode, kind, hash, size, path] =
      /^(\d+) (\w+) ([0-9a-f]+)\s+(\d+|-)\t([\s\S]+)$/.exec(line) ?? [];
    const isPlain =
      kind === "blob" && mode !== "120000" && Number(size) <= MAX_SOURCE_BYTES && isSafePath(path);
    if (!isPlain || wanted.length >= MAX_FILES || bytes + Number(size) > MAX_BYTES) {
      leftOut++;
      continue;
    }
    bytes += Number(size);
    wanted.push({ hash, path });
  }
  const content = store.git(["cat-file", "--batch"], wanted.map(({ hash }) => `${hash}\n`).join(""));
  if (content === null) return { status: "failed", why: "its files cannot be read" };
  const writer = createFolderWriter(folder);
  let at = 0;
  for (const { path } of wanted) {
    const end = content.indexOf(10, at);
    const size = Number(content.subarray(at, end).toString("latin1").split(" ")[2]);
    if (end === -1 || !Number.isInteger(size))
      return { status: "failed", why: "a file of its history is damaged" };
    writer.file(path, content.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return { status: "written", files: wanted.length, leftOut };
}

/** A tree object may hold any name at all. */
function isSafePath(path: string): boolean {
  const parts = path.split("/");
  return (
    !path.includes("\\") && path.length < 1000 && parts.every((part) => !/^(|\.|\.\.|\.git)$/i.test(part))
  );
}
