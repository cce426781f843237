// full: hundreds of forgeries, each verified
import { expect, test } from "vitest";
import { isAccepted } from "../../src/trials/certificate/verification.ts";
import { verifyGroup } from "../../src/trials/certificate/verify-group.ts";
import { mutationsOf } from "./mutations.ts";
import { signedGroup } from "./signed-group.ts";
import { tryForgeries } from "./try-all.ts";

/** As many as there is time for; `npm run soak -- forging` tries all of them. */
const TRIED = 220;

test("none of hundreds of forgeries of a signed group is accepted", { timeout: 180_000 }, async () => {
  const { folder, other, trustedKey, publicKey, mallory } = await signedGroup();
  const options = { trustedKey, dataDir: "/nonexistent", competitionsDir: undefined, known: new Map() };
  expect(isAccepted(await verifyGroup(folder, options), { requireSignature: true })).toBe(true);
  const all = mutationsOf(folder, other, mallory);
  expect(all.length).toBeGreaterThan(1000);
  const step = Math.max(1, Math.floor(all.length / TRIED));
  // What is borrowed from another group of the same signer is the one thing that a signature alone does not tell.
  const some = all.filter(({ name }, i) => i % step === 0 || /(an)?other group/.test(name));
  expect(some.length).toBeGreaterThanOrEqual(200);
  const tried = await tryForgeries(folder, some, { trustedKey, publicKey, commandEvery: 25 });
  expect(tried.accepted).toEqual([]);
  expect(tried.forgeries).toBeGreaterThanOrEqual(200);
  expect(tried.byCommand).toBeGreaterThanOrEqual(8);
});
