import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";

/** The history of a repository, read without its configuration. */
export interface GitStore {
  /** What HEAD names. */
  commit: string;
  git(args: readonly string[], input?: string): Buffer | null;
  close(): void;
}

const SECONDS = 20;
const MAX_OUTPUT = 512 * 1024 * 1024;
const HASH = /^[0-9a-f]{40}$/;

/**
 * Opens the history below a folder (`.git`, or a bare mirror) without trusting a word of it. Git runs on an empty
 * repository of ours that only borrows the other's objects, so that no hook, filter, alias, pager, monitor or include of
 * its configuration is ever read. Null where there is none, where it is a link, where it borrows another
 * one's objects, or where git is not installed.
 */
export function openGit(root: string): GitStore | null {
  const folder = [path.join(root, ".git"), root].find(isGitFolder);
  if (folder === undefined) return null;
  const objects = objectsOf(folder);
  const commit = headOf(folder);
  if (commit === null || objects === null) return null;
  const ours = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-git-"));
  makeFolder(path.join(ours, "objects/info"));
  makeFolder(path.join(ours, "refs"));
  fs.writeFileSync(path.join(ours, "HEAD"), `${commit}\n`);
  fs.writeFileSync(path.join(ours, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
  fs.writeFileSync(path.join(ours, "objects/info/alternates"), `${objects}\n`);
  const env = {
    PATH: process.env.PATH,
    HOME: ours,
    GIT_DIR: ours,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    LC_ALL: "C",
  };
  return {
    commit,
    git(args, input = "") {
      try {
        return execFileSync("git", args, {
          cwd: ours,
          env,
          input,
          maxBuffer: MAX_OUTPUT,
          timeout: SECONDS * 1000,
          stdio: ["pipe", "pipe", "ignore"],
        });
      } catch {
        return null;
      }
    },
    close: () => fs.rmSync(ours, { recursive: true, force: true }),
  };
}

/** A plain folder with plain `objects`: a file that points elsewhere, or a link, is not followed. */
function isGitFolder(folder: string): boolean {
  try {
    const plain = (name: string) => fs.lstatSync(path.join(folder, name));
    return fs.lstatSync(folder).isDirectory() && plain("objects").isDirectory() && plain("HEAD").isFile();
  } catch {
    return false;
  }
}

/**
 * Where the objects lie; null where they are borrowed from another repository of this machine, by a list of places or by
 * links, or where the place cannot be written into a line of such a list.
 */
function objectsOf(folder: string): string | null {
  const objects = fs.realpathSync(path.join(folder, "objects"));
  if (/["\n\r]|^#/.test(objects)) return null;
  try {
    const borrows = ["info/alternates", "info/http-alternates"].some(
      (name) => fs.lstatSync(path.join(objects, name), { throwIfNoEntry: false }) !== undefined,
    );
    const folders = ["", "pack", "info"].map((name) => path.join(objects, name));
    const hasLink = folders.some(
      (one) =>
        fs.existsSync(one) &&
        fs.readdirSync(one, { withFileTypes: true }).some((entry) => entry.isSymbolicLink()),
    );
    return borrows || hasLink ? null : objects;
  } catch {
    return null;
  }
}

function headOf(folder: string): string | null {
  const head = readSmall(path.join(folder, "HEAD"));
  if (HASH.test(head)) return head;
  const reference = /^ref: (refs\/[\w./-]+)$/.exec(head)?.[1];
  if (!reference || reference.includes("..")) return null;
  const loose = readSmall(path.join(folder, reference));
  if (HASH.test(loose)) return loose;
  const packed = readSmall(path.join(folder, "packed-refs"), 4_000_000).split("\n");
  const line = packed.find((one) => one.endsWith(` ${reference}`));
  return line && HASH.test(line.slice(0, 40)) ? line.slice(0, 40) : null;
}

function readSmall(file: string, max = 4096): string {
  try {
    const stat = fs.lstatSync(file);
    return stat.isFile() && stat.size <= max ? fs.readFileSync(file, "utf8").trim() : "";
  } catch {
    return "";
  }
}
