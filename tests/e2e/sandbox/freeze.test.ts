import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freezeRelay, RELAY } from "./relay.ts";
import { canTest, makeRig, type Rig, startOf, until } from "./sandbox-rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = makeRig();
  if (await canTest("podman")) rig.importImage();
});
afterEach(() => rig.expectNothingLeft());
afterAll(() => rig.close());

const kinds = await Promise.all(
  (["bubblewrap", "podman", "process"] as const).map(async (kind) => ({ kind, can: await canTest(kind) })),
);

for (const { kind, can } of kinds) {
  describe.skipIf(!can)(`${kind}, frozen,`, () => {
    it("stands still even if it is a relay of forks, and goes on when it is thawed", async () => {
      const asked = rig.request(RELAY);
      const { running } = await startOf(kind, asked);
      const relay = await freezeRelay(running, path.join(asked.mounts[0].host, "count"));
      expect(relay).toMatchObject({ ranBefore: true, stoodStill: true, ranAfter: true });
    });

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
