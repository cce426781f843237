// full: hosts that have to be watched for seconds until they count as dead
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notTested } from "../../tools.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { canPlayHosts, signalOn, startOn, until } from "./two-hosts.ts";

const CAN = canPlayHosts();
if (!CAN)
  notTested({
    what: "leases between two hosts",
    why: "namespaces cannot be made here",
    command: "run the tests as root",
    ofThisPlace: true,
  });
/** Longer than the two seconds between two signs of life, on a busy machine, too. */
const SILENCE_MS = 8000;
const FIRST = { name: "first-host", aheadSeconds: 0 };
/** Up for eleven days longer. */
const SECOND = { name: "second-host", aheadSeconds: 1_000_000 };

describe.skipIf(!CAN)("a lock in a folder that two hosts share", () => {
  // Below node_modules, so that the bundle finds the packages it imports.
  const programs = path.resolve("node_modules/.cache/mlebench-soak", `locks-${process.pid}`);
  const program = path.join(programs, "lock-program.mjs");
  beforeAll(async () => {
    const { bundlePrograms } = (await import(path.resolve("scripts/bundle-program.mjs"))) as {
      bundlePrograms(sources: string[], folder: string): Promise<void>;
    };
    await bundlePrograms([path.resolve("tests/e2e/trials/lock-program.ts")], programs);
  });
  afterAll(() => fs.rmSync(programs, { recursive: true, force: true }));

  test("is never taken from a live holder, and from a dead one once it has been silent", async () => {
    const file = path.join(temporaryFolder(), "group.lock");
    const holder = startOn(FIRST, [process.execPath, program, "hold", file]);
    expect(await until(() => holder.said().includes("locked"), 20), holder.said()).toBe(true);
    const seeker = () => startOn(SECOND, [process.execPath, program, "wait", file, `${SILENCE_MS}`]);
    for (let i = 0; i < 2; i++) {
      const refused = seeker();
      await until(() => refused.said().includes("after"), 20);
      refused.child.kill("SIGKILL");
      expect(refused.said()).toMatch(/^process \d+ on first-host after/);
    }
    signalOn(holder.child, "SIGKILL");
    const heir = seeker();
    expect(await until(() => heir.said().includes("after"), 40)).toBe(true);
    expect(heir.said()).toMatch(/^taken after (8|9|1\d)\.\d s/);
    for (const { child } of [holder, heir]) child.kill("SIGKILL");
  });

  test("is lost by one that was silent for too long, and it learns that when it wakes", async () => {
    const file = path.join(temporaryFolder(), "group.lock");
    const holder = startOn(SECOND, [process.execPath, program, "hold", file]);
    expect(await until(() => holder.said().includes("locked"), 20), holder.said()).toBe(true);
    signalOn(holder.child, "SIGSTOP");
    const heir = startOn(FIRST, [process.execPath, program, "wait", file, `${SILENCE_MS}`]);
    expect(await until(() => heir.said().includes("taken"), 40), heir.said()).toBe(true);
    signalOn(holder.child, "SIGCONT");
    expect(await until(() => holder.said().includes("lost, mine: false"), 20), holder.said()).toBe(true);
    for (const { child } of [holder, heir]) child.kill("SIGKILL");
  });
});
