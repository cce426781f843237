import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  createKey,
  readFingerprint,
  readSigningKey,
  signatureHolds,
  signValue,
} from "../../../src/trials/certificate/signing.ts";
import { temporaryFolder } from "../../e2e/temporary-folder.ts";

const folder = temporaryFolder();

test("a key is for its owner alone, and never replaced", () => {
  const created = createKey(folder, "mine");
  if (created.status !== "created") throw new Error("not created");
  expect(fs.statSync(created.key).mode & 0o777).toBe(0o600);
  expect(readFingerprint(created.publicKey)).toBe(created.fingerprint);
  expect(createKey(folder, "mine").status).toBe("exists");
});

test("a signature holds for the same value in any order of keys, and for no other", () => {
  createKey(folder, "signer");
  const key = readSigningKey(path.join(folder, "signer.key"))!;
  const signature = signValue({ a: 1, b: [2, { c: null }] }, key);
  expect(signatureHolds({ b: [2, { c: null }], a: 1 }, signature)).toBe(true);
  expect(signatureHolds({ a: 2, b: [2, { c: null }] }, signature)).toBe(false);
});

test("a signature cannot claim the fingerprint of another key", () => {
  createKey(folder, "honest");
  createKey(folder, "forger");
  const honest = readSigningKey(path.join(folder, "honest.key"))!;
  const forged = signValue({ a: 1 }, readSigningKey(path.join(folder, "forger.key"))!);
  expect(signatureHolds({ a: 1 }, { ...forged, key: honest.fingerprint })).toBe(false);
});

test("anything else is not a key", () => {
  const file = path.join(folder, "text.key");
  fs.writeFileSync(file, "hello");
  expect(readSigningKey(file)).toBeNull();
  expect(readFingerprint(file)).toBeNull();
});
