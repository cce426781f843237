// full: exports the same group in every format, again and again
import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { momentOf } from "../../../src/wording/moments.ts";
import { mlebench } from "../cli.ts";
import { filesBelow } from "../models/files-below.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type AskingGroup, askingGroup } from "./asking-group.ts";

let group: AskingGroup;
beforeAll(async () => {
  group = await askingGroup();
});

type Json = Record<string, unknown>;

/** The group with one trial's record and the first line of its ledger as somebody else might hand them over. */
function changed(change: (trial: Json, call: Json) => void): string {
  const copy = path.join(temporaryFolder(), "strange");
  fs.cpSync(group.folder, copy, { recursive: true });
  const place = path.join(copy, group.trials[0]);
  const record = path.join(place, "trial.json");
  const ledger = path.join(place, "model/ledger.jsonl");
  const trial = JSON.parse(fs.readFileSync(record, "utf8")) as Json;
  const [head, first, ...rest] = fs.readFileSync(ledger, "utf8").split("\n");
  const call = JSON.parse(first) as Json;
  change(trial, call);
  fs.writeFileSync(record, JSON.stringify(trial));
  fs.writeFileSync(ledger, [head, JSON.stringify(call), ...rest].join("\n"));
  return copy;
}

test.each<[string, (trial: Json, call: Json) => void]>([
  [
    "no times at all",
    (trial, call) => {
      Object.assign(trial, { startedAt: "once", endedAt: "upon a time" });
      call.time = "not long ago";
    },
  ],
  [
    "times of other ages",
    (trial, call) => {
      Object.assign(trial, {
        startedAt: "+275760-09-13T00:00:00.000Z",
        endedAt: "-000001-01-01T00:00:00.000Z",
      });
      Object.assign(call, { milliseconds: { waiting: 0, firstByte: null, total: 1e308 } });
    },
  ],
])("a record with %s is exported in every format, and what it says is left out", (_, change) => {
  const folder = changed(change);
  const out = path.join(path.dirname(folder), "out");
  for (const args of [
    ["export", "inspect", folder, path.join(out, "group.eval")],
    ["export", "atif", folder, path.join(out, "atif")],
    ...["mlflow", "wandb-offline"].map((format) => [
      ...["report", folder, "--no-verify", "--format", format],
      ...["-o", path.join(out, format)],
    ]),
    ["report", folder, "--no-verify", "--format", "jsonl", "-o", path.join(out, "trials.jsonl")],
    ["logs", path.join(folder, group.trials[0]), "--model"],
  ]) {
    const { code, stderr } = mlebench(args);
    expect([args.slice(0, 2), code, stderr]).toEqual([args.slice(0, 2), 0, ""]);
  }
  for (const file of filesBelow(path.join(out, "mlflow")).filter((name) => name.includes("/metrics/")))
    expect(fs.readFileSync(file, "utf8")).toMatch(/^(\d+ \S+ \d+\n)+$/);
  for (const file of filesBelow(path.join(out, "atif"))) {
    const { steps } = JSON.parse(fs.readFileSync(file, "utf8")) as { steps: { timestamp?: string }[] };
    for (const { timestamp } of steps)
      expect(timestamp === undefined || momentOf(timestamp) !== null, timestamp).toBe(true);
  }
});
