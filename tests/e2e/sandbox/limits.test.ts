import fs from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sandboxes } from "../../../src/sandbox/kinds.ts";
import { canTest, makeRig, type Rig, startOf, tracesOf, until } from "./sandbox-rig.ts";

const MEGABYTE = 2 ** 20;
const required = (value: number) => ({ value, required: true });
const wished = (value: number) => ({ value, required: false });

let rig: Rig;
beforeAll(async () => {
  rig = makeRig();
  if (await canTest("podman")) rig.importImage();
});
afterEach(() => rig.expectNothingLeft());
afterAll(() => rig.close());

const kinds = ["bubblewrap", "podman", "process"] as const;
const usable = await Promise.all(
  kinds.map(async (kind) => ({ ...(await sandboxes[kind].probe()), can: await canTest(kind) })),
);

for (const { kind, can, limits } of usable) {
  const isolated = kind !== "process";
  const enforces = limits.memoryBytes === "enforced";

  describe.skipIf(!can)(kind, () => {
    it("reports the exit status, the signal and what was used", async () => {
      const failed = await rig.run(kind, "exit 7");
      expect(failed.exit).toEqual({ kind: "exited", code: 7 });
      const killed = await rig.run(kind, "kill -SEGV $$");
      expect(killed.exit).toEqual({ kind: "signalled", signal: "SIGSEGV" });
      const busy = await rig.run(
        kind,
        `perl -e 'my $x = "x" x 50_000_000; my $i = 0; $i++ while $i < 1e7'; head -c 20000000 /dev/zero > big; sleep 0.3`,
      );
      expect(busy.usage.peakMemoryBytes).toBeGreaterThan(50_000_000);
      expect(busy.usage.cpuSeconds).toBeGreaterThan(0.1);
      expect(busy.usage.bytesWritten).toBeGreaterThanOrEqual(20_000_000);
    });

    it.skipIf(!enforces)("an agent that eats memory is killed for it", async () => {
      const { exit, policy, usage } = await rig.run(
        kind,
        `perl -e 'my @x; push @x, "x" x 1_000_000 while 1'; echo survived`,
        { limits: { memoryBytes: required(80 * MEGABYTE) } },
      );
      expect(exit).toEqual({ kind: "out-of-memory" });
      expect(usage.peakMemoryBytes).toBeLessThanOrEqual(80 * MEGABYTE);
      expect(fs.readdirSync(".")).not.toContain("oom");
      expect(policy.limits.memoryBytes.enforcement).toBe("enforced");
    });

    it.skipIf(!enforces)("a fork bomb stays within the process limit and dies whole", async () => {
      const asked = rig.request(
        `perl -e 'while (1) { my $pid = fork; sleep 100 if defined $pid && !$pid; select undef, undef, undef, 0.001 unless defined $pid }'`,
        { limits: { processes: required(40) } },
      );
      const { running, policy } = await startOf(kind, asked);
      await new Promise((resolve) => setTimeout(resolve, 700));
      const alive = tracesOf(asked.identity).filter((trace) => trace.startsWith("process")).length;
      expect(alive).toBeGreaterThan(20);
      expect(alive).toBeLessThanOrEqual(45);
      expect(policy.limits.processes).toMatchObject({ value: 40, enforcement: "enforced" });
      await running.kill();
      expect(await running.wait()).toEqual({ kind: "signalled", signal: "SIGKILL" });
    });

    it.skipIf(!enforces)("a CPU limit slows the agent down", async () => {
      const { usage, milliseconds } = await rig.run(kind, `perl -e 'my $i = 0; $i++ while $i < 2e7'`, {
        limits: { cpus: required(0.2) },
      });
      expect(usage.cpuSeconds).toBeGreaterThan(0.1);
      expect(milliseconds).toBeGreaterThan(usage.cpuSeconds * 1000 * 3);
    });

    it("a disk limit that is only wished for is polled, and ends the agent", async () => {
      const { exit, policy } = await rig.run(kind, "head -c 60000000 /dev/zero > big; sleep 60", {
        limits: { diskBytes: wished(20 * MEGABYTE) },
      });
      expect(exit).toEqual({ kind: "disk-full" });
      expect(policy.limits.diskBytes.enforcement).toBe("polled");
    });

    it.skipIf(!isolated || limits.diskBytes !== "enforced")(
      "an explicit disk limit is a full disk, in /tmp too, and what was written before stays",
      async () => {
        const out = fs.mkdtempSync(path.join(rig.folder, "disk-"));
        fs.writeFileSync(path.join(out, "earlier"), "kept");
        const { exit, policy, stderr } = await rig.run(
          kind,
          "cat earlier > later && rm earlier && head -c 60000000 /dev/zero > /tmp/big",
          {
            limits: { diskBytes: required(20 * MEGABYTE) },
            mounts: [{ host: out, inside: "/home/work", mode: "read-write" }],
          },
        );
        expect(stderr).toContain("No space left on device");
        expect(exit).toEqual({ kind: "disk-full" });
        expect(policy.limits.diskBytes.enforcement).toBe("enforced");
        expect(fs.readdirSync(out)).toEqual(["later"]);
        expect(fs.readFileSync(path.join(out, "later"), "utf8")).toBe("kept");
      },
    );

    it("output beyond the limit is dropped and said so, and binary output is kept as it is", async () => {
      const noisy = await rig.run(
        kind,
        "head -c 30000000 /dev/zero | tr '\\0' 'x'; echo to stderr > /dev/stderr",
        {
          outputBytes: 1000,
        },
      );
      expect(noisy.stdout).toBe(
        `${"x".repeat(1000)}\n[mlebench] output limit reached, 29999000 more bytes were dropped\n`,
      );
      expect(noisy.stderr).toBe("to stderr\n");
      const binary = await rig.run(kind, "printf '\\377\\000\\376'");
      expect(Buffer.from(binary.stdout, "latin1")).toEqual(Buffer.from([255, 0, 254]));
    });

    it("what the agent leaves in the background ends with it", async () => {
      const { exit } = await rig.run(
        kind,
        `setsid sh -c 'trap "" TERM HUP; sleep 300' >/dev/null 2>&1 & (setsid sleep 301 &) ; sleep 0.2; exit 0`,
      );
      expect(exit).toEqual({ kind: "exited", code: 0 });
    });

    it("a signal reaches the whole tree, and who ignores it is killed", async () => {
      const asked = rig.request(
        `(trap 'echo child; exit' TERM; while :; do sleep 0.05; done) & trap '' TERM; echo ready; wait; while :; do sleep 0.05; done`,
      );
      const { running } = await startOf(kind, asked);
      await until(() => fs.readFileSync(asked.stdout, "utf8").includes("ready"), "the agent");
      await new Promise((resolve) => setTimeout(resolve, 200));
      running.signal("SIGTERM");
      await until(() => fs.readFileSync(asked.stdout, "utf8").includes("child"), "the child's answer");
      await running.kill();
      await running.kill();
      expect(await running.wait()).toEqual({ kind: "signalled", signal: "SIGKILL" });
    });

    it("an identity can be used again only once it is free", async () => {
      const asked = rig.request("sleep 60");
      const { running } = await startOf(kind, asked);
      expect(await sandboxes[kind].start(asked)).toMatchObject({ status: "refused", code: "BAD_REQUEST" });
      await running.kill();
      const again = await startOf(kind, { ...asked, command: ["true"] });
      expect(await again.running.wait()).toEqual({ kind: "exited", code: 0 });
    });
  });
}
