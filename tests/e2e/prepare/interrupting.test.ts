// full: kills prepare at many moments
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { startMlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { prepare, rawZip } from "./golden-raw.ts";
import { killAtRandomMoments, slowRaw } from "./kills.ts";

const LEAF = "leaf-classification";
const SPOOKY = "spooky-author-identification";

describe("interrupting", () => {
  it("by Ctrl-C leaves with 130 and nothing half-written, and the next run finishes", async () => {
    const { data, code, again } = await interruptOnce("prepared.partial");
    expect(code).toBe(130);
    expect(fs.readdirSync(data)).toEqual([]);
    expect(again()).toMatchObject([{ status: "ready" }]);
  });

  it("by Ctrl-C while the leak scanner reads ends it at once and keeps what is prepared", async () => {
    const { data, code, again } = await interruptOnce("prepared");
    expect(code).toBe(130);
    expect(fs.readdirSync(data).filter((name) => /partial|lock/.test(name))).toEqual([]);
    expect(again()).toMatchObject([{ status: "already-prepared" }]);
  });

  it("by SIGKILL at any moment leaves nothing that counts as prepared, and the next run finishes", async () => {
    await killAtRandomMoments({ kills: 5, seed: 1, folder: temporaryFolder() });
  }, 120_000);
});

/** Presses Ctrl-C as soon as a folder is there. `data` is the competition's own folder. */
async function interruptOnce(there: string) {
  const folder = temporaryFolder();
  const raw = slowRaw(folder);
  const options = ["-c", SPOOKY, "--raw", raw, "--data-dir", folder, "--skip-verification"];
  const data = path.join(folder, SPOOKY);
  const child = startMlebench(["prepare", ...options]);
  await untilThere(path.join(data, there), child);
  child.kill("SIGINT");
  const [code] = await once(child, "exit");
  return { data, code, again: () => prepare(options).outcomes };
}

describe("a lock", () => {
  const lockOf = (data: string) => `${data}/${LEAF}/prepare.lock`;
  const lock = (pid: number, started: string | null, host = os.hostname()) =>
    JSON.stringify({ schema: "mlebench/prepare-lock", version: 1, host, pid, started });
  const attempt = (data: string) =>
    prepare(["-c", LEAF, "--raw", rawZip(LEAF), "--data-dir", data, "--skip-verification"]).outcomes;

  it("of a process that lives keeps a second one out", () => {
    const data = temporaryFolder();
    const child = spawn("sleep", ["30"]);
    const stat = fs.readFileSync(`/proc/${child.pid}/stat`, "latin1");
    const started = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    writeText(data, `${LEAF}/prepare.lock`, lock(child.pid!, started));
    expect(attempt(data)).toMatchObject([{ status: "failed", code: "BEING_PREPARED", retryable: true }]);
    expect(fs.existsSync(lockOf(data))).toBe(true);
    child.kill();
  });

  it("of another machine is respected, with the file to delete if it is stale", () => {
    const data = temporaryFolder();
    writeText(data, `${LEAF}/prepare.lock`, lock(1, null, "some-other-host"));
    expect(attempt(data)).toMatchObject([
      { code: "BEING_PREPARED", nextStep: expect.stringContaining(lockOf(data)) },
    ]);
  });

  it.each([
    ["whose process is gone", lock(2 ** 22 - 1, "1")],
    ["whose process id was given out again", lock(process.pid, "1")],
    ["that is not a lock at all", "garbage"],
  ])("%s is taken over", (_, content) => {
    const data = temporaryFolder();
    writeText(data, `${LEAF}/prepare.lock`, content);
    expect(attempt(data)).toMatchObject([{ status: "ready" }]);
    expect(fs.existsSync(lockOf(data))).toBe(false);
  });
});

async function untilThere(place: string, child: ChildProcess): Promise<void> {
  while (!fs.existsSync(place)) {
    if (child.exitCode !== null) throw new Error(`ended before ${place} was there`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
