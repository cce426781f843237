import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { openEvents } from "../../../src/trials/trial/events.ts";
import {
  type SubmissionWatch,
  WATCH_LIMITS,
  watchSubmissions,
} from "../../../src/trials/trial/submission-watch.ts";
import { temporaryFolder } from "../../e2e/temporary-folder.ts";

// Nobody is frozen here: whatever an agent that outran the freeze writes must be told by the watch alone.
const EARLY = "id,label\n1,early\n";
const LATE = "id,label\n1,late\n";
const SECONDS = 1;

interface Scene {
  watch: SubmissionWatch;
  deadline: number;
  file: string;
  /** Beside it, in the agent's own folder. */
  other: string;
  copies(): string[];
}

/** An agent's folder with an early version that was seen. */
async function scene(header?: (line: string) => string): Promise<Scene> {
  const root = temporaryFolder();
  const [folder, copies] = [path.join(root, "submission"), path.join(root, "copies")];
  fs.mkdirSync(folder);
  const file = path.join(folder, "submission.csv");
  const startedAt = performance.now();
  const deadline = startedAt + SECONDS * 1000;
  const events = openEvents(path.join(root, "events.jsonl"));
  const watch = watchSubmissions(folder, copies, events, {
    startedAt,
    deadline,
    limits: WATCH_LIMITS,
    header,
  });
  onTestFinished(async () => {
    await watch.stop();
    events.close();
  });
  fs.writeFileSync(file, EARLY);
  while (watch.versions.length === 0 && performance.now() < deadline) await wait(10);
  expect(watch.versions).toHaveLength(1);
  return {
    watch,
    deadline,
    file,
    other: path.join(folder, "other.csv"),
    copies: () => fs.readdirSync(copies),
  };
}

const until = (moment: number) => wait(Math.max(0, moment - performance.now()));
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The early version counts, and of the late one nothing is kept. */
async function expectEarly({ watch, deadline, copies }: Scene): Promise<void> {
  const final = await watch.standing(deadline);
  expect(final).toEqual({
    sha256: sha256(EARLY),
    why: "what stood there was written after the end; this one was the last seen before",
  });
  expect(watch.versions).toHaveLength(1);
  expect(copies()).toEqual([`${sha256(EARLY)}.csv`]);
}

const WAYS: Record<string, (scene: Scene) => void> = {
  "written late": ({ file }) => fs.writeFileSync(file, LATE),
  "written late and dated back": ({ file }) => {
    fs.writeFileSync(file, LATE);
    fs.utimesSync(file, 0, 0);
  },
  "written beside, dated back and moved in place late": ({ file, other }) => {
    fs.writeFileSync(other, LATE);
    fs.utimesSync(other, 0, 0);
    fs.renameSync(other, file);
  },
};

describe.concurrent("a submission that was", () => {
  for (const [name, write] of Object.entries(WAYS)) {
    test(`${name} does not count, though nobody stopped its writer`, async () => {
      const setting = await scene();
      await until(setting.deadline + 20);
      write(setting);
      await expectEarly(setting);
    });

    test(`${name} and seen before the end was settled does not count either`, async () => {
      const setting = await scene();
      await until(setting.deadline + 20);
      write(setting);
      await wait(1200);
      await expectEarly(setting);
    });
  }

  test("written in time, and swapped for another one that was written in time but put there late, is the one that counts", async () => {
    const setting = await scene();
    fs.writeFileSync(setting.other, LATE);
    await until(setting.deadline + 20);
    fs.renameSync(setting.other, setting.file);
    await expectEarly(setting);
  });

  test("changed while it is copied, after the end, does not count", async () => {
    let late: (() => void) | null = null;
    const setting = await scene((line) => {
      late?.();
      return line;
    });
    const middle = `id,label\n${"2,x\n".repeat(100_000)}`;
    fs.writeFileSync(setting.other, middle);
    fs.renameSync(setting.other, setting.file);
    await until(setting.deadline + 20);
    late = () => fs.appendFileSync(setting.file, "1,late\n");
    const final = await setting.watch.standing(setting.deadline);
    expect(final.why).toContain("written after the end");
    expect([sha256(EARLY), sha256(middle)]).toContain(final.sha256);
    expect(setting.copies()).not.toContain(`${sha256(`${middle}1,late\n`)}.csv`);
  });

  test("written after a trial was cancelled does not count, though its deadline has not come", async () => {
    const setting = await scene();
    const cancelledAt = performance.now();
    await wait(50);
    fs.writeFileSync(setting.file, LATE);
    await wait(setting.deadline - performance.now() > 500 ? 400 : 0);
    const { sha256: final } = await setting.watch.standing(cancelledAt);
    expect(final).toBe(sha256(EARLY));
  });

  test("seen in time and only touched afterwards counts", async () => {
    const setting = await scene();
    await until(setting.deadline + 20);
    fs.utimesSync(setting.file, 0, 0);
    expect(await setting.watch.standing(setting.deadline)).toEqual({
      sha256: sha256(EARLY),
      why: "it stood there at the end",
    });
  });

  test("written in time, even a moment before the end and unseen, counts", async () => {
    const setting = await scene();
    await until(setting.deadline - 30);
    fs.writeFileSync(setting.file, LATE);
    await until(setting.deadline + 200);
    expect(await setting.watch.standing(setting.deadline)).toEqual({
      sha256: sha256(LATE),
      why: "it stood there at the end",
    });
  });
});

test("what is written in the very moment of the end counts or does not, and what counts is there", async () => {
  for (let i = 0; i < 250; i++) {
    const root = temporaryFolder();
    const [folder, copies] = [path.join(root, "submission"), path.join(root, "copies")];
    fs.mkdirSync(folder);
    const startedAt = performance.now();
    const events = openEvents(path.join(root, "events.jsonl"));
    const deadline = startedAt + 10_000;
    const watch = watchSubmissions(folder, copies, events, { startedAt, deadline, limits: WATCH_LIMITS });
    fs.writeFileSync(path.join(folder, "submission.csv"), EARLY);
    const written = performance.now();
    await wait(6);
    const final = await watch.standing(written - i / 1000);
    await watch.stop();
    events.close();
    if (final.sha256 !== null) expect(fs.readdirSync(copies)).toContain(`${final.sha256}.csv`);
  }
});
