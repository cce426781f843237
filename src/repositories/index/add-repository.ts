import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder } from "../../files/make-folder.ts";
import type { Problem } from "../../wording/problem.ts";
import { type MapOptions, mapRepository } from "../map/repository-map.ts";
import { checkOut } from "../source/git-checkout.ts";
import { openGit } from "../source/git-store.ts";
import { describeRepository } from "./describe.ts";
import { writeEntry } from "./index-folder.ts";
import type { IndexEntry } from "./schema.ts";

export type AddOutcome =
  | { status: "added" | "replaced" | "unchanged"; entry: IndexEntry }
  | { status: "refused"; problem: Problem };

export interface AddOptions extends MapOptions {
  /** Without it no address on the network is asked. */
  openNetwork?: boolean | undefined;
}

const CLONE_SECONDS = 300;

/** Puts a folder, a bare mirror or what stands at an https address into the index. */
export async function addRepository(
  index: string,
  source: string,
  options: AddOptions = {},
): Promise<AddOutcome> {
  if (/^(https?|ssh|git|ext|fd)[+:]|^[\w.-]+@[\w.-]+:/.test(source))
    return addAddress(index, source, options);
  const folder = path.resolve(source.startsWith("file://") ? fileURLToPath(source) : source);
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return refused(
      "NO_REPOSITORY",
      `There is no folder ${source}.`,
      "name a folder, a bare mirror or an https address",
    );
  return isBare(folder)
    ? addMirror(index, folder, source, options)
    : addFolder(index, folder, source, options);
}

async function addFolder(
  index: string,
  folder: string,
  source: string,
  options: AddOptions,
): Promise<AddOutcome> {
  const entry = describeRepository(await mapRepository(folder, options), source);
  return { status: writeEntry(index, entry), entry };
}

const isBare = (folder: string) =>
  ["HEAD", "objects", "refs"].every((name) => fs.existsSync(path.join(folder, name))) &&
  !fs.existsSync(path.join(folder, ".git"));

async function addMirror(
  index: string,
  mirror: string,
  source: string,
  options: AddOptions,
): Promise<AddOutcome> {
  const store = openGit(mirror);
  const name = path.basename(source.replace(/\/+$/, "")).replace(/\.git$/, "") || "repository";
  if (store === null)
    return refused(
      "NO_COMMIT",
      `${source} has no commit that can be read.`,
      "look at it: git -C <folder> log -1",
    );
  try {
    const place = path.join(index, "checkouts", store.commit.slice(0, 16), name.replace(/[^\w.-]/g, "_"));
    const fresh = `${place}.${process.pid}.partial`;
    if (!fs.existsSync(place)) {
      makeFolder(fresh);
      const written = checkOut(store, fresh);
      if (written.status === "failed") {
        fs.rmSync(fresh, { recursive: true, force: true });
        return refused("DAMAGED_REPOSITORY", `${source}: ${written.why}.`, "make the mirror again");
      }
      fs.renameSync(fresh, place);
    }
    const map = await mapRepository(place, options);
    const entry = { ...describeRepository(map, source), commit: store.commit };
    return { status: writeEntry(index, entry), entry };
  } finally {
    store.close();
  }
}

/** Only https, and only when somebody has said that the network is open; nothing of the clone is run or checked out by git. */
async function addAddress(index: string, address: string, options: AddOptions): Promise<AddOutcome> {
  if (!options.openNetwork)
    return refused(
      "NETWORK_CLOSED",
      `${address} is on the network.`,
      "allow it with --open-network, or name a mirror on this machine",
    );
  if (!address.startsWith("https://"))
    return refused(
      "UNSAFE_ADDRESS",
      `${address} is not an https address.`,
      "use https, or clone it yourself and name the folder",
    );
  const fresh = fs.mkdtempSync(path.join(makeAndReturn(index), ".clone-"));
  try {
    const env = {
      PATH: process.env.PATH,
      HOME: fresh,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_ALLOW_PROTOCOL: "https",
      GIT_TERMINAL_PROMPT: "0",
    };
    const args = [
      "clone",
      "--bare",
      "--quiet",
      "--depth=200",
      "--single-branch",
      "--no-tags",
      "--template=",
      "--",
      address,
      path.join(fresh, "mirror"),
    ];
    execFileSync("git", args, { env, timeout: CLONE_SECONDS * 1000, stdio: ["ignore", "ignore", "pipe"] });
    return await addMirror(index, path.join(fresh, "mirror"), address, options);
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer };
    return refused(
      "NOT_CLONED",
      `${address} could not be cloned: ${String(stderr ?? error)
        .trim()
        .slice(0, 300)}`,
      "check the address and the network",
    );
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true });
  }
}

function makeAndReturn(folder: string): string {
  makeFolder(folder);
  return folder;
}

const refused = (code: string, message: string, nextStep: string): AddOutcome => ({
  status: "refused",
  problem: { code, message, nextStep },
});
