import fs from "node:fs";
import path from "node:path";
import { isAccepted } from "../../src/trials/certificate/verification.ts";
import { verifyGroup } from "../../src/trials/certificate/verify-group.ts";
import { verifyTrial } from "../../src/trials/certificate/verify-trial.ts";
import { mlebench } from "../e2e/cli.ts";
import { temporaryFolder } from "../e2e/temporary-folder.ts";
import type { Mutation } from "./mutations.ts";

export interface Attempts {
  trustedKey: string;
  /** The key's public file, for the command. */
  publicKey: string;
  /** Every so many forgeries are also shown to the built command, the whole group at once. */
  commandEvery: number;
  onTried?: (tried: number) => void;
}

export interface Tried {
  /** Those that `verify --key … --require-signature` accepts. */
  accepted: string[];
  /** How many were forgeries at all, and how many of them the command was shown. */
  forgeries: number;
  byCommand: number;
}

/** Tries each forgery on a copy of the group: in this process, and a sample through the front door. */
export async function tryForgeries(
  group: string,
  mutations: readonly Mutation[],
  { trustedKey, publicKey, commandEvery, onTried }: Attempts,
): Promise<Tried> {
  const tried: Tried = { accepted: [], forgeries: 0, byCommand: 0 };
  const scratch = scratchFolder();
  try {
    for (const [at, mutation] of mutations.entries()) {
      onTried?.(at);
      const copy = path.join(scratch, path.basename(group));
      for (const place of [copy, `${copy}-aside`]) fs.rmSync(place, { recursive: true, force: true });
      fs.cpSync(group, copy, { recursive: true });
      mutation.apply(copy);
      if (isSame(group, copy)) continue;
      tried.forgeries++;
      if (await isTaken(copy, mutation, trustedKey)) tried.accepted.push(mutation.name);
      if (at % commandEvery !== 0) continue;
      tried.byCommand++;
      const { code } = mlebench(["verify", copy, "--key", publicKey, "--require-signature"]);
      if (code !== 1) tried.accepted.push(`${mutation.name}: the command ended with ${code}`);
    }
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
  return tried;
}

/** In memory where there is such a place: a disk spends nine tenths of the time on making and removing the copies. */
function scratchFolder(): string {
  const memory = "/dev/shm";
  return fs.existsSync(memory) ? fs.mkdtempSync(path.join(memory, "mlebench-forging-")) : temporaryFolder();
}

async function isTaken(folder: string, { trial }: Mutation, trustedKey: string): Promise<boolean> {
  // Without the data: only the signature stands against the forger.
  const options = { trustedKey, dataDir: "/nonexistent", competitionsDir: undefined, known: new Map() };
  const strictly = { requireSignature: true };
  // A group is accepted only if each of its trials is, so a trial is judged alone: that is the harder question.
  const alone = trial === null ? null : path.join(folder, trial, "certificate.json");
  if (alone !== null && fs.existsSync(alone))
    return isAccepted([await verifyTrial(alone, options)], strictly);
  return isAccepted(await verifyGroup(folder, options), strictly);
}

/** A forgery that changes nothing is none. */
function isSame(a: string, b: string): boolean {
  const list = (folder: string) =>
    fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).sort().join("\n");
  if (list(a) !== list(b)) return false;
  return fs
    .readdirSync(a, { recursive: true, encoding: "utf8" })
    .filter((name) => fs.statSync(path.join(a, name)).isFile())
    .every(
      (name) =>
        !fs.lstatSync(path.join(b, name)).isSymbolicLink() &&
        fs.readFileSync(path.join(a, name)).equals(fs.readFileSync(path.join(b, name))),
    );
}
