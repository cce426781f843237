import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findCgroupLayout } from "../../../src/sandbox/limits/cgroup-layout.ts";
import { freezeRelay, relays } from "./relay.ts";
import { canTest, makeRig, processesWith, type Rig, startOf, until } from "./sandbox-rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = makeRig();
  if (await canTest("podman")) rig.importImage();
});
afterEach(() => rig.expectNothingLeft());
afterAll(() => rig.close());

const layout = findCgroupLayout();
const HAS_FREEZER = layout?.version === "cgroup v2" || layout?.freezer != null;

/** What shows that a tree was stopped by signals, which it may outrun, or by an engine, which takes its time. */
function signsOfOtherWays(identity: string): string[] {
  const seen = processesWith(identity);
  expect(seen.length).toBeGreaterThan(0);
  const stopped = seen.filter((pid) => /^State:\s+T/m.test(readProc(`/proc/${pid}/status`)));
  const paused = spawnSync("podman", ["ps", "--filter", "status=paused", "--format", "{{.Names}}"], {
    encoding: "utf8",
  });
  return [
    ...stopped.map((pid) => `${pid} was stopped by a signal`),
    ...(paused.stdout ?? "").split("\n").filter((name) => name.includes(identity)),
  ];
}

function readProc(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

const kinds = await Promise.all(
  (["bubblewrap", "podman", "process"] as const).map(async (kind) => ({ kind, can: await canTest(kind) })),
);

for (const { kind, can } of kinds) {
  describe.skipIf(!can)(`${kind}, frozen,`, () => {
    it("stands still even if it is a relay of forks, and goes on when it is thawed", async () => {
      const asked = rig.request(relays(5));
      const { running } = await startOf(kind, asked);
      const relay = await freezeRelay(running, asked.mounts[0].host);
      expect(relay).toMatchObject({ ranBefore: true, stoodStill: true, ranAfter: true });
    });

    it.skipIf(!HAS_FREEZER)(
      "is frozen by the kernel, at once, and not by signals or the engine",
      async () => {
        const asked = rig.request(relays(5));
        const { running } = await startOf(kind, asked);
        let how: string[] = [];
        await freezeRelay(running, asked.mounts[0].host, () => {
          how = signsOfOtherWays(asked.identity);
        });
        expect(how).toEqual([]);
      },
    );

    it("is killed as it stands, and nothing is left", async () => {
      const asked = rig.request("touch started; trap '' TERM; while :; do sleep 0.1; done");
      const { running } = await startOf(kind, asked);
      await until(() => fs.existsSync(path.join(asked.mounts[0].host, "started")), "the agent");
      await running.freeze();
      running.signal("SIGTERM");
      const before = performance.now();
      await running.kill();
      expect(performance.now() - before).toBeLessThan(8000);
      expect(await running.wait()).toEqual({ kind: "signalled", signal: "SIGKILL" });
    });
  });
}
