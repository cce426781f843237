import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readUsage, recordUsage } from "../../../src/trials/state/usage-history.ts";
import { temporaryFolder } from "../../e2e/temporary-folder.ts";

const fileIn = () => path.join(temporaryFolder(), "usage.jsonl");

test("a day of samples every half second stays small, even and whole", () => {
  const file = fileIn();
  const recorder = recordUsage(file);
  const day = 24 * 3600;
  for (let half = 0; half <= 2 * day; half++)
    recorder.note({ seconds: half / 2, memoryBytes: half * 1000, cpuSeconds: half });
  recorder.end({ seconds: day + 0.3, memoryBytes: null, cpuSeconds: 2 * day });
  expect(fs.statSync(file).size).toBeLessThan(25_000);
  const samples = readUsage(file);
  expect(samples.length).toBeGreaterThan(300);
  expect(samples.at(-1)).toEqual({ seconds: day + 0.3, memoryBytes: null, cpuSeconds: 2 * day });
  const steps = samples.slice(1, -1).map(({ seconds }, i) => seconds - samples[i].seconds);
  expect(Math.max(...steps)).toBeLessThanOrEqual(2 * Math.min(...steps) + 1);
  expect(JSON.parse(fs.readFileSync(file, "utf8").split("\n")[0])).toMatchObject({
    schema: "mlebench/usage",
    version: 1,
  });
});

test("a trial that ended at once has one sample, and one that wrote none has no history", () => {
  const file = fileIn();
  recordUsage(file).end({ seconds: 0.2, memoryBytes: null, cpuSeconds: 0.1 });
  expect(readUsage(file)).toHaveLength(1);
  expect(readUsage(fileIn())).toEqual([]);
});

test("half a line, a line that is none and a later version take nobody along", () => {
  const file = fileIn();
  const recorder = recordUsage(file);
  recorder.note({ seconds: 1, memoryBytes: 5, cpuSeconds: 1 });
  fs.appendFileSync(file, 'not json\n["a",1,2]\n[2,6,2,"more"]\n[3,7');
  expect(readUsage(file).map(({ seconds }) => seconds)).toEqual([1, 2]);
  fs.writeFileSync(file, '{"schema":"mlebench/usage","version":2}\n[1,1,1]\n');
  expect(readUsage(file)).toEqual([]);
});

test("a folder that cannot be written to ends nothing", () => {
  const recorder = recordUsage("/nonexistent/usage.jsonl");
  recorder.note({ seconds: 1, memoryBytes: 5, cpuSeconds: 1 });
  recorder.end({ seconds: 2, memoryBytes: 5, cpuSeconds: 1 });
});
