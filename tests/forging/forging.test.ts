import path from "node:path";
import { expect, test } from "vitest";
import { isAccepted } from "../../src/trials/certificate/verification.ts";
import { verifyGroup } from "../../src/trials/certificate/verify-group.ts";
import { temporaryFolder } from "../e2e/temporary-folder.ts";
import { mutationsOf } from "./mutations.ts";
import { signedGroup } from "./signed-group.ts";
import { acceptedForgeries } from "./try-all.ts";

/** As many as there is time for; `npm run soak -- forging` tries all of them. */
const TRIED = 220;

test("none of hundreds of forgeries of a signed group is accepted", { timeout: 180_000 }, async () => {
  const { folder, trustedKey, mallory } = await signedGroup();
  const options = { trustedKey, dataDir: "/nonexistent", competitionsDir: undefined, known: new Map() };
  expect(isAccepted(await verifyGroup(folder, options), { requireSignature: true })).toBe(true);
  const all = mutationsOf(folder, mallory);
  expect(all.length).toBeGreaterThan(1000);
  const step = Math.max(1, Math.floor(all.length / TRIED));
  const some = all.filter((_, i) => i % step === 0);
  expect(some.length).toBeGreaterThanOrEqual(200);
  const scratch = path.join(temporaryFolder(), "copies");
  expect(await acceptedForgeries(folder, some, { trustedKey, scratch })).toEqual([]);
});
