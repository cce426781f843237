import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { checkEnvironment } from "../../../src/sandbox/container/check-environment.ts";
import { sandboxes } from "../../../src/sandbox/kinds.ts";
import { canTest, makeRig, type Rig } from "./sandbox-rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = makeRig();
  if (await canTest("podman")) rig.importImage();
});
afterEach(() => rig.expectNothingLeft());
afterAll(() => rig.close());

const kinds = await Promise.all(
  (["bubblewrap", "podman"] as const).map(async (kind) => ({ kind, can: await canTest(kind) })),
);

for (const { kind, can } of kinds) {
  describe.skipIf(!can)(`${kind} with an agent that`, () => {
    it("kills everything it can, its parent first, ends itself and nobody else", async () => {
      const { exit } = await rig.run(kind, "kill -9 $PPID 2>/dev/null; kill -9 -1; kill -9 $$");
      expect(exit).toEqual({ kind: "signalled", signal: "SIGKILL" });
    });

    it("deletes all it can reach has deleted only its own", async () => {
      const data = path.join(rig.folder, `data-${kind}`);
      fs.mkdirSync(data, { mode: 0o755 });
      fs.writeFileSync(path.join(data, "train.csv"), "id\n");
      const own = path.join(rig.folder, `own-${kind}`);
      fs.mkdirSync(own);
      fs.writeFileSync(path.join(own, "mine"), "");
      await rig.run(kind, "rm -rf --no-preserve-root / 2>/dev/null", {
        rootFolder: rig.root,
        workingFolder: "/home",
        mounts: [
          { host: data, inside: "/home/data", mode: "read-only" },
          { host: own, inside: "/home/work", mode: "read-write" },
        ],
      });
      expect(fs.readdirSync(data)).toEqual(["train.csv"]);
      expect(fs.readdirSync(own)).toEqual([]);
      expect(fs.existsSync(path.join(rig.root, "usr/bin/env"))).toBe(true);
    });

    it("leaves folders too deep and too closed to enter in /tmp has them removed all the same", async () => {
      const { exit } = await rig.run(
        kind,
        `cd /tmp && perl -e 'for (1..1500) { mkdir "deeper" or die; chdir "deeper" or die }' && mkdir closed && chmod 0 closed`,
      );
      expect(exit).toEqual({ kind: "exited", code: 0 });
    });

    it("asks for a program that does not exist fails, and is told so", async () => {
      const { exit, stderr } = await rig.run(kind, "", { command: ["no-such-program"] });
      expect(exit.kind).toBe("exited");
      expect(stderr).toContain("no-such-program");
    });
  });
}

describe.skipIf(!kinds[0].can)("bubblewrap", () => {
  it("runs many sandboxes at once, each with its own port 5000 and its own files", async () => {
    const runs = Array.from({ length: 6 }, (_, index) =>
      rig.run("bubblewrap", `echo ${index} > /tmp/mine; sleep 0.2; cat /tmp/mine`),
    );
    expect((await Promise.all(runs)).map(({ stdout }) => stdout)).toEqual([
      "0\n",
      "1\n",
      "2\n",
      "3\n",
      "4\n",
      "5\n",
    ]);
  });

  it("env check tells what an agent finds in a root without Python", async () => {
    const found = await checkEnvironment("bubblewrap", { rootFolder: rig.root });
    expect(found).toMatchObject({
      status: "checked",
      user: "1000",
      python: null,
      packages: { numpy: null },
      programs: { perl: true, python3: false, node: false },
      policy: { system: { source: "folder, read-only", name: rig.root } },
    });
  });

  it("an open network has a way out of its own, and does not reach the host's loopback", async () => {
    const { networks } = await sandboxes.bubblewrap.probe();
    if (!networks.includes("open")) return;
    const { exit, stdout, stderr, policy } = await rig.run(
      "bubblewrap",
      "cut -d: -f1 /proc/net/dev | tail -n +3; cat /etc/resolv.conf",
      {
        network: { mode: "open" },
      },
    );
    expect({ exit, stderr }).toMatchObject({ exit: { code: 0 }, stderr: "" });
    expect(stdout.split(/\s+/).filter(Boolean)).toEqual(["lo", "tap0", "nameserver", "10.0.2.3"]);
    expect(policy.network.mode).toBe("open");
  });
});
