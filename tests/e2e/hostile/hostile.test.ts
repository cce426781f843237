import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyTrial } from "../../../src/trials/certificate/verify-trial.ts";
import { trialPaths } from "../../../src/trials/trial/folder.ts";
import { FULL } from "../../full.ts";
import { canTest, tracesOf } from "../sandbox/sandbox-rig.ts";
import { plan, runPlanned } from "../trials/setting.ts";
import { type Arena, makeArena, processesWith } from "./arena.ts";
import { ESCAPES } from "./escapes.ts";
import { EXPECTATIONS, expectFinal } from "./expectations.ts";
import { HARNESS_ATTACKS } from "./harness-attacks.ts";
import type { Kind } from "./minimal-system.ts";

const KINDS: readonly Kind[] = ["bubblewrap", "podman"];
const usable = await Promise.all(KINDS.map(async (kind) => ({ kind, can: await canTest(kind) })));

/** Nearly two minutes in all. */
const WITHOUT_ISOLATION_BUT_LONG = [
  ...["relays-its-writes", "swaps-its-submission", "swarms-with-files", "submits-ten-thousand-times"],
  ...["slow", "ignores-sigterm", "links-its-folder", "backdates-its-submission", "stops-itself"],
  ...["fills-deleted-files", "submits-a-sparse-file", "keeps-uploads-open"],
  // That one knows its helper by its place in a sandbox; commas.test.ts has the same without.
  ...HARNESS_ATTACKS.map(({ agent }) => agent).filter((agent) => agent !== "posts-commas"),
];
/** Those that attack the harness and not the machine: what they do without isolation hurts nobody but them. */
const WITHOUT_ISOLATION = [
  ...["writes-after-the-deadline", "leaves-processes", "links-its-submission", "writes-binary-logs"],
  ...["crashes-after-a-good-submission", "hides-what-it-writes-deep", "prints-its-key"],
  "poisons-the-launcher",
  ...(FULL ? WITHOUT_ISOLATION_BUT_LONG : []),
];
const EVERY = [...EXPECTATIONS, ...ESCAPES, ...HARNESS_ATTACKS];
const cases = [
  ...usable.map(({ kind, can }) => ({ kind, can, expectations: EVERY })),
  {
    kind: "process" as const,
    can: await canTest("process"),
    expectations: EVERY.filter(({ agent }) => WITHOUT_ISOLATION.includes(agent)),
  },
];

let arena: Arena;
const isLoopDevice = (trace: string) => trace.startsWith("/dev/loop");

beforeAll(async () => {
  arena = await makeArena(usable.filter(({ can }) => can).map(({ kind }) => kind));
});
afterAll(() => arena.close());

for (const { kind, can, expectations } of cases) {
  describe.skipIf(!can)(`in ${kind}, an agent that`, () => {
    test.each(expectations)(
      "$agent ends as documented, and leaves the host as it was",
      async ({ agent, limits, outcome, final, also }) => {
        const before = arena.untouched();
        const clock = Date.now() - performance.now();
        const change = {
          agentId: `hostile/${agent}`,
          sandbox: kind,
          timeSeconds: 120,
          ...(kind === "process" ? {} : arena.systemFor(kind)),
          ...limits,
        };
        const ran = await runPlanned(await plan(arena, change));
        const { trial } = ran;
        expect(trial.status, trial.outcome?.message).toBe("finished");
        expect(trial.outcome).toMatchObject(outcome);
        expectFinal(ran, final);
        also?.(ran, arena);
        const { identity, runtimeFolder } = trial.sandbox;
        expect(processesWith(arena.run)).toEqual([]);
        expect(tracesOf(identity).filter((trace) => !isLoopDevice(trace))).toEqual([]);
        // A test beside this one that made a mount namespace meanwhile has a copy of the limited disk until it ends.
        await expect.poll(() => tracesOf(identity), { timeout: 90_000 }).toEqual([]);
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
