import fs from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { mlebench } from "../cli.ts";
import { filesBelow } from "../models/files-below.ts";
import { COMPETITION } from "../trials/setting.ts";
import { type AskingGroup, askingGroup } from "./asking-group.ts";

let group: AskingGroup;
beforeAll(async () => {
  group = await askingGroup();
});

function written(format: string): string {
  const folder = path.join(group.root, format);
  const result = mlebench(["report", group.folder, "--format", format, "-o", folder]);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  return folder;
}

test("jsonl has a line for each trial, with its timeline and what it ran in", () => {
  const { stdout } = mlebench(["report", group.folder, "--format", "jsonl"]);
  const [head, ...lines] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(head).toMatchObject({ schema: "mlebench/trials", version: 1 });
  expect(lines.map(({ trial }) => trial).sort()).toEqual(group.trials.toSorted());
  for (const line of lines) {
    expect(line).toMatchObject({ competition: COMPETITION, sandbox: "process", language_model: false });
    expect(line.timeline.length).toBeGreaterThan(0);
    expect(line.score).toBe(line.timeline.at(-1)[1]);
  }
});

test("MLflow's file store: an experiment, a run for each trial, metrics as lines of time, value and step", () => {
  const folder = written("mlflow");
  const [experiment] = fs.readdirSync(folder);
  expect(experiment).toMatch(/^\d{18}$/);
  expect(parse(fs.readFileSync(path.join(folder, experiment, "meta.yaml"), "utf8"))).toMatchObject({
    experiment_id: experiment,
    lifecycle_stage: "active",
    name: "mlebench asker",
  });
  const runs = fs.readdirSync(path.join(folder, experiment)).filter((name) => name !== "meta.yaml");
  expect(runs).toHaveLength(2);
  for (const run of runs) {
    const place = path.join(folder, experiment, run);
    const meta = parse(fs.readFileSync(path.join(place, "meta.yaml"), "utf8"));
    expect(meta).toMatchObject({ run_id: run, run_uuid: run, experiment_id: experiment, status: 3 });
    expect(meta.end_time).toBeGreaterThan(meta.start_time);
    for (const name of fs.readdirSync(path.join(place, "metrics")))
      for (const line of fs
        .readFileSync(path.join(place, "metrics", name), "utf8")
        .trim()
        .split("\n"))
        expect(line).toMatch(/^\d+ -?[\d.]+(e[+-]?\d+)? \d+$/);
    expect(fs.readFileSync(path.join(place, "params", "competition"), "utf8")).toBe(COMPETITION);
    expect(fs.readFileSync(path.join(place, "params", "language_model"), "utf8")).toBe("false");
  }
});

/** LevelDB's log and protocol buffers as their own pages describe them: a reader of its own, for what we wrote. */
function wandbRecords(file: Buffer): Map<number, Buffer[]>[] {
  expect(file.subarray(0, 7)).toEqual(Buffer.from([0x3a, 0x57, 0x26, 0x42, 0xe1, 0xbe, 0]));
  const records: Buffer[] = [];
  let parts: Buffer[] = [];
  for (let at = 7; at < file.length; ) {
    const left = 32_768 - (at % 32_768);
    if (left < 7) {
      at += left;
      continue;
    }
    const length = file.readUInt16LE(at + 4);
    const type = file.readUInt8(at + 6);
    const body = file.subarray(at + 7, at + 7 + length);
    expect(file.readUInt32LE(at)).toBe(crc32(Buffer.concat([Buffer.from([type]), body])));
    parts.push(body);
    if (type === 1 || type === 4) {
      records.push(Buffer.concat(parts));
      parts = [];
    }
    at += 7 + length;
  }
  return records.map(fieldsOf);
}

function fieldsOf(message: Buffer): Map<number, Buffer[]> {
  const fields = new Map<number, Buffer[]>();
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const size = varint();
    const body = tag % 8 === 2 ? message.subarray(at, at + size) : Buffer.from(String(size));
    if (tag % 8 === 2) at += size;
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), body]);
  }
  return fields;
}

test("W&B's offline runs: framed records that say the run, its history, its summary and its end", () => {
  const folder = written("wandb-offline");
  const files = filesBelow(folder).filter((file) => file.endsWith(".wandb"));
  expect(files).toHaveLength(2);
  for (const file of files) {
    expect(path.relative(folder, file)).toMatch(/^offline-run-\d{8}_\d{6}-(\w{8})\/run-\1\.wandb$/);
    const records = wandbRecords(fs.readFileSync(file));
    const run = fieldsOf(records[0].get(17)![0]);
    expect(run.get(3)!.toString()).toBe("mlebench");
    expect(run.get(8)!.toString()).toContain(COMPETITION);
    const history = records.filter((record) => record.has(2));
    expect(history.length).toBeGreaterThan(0);
    const summary = fieldsOf(records.find((record) => record.has(3))!.get(3)![0]);
    const items = summary.get(1)!.map((one) => fieldsOf(one));
    const value = (key: string) =>
      items
        .find((one) => one.get(1)!.toString() === key)!
        .get(16)!
        .toString();
    expect(value("valid_submission")).toBe("1");
    expect(Number(value("score"))).toBeGreaterThan(0);
    expect(records.at(-1)!.has(18)).toBe(true);
  }
});
