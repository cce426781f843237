import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readEvents } from "../../../src/trials/trial/events.ts";
import { KINDS } from "./kinds.ts";
import { runScript } from "./setting.ts";

const GOOD = fs.readFileSync("tests/agents/trial-probe/start.sh", "utf8");

describe.each(KINDS)("in a %s sandbox", (sandbox) => {
  test("an agent that submits and ends leaves a finished, sealed trial with its outputs", async () => {
    const { trial, trialFolder, folder } = await runScript(GOOD, { sandbox });
    expect(trial).toMatchObject({
      status: "finished",
      attempt: 1,
      outcome: { stopReason: "exited", blame: null, exitCode: 0 },
      validationCalls: 1,
    });
    expect(fs.readdirSync(trialFolder).sort()).toEqual([
      "certificate.json",
      "code",
      "events.jsonl",
      "logs",
      "run.log",
      "stderr.log",
      "stdout.log",
      "submission",
      "submissions",
      "trial.json",
      "usage.jsonl",
    ]);
    const read = (name: string) => fs.readFileSync(path.join(trialFolder, name), "utf8");
    expect(JSON.parse(read("logs/validation.json"))).toEqual({
      result: "Submission is valid.",
      is_valid: true,
    });
    expect(read("submission/submission.csv")).toBe(read(`submissions/${trial.final?.sha256}.csv`));
    expect(read("run.log")).toContain("[Container] seed 0 on spooky-author-identification");
    expect(readEvents(path.join(trialFolder, "events.jsonl")).problem).toBeNull();
    expect(JSON.parse(fs.readFileSync(path.join(folder, "metadata.json"), "utf8"))).toMatchObject({
      runs: { [trial.id]: { success: true, stop_reason: "exited", seed: 0 } },
      unfinished: [],
    });
  });
});
