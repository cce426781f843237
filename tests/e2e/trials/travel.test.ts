import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readEvents } from "../../../src/trials/trial/events.ts";
import { mlebench } from "../cli.ts";
import { canGoElsewhere, elsewhere, giveToStranger, STRANGER } from "./elsewhere.ts";
import { plan, scene } from "./setting.ts";

const MAIN = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));

/** The trial's folder and id. */
function trialOf(group: string): { id: string; folder: string } {
  const [{ id }] = JSON.parse(fs.readFileSync(path.join(group, "group.json"), "utf8")).trials;
  return { id, folder: path.join(group, id) };
}

/** What differs from one run to the next. */
const TIMES = ["startedAt", "deadline", "endedAt", "time", "elapsedSeconds", "measurements"];
const IDENTITIES = ["identity", "runtimeFolder", "hash", "previous", "head", "plan", "start", "wholeBytes"];
/** Who one is, and what one may enforce: found out where the trial runs, and said in its record. */
const OF_THE_USER = ["user", "by", "enforcement"];
const VARIES = new Set([...TIMES, ...IDENTITIES, ...OF_THE_USER]);

function plain(value: unknown, group: string): unknown {
  if (typeof value === "string") {
    const { id } = trialOf(group);
    return value.replaceAll(path.basename(group), "GROUP").replaceAll(group, "GROUP").replaceAll(id, "TRIAL");
  }
  if (Array.isArray(value)) return value.map((one) => plain(one, group));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, VARIES.has(key) ? "varies" : plain(one, group)]),
  );
}

function readJson(file: string): Record<string, unknown> {
  return JSON.parse(fs.readFileSync(file, "utf8"));
}

function record(group: string) {
  const { folder } = trialOf(group);
  const certificate = readJson(path.join(folder, "certificate.json")) as {
    record: { content: { files: { path: string }[] } };
  };
  const { files, ...content } = certificate.record.content;
  return plain(
    {
      trial: readJson(path.join(folder, "trial.json")),
      events: readEvents(path.join(folder, "events.jsonl")),
      certificate: { ...content, files: files.map((file) => file.path) },
      files: (fs.readdirSync(folder, { recursive: true }) as string[]).sort(),
      submission: fs.readFileSync(path.join(folder, "submission/submission.csv"), "utf8"),
    },
    group,
  );
}

test.skipIf(!canGoElsewhere())(
  "a trial run by another user, who sees nothing but the group's and the data's folders, leaves the record that run leaves",
  { timeout: 120_000 },
  async () => {
    const setting = scene("true");
    const settings = { agentId: "sample", agentFolders: [], sandbox: "process" as const };
    const [here, there] = [await plan(setting, settings), await plan(setting, settings)];
    expect(mlebench(["resume", here]).code).toBe(0);

    giveToStranger(there);
    const { id, folder } = trialOf(there);
    const seen = elsewhere(
      [there, setting.dataDir],
      [
        process.execPath,
        "-e",
        `
      const fs = require("fs");
      console.log(process.getuid(), fs.existsSync(${JSON.stringify(here)}), fs.existsSync("/etc/passwd"));
    `,
      ],
    );
    expect(seen.stdout.trim()).toBe(`${STRANGER} false false`);
    const ran = elsewhere(
      [there, setting.dataDir],
      [
        ...[process.execPath, MAIN, "trial", there, id],
        // A group that one has not planned oneself names nothing here.
        ...["--data-dir", setting.dataDir, "--sandbox", "process"],
      ],
    );
    expect([ran.status, ran.stderr]).toEqual([0, expect.not.stringContaining("error")]);

    expect(readJson(path.join(folder, "trial.json"))).toMatchObject({ status: "finished", attempt: 1 });
    expect(record(there)).toEqual(record(here));
    for (const group of [here, there]) {
      const verified = mlebench(["verify", group]);
      expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining("consistent")]);
    }
    expect(mlebench(["grade", there]).code).toBe(0);
  },
);
