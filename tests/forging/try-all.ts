import fs from "node:fs";
import path from "node:path";
import { isAccepted } from "../../src/trials/certificate/verification.ts";
import { verifyGroup } from "../../src/trials/certificate/verify-group.ts";
import { verifyTrial } from "../../src/trials/certificate/verify-trial.ts";
import type { Mutation } from "./mutations.ts";

/** Tries each forgery on a copy of the group and returns those that `verify --key … --require-signature` accepts. */
export async function acceptedForgeries(
  group: string,
  mutations: readonly Mutation[],
  { trustedKey, scratch }: { trustedKey: string; scratch: string },
): Promise<string[]> {
  const accepted: string[] = [];
  for (const mutation of mutations) {
    const copy = path.join(scratch, path.basename(group));
    for (const place of [copy, `${copy}-aside`]) fs.rmSync(place, { recursive: true, force: true });
    fs.cpSync(group, copy, { recursive: true });
    mutation.apply(copy);
    if (!isSame(group, copy) && (await isTaken(copy, mutation, trustedKey))) accepted.push(mutation.name);
  }
  return accepted;
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
