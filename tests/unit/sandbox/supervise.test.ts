import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { supervise, type Tree } from "../../../src/sandbox/supervise.ts";

/** A tree about which every question takes a while, as about thousands of processes. */
function slowTree(milliseconds: number): { tree: Tree; asked: () => number } {
  let asked = 0;
  const child = spawn("sleep", ["2"], { stdio: "ignore" });
  const none = { value: null, enforcement: "not enforced", by: "nobody" } as const;
  const tree: Tree = {
    child,
    cgroup: null,
    members: () => [],
    rows() {
      const before = performance.now();
      while (performance.now() - before < milliseconds);
      asked += performance.now() - before;
      return [];
    },
    signal: () => {},
    freeze: async () => {},
    freezeAt: () => ({ givenAt: () => null, cancel: () => {} }),
    thaw: async () => {},
    killAll: async () => {},
    cleanUp: async () => {},
    outputs: [],
    limits: { memoryBytes: none, cpus: none, processes: none, diskBytes: none },
    writableFolders: [],
  };
  return { tree, asked: () => asked };
}

test("a tree that takes long to look at is looked at less often, so that others are not kept waiting", async () => {
  const { tree, asked } = slowTree(60);
  const before = performance.now();
  const running = supervise(tree);
  const reader = setInterval(() => running.usage(), 20);
  expect(await running.wait()).toEqual({ kind: "exited", code: 0 });
  clearInterval(reader);
  expect(asked() / (performance.now() - before)).toBeLessThan(0.3);
});
