import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { keepLockAlive, lockOwner, takeLock, waitForLock } from "../../../src/files/lock-file.ts";
import { thisMachineId } from "../../../src/files/process-identity.ts";
import { temporaryFolder } from "../../e2e/temporary-folder.ts";

/** A process id that nobody has any more. */
function deadPid(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

function plant(change: Record<string, unknown>): string {
  const file = path.join(temporaryFolder(), "group.lock");
  const lock = {
    schema: "mlebench/group-lock",
    version: 1,
    host: "far-away",
    pid: 1,
    started: null,
    machine: "another machine",
    token: "theirs",
    beat: "0000000001",
    ...change,
  };
  fs.writeFileSync(file, `${JSON.stringify(lock)}\n`);
  return file;
}

const SILENCE = { beats: true, silenceMs: 400 };

test("the lock of a process that is gone from this machine is taken over at once", () => {
  const file = plant({ host: os.hostname(), machine: thisMachineId(), pid: deadPid() });
  expect(lockOwner(file)).toBeNull();
  expect(takeLock(file, "group-lock").status).toBe("locked");
});

test("a lock of another machine is taken over only when its counter stands still", async () => {
  const file = plant({});
  expect(takeLock(file, "group-lock")).toEqual({ status: "busy", owner: "process 1 on far-away" });
  const told: string[] = [];
  const lock = await waitForLock(file, "group-lock", { ...SILENCE, onWatch: (owner) => told.push(owner) });
  expect(lock.status).toBe("locked");
  expect(told).toEqual(["process 1 on far-away"]);
  expect(lockOwner(file)).toMatchObject({ text: `process ${process.pid}`, elsewhere: false });
});

test("a counter that moves means busy, whatever anybody's clock says", async () => {
  const file = plant({});
  fs.utimesSync(file, 0, 0);
  const text = fs.readFileSync(file, "utf8");
  setTimeout(() => fs.writeFileSync(file, text.replace("0000000001", "0000000002")), 100);
  const lock = await waitForLock(file, "group-lock", { beats: true, silenceMs: 60_000 });
  expect(lock).toEqual({ status: "busy", owner: "process 1 on far-away" });
});

test("a process of another machine with this one's name is not looked up here", async () => {
  const file = plant({ host: os.hostname(), pid: deadPid() });
  expect(takeLock(file, "group-lock").status).toBe("busy");
  expect(lockOwner(file)).toMatchObject({ elsewhere: true });
});

test("a lock without a counter is never broken from another machine", async () => {
  const file = plant({ beat: undefined });
  expect((await waitForLock(file, "group-lock", SILENCE)).status).toBe("busy");
});

test("whoever watches a lock stops when told to, and leaves it", async () => {
  const file = plant({});
  const signal = AbortSignal.timeout(100);
  expect((await waitForLock(file, "group-lock", { beats: true, signal })).status).toBe("busy");
  expect(lockOwner(file)?.text).toBe("process 1 on far-away");
});

test("a holder moves its counter, and learns when somebody has taken the lock over", async () => {
  const file = path.join(temporaryFolder(), "group.lock");
  const lock = takeLock(file, "group-lock", { beats: true });
  if (lock.status !== "locked") throw new Error(lock.owner);
  const first = lockOwner(file)!.mark;
  await expect.poll(() => lockOwner(file)!.mark, { timeout: 20_000 }).not.toBe(first);
  expect(lock.isMine()).toBe(true);
  fs.copyFileSync(plant({}), file);
  expect(lock.isMine()).toBe(false);
  await expect.poll(() => lock.lost.aborted, { timeout: 20_000 }).toBe(true);
  lock.release();
  expect(lockOwner(file)?.text).toBe("process 1 on far-away");
});

test("a thread that computes for minutes leaves its counter to another one", async () => {
  const file = path.join(temporaryFolder(), "prepare.lock");
  const end = keepLockAlive(file);
  const lock = takeLock(file, "prepare-lock", { beats: "by another thread" });
  if (lock.status !== "locked") throw new Error(lock.owner);
  const first = lockOwner(file)!.mark;
  await expect.poll(() => lockOwner(file)!.mark, { timeout: 20_000 }).not.toBe(first);
  expect(lock.isMine()).toBe(true);
  end();
  lock.release();
  expect(lockOwner(file)).toBeNull();
});

test("of many who find the same dead lock, one gets it", async () => {
  for (let round = 0; round < 5; round++) {
    const file = plant({});
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => waitForLock(file, "group-lock", SILENCE)),
    );
    const winners = outcomes.filter(({ status }) => status === "locked");
    expect(winners).toHaveLength(1);
    await wait(1);
  }
});

test("what is not a lock counts for nothing", () => {
  const file = path.join(temporaryFolder(), "group.lock");
  fs.writeFileSync(file, "half a li");
  expect(lockOwner(file)).toBeNull();
  expect(takeLock(file, "group-lock").status).toBe("locked");
});
