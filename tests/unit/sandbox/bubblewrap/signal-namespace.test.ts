import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import {
  pidNamespace,
  placeOf,
  signalNamespace,
} from "../../../../src/sandbox/bubblewrap/signal-namespace.ts";

// A number that was given to somebody else's process once led to a signal to the whole machine. The bystander here is in
// our own namespace: were it signalled by its namespace, this very test would stop with it.
const bystanders: ChildProcess[] = [];
afterAll(() => {
  for (const one of bystanders) one.kill("SIGKILL");
});

function bystander(): number {
  const child = spawn("sleep", ["60"]);
  bystanders.push(child);
  return child.pid!;
}

const stateOf = (pid: number) => /\) (\w)/.exec(fs.readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];

describe.runIf(process.platform === "linux")(
  "a pid namespace is signalled only if it is the one that was meant",
  () => {
    test("a process of our own namespace is left alone, whatever namespace was meant", async () => {
      const pid = bystander();
      // CONT does no harm should this ever fail.
      for (const meant of [pidNamespace(pid), 1, null]) await signalNamespace(placeOf(pid), meant, "CONT");
      expect(stateOf(pid)).toBe("S");
      process.kill(pid, "SIGSTOP");
      await expect.poll(() => stateOf(pid)).toBe("T");
      for (const meant of [pidNamespace(pid), 1, null]) await signalNamespace(placeOf(pid), meant, "CONT");
      // Whoever was signalled would go on.
      expect(stateOf(pid)).toBe("T");
    });

    test("a namespace that ended while it was entered stops nobody outside", async ({ skip }) => {
      const outer = spawn("unshare", ["--pid", "--fork", "sleep", "60"], { stdio: "ignore" });
      bystanders.push(outer);
      outer.on("error", () => {});
      const children = `/proc/${outer.pid}/task/${outer.pid}/children`;
      const innerOf = () => Number(fs.readFileSync(children, "utf8").trim());
      const made = await expect
        .poll(innerOf)
        .toBeGreaterThan(0)
        .then(
          () => true,
          () => false,
        );
      const inner = made ? innerOf() : 0;
      const meant = pidNamespace(inner);
      if (meant === null || meant === pidNamespace(process.pid))
        return skip("no namespaces can be made here");
      const held = fs.openSync(placeOf(inner), "r");
      process.kill(inner, "SIGKILL");
      await expect.poll(() => pidNamespace(inner)).toBeNull();
      const pid = bystander();
      process.kill(pid, "SIGSTOP");
      await expect.poll(() => stateOf(pid)).toBe("T");
      await signalNamespace(`/proc/${process.pid}/fd/${held}`, meant, "CONT");
      expect(stateOf(pid)).toBe("T");
      fs.closeSync(held);
    });

    test("a process that is gone has none", () => {
      expect(pidNamespace(2 ** 22 + 1)).toBeNull();
      expect(pidNamespace(process.pid)).toBeGreaterThan(0);
    });
  },
);
