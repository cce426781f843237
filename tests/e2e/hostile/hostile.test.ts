import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyTrial } from "../../../src/trials/certificate/verify-trial.ts";
import { trialPaths } from "../../../src/trials/trial/folder.ts";
import { canTest, tracesOf } from "../sandbox/sandbox-rig.ts";
import { plan, runPlanned } from "../trials/setting.ts";
import { type Arena, makeArena, processesWith } from "./arena.ts";
import { ESCAPES } from "./escapes.ts";
import { EXPECTATIONS, expectFinal } from "./expectations.ts";
import { HARNESS_ATTACKS } from "./harness-attacks.ts";
import type { Kind } from "./minimal-system.ts";

const KINDS: readonly Kind[] = ["bubblewrap", "podman"];
const usable = await Promise.all(KINDS.map(async (kind) => ({ kind, can: await canTest(kind) })));

let arena: Arena;
beforeAll(async () => {
  arena = await makeArena(usable.filter(({ can }) => can).map(({ kind }) => kind));
});
afterAll(() => arena.close());

for (const { kind, can } of usable) {
  describe.skipIf(!can)(`in ${kind}, an agent that`, () => {
    test.each([...EXPECTATIONS, ...ESCAPES, ...HARNESS_ATTACKS])(
      "$agent ends as documented, and leaves the host as it was",
      async ({ agent, limits, outcome, final, also }) => {
        const before = arena.untouched();
        const clock = Date.now() - performance.now();
        const change = {
          agentId: `hostile/${agent}`,
          sandbox: kind,
          timeSeconds: 120,
          ...arena.systemFor(kind),
          ...limits,
        };
        const ran = await runPlanned(await plan(arena, change));
        const { trial } = ran;
        expect(trial.status).toBe("finished");
        expect(trial.outcome).toMatchObject(outcome);
        expectFinal(ran, final);
        also?.(ran, arena);
        const { identity, runtimeFolder } = trial.sandbox;
        expect(processesWith(arena.run)).toEqual([]);
        expect(tracesOf(identity)).toEqual([]);
        expect(fs.existsSync(runtimeFolder)).toBe(false);
        expect(fs.readdirSync(ran.trialFolder)).not.toContain("work");
        expect(arena.untouched()).toEqual(before);
        expect(Math.abs(Date.now() - performance.now() - clock)).toBeLessThan(2000);
        const verified = await verifyTrial(trialPaths(ran.trialFolder).certificate, {
          dataDir: arena.dataDir,
          competitionsDir: undefined,
          known: new Map(),
          trustedKey: null,
        });
        expect(verified.findings.filter(({ standing }) => standing === "broken")).toEqual([]);
      },
      180_000,
    );
  });
}
