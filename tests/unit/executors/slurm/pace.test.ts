import { expect, test } from "vitest";
import { startPace } from "../../../../src/executors/slurm/pace.ts";

function pacing() {
  let now = 0;
  const pace = startPace({ now: () => now, sleep: async () => {} });
  return {
    pace,
    pass: (seconds: number) => {
      now += seconds * 1000;
    },
  };
}
const CALM = { doubtful: 0, running: 8, queued: 50, unsure: false };
const HOUR = 3_600_000;

test("while trials run and end, the controller is asked once for two hundred and fifty of them", () => {
  const { pace, pass } = pacing();
  let asked = 0;
  for (let i = 1; i <= 1000; i++) {
    pass(10);
    pace.begun();
    pace.finished(HOUR);
    if (!pace.mayAsk(CALM)) continue;
    asked++;
    pace.asked(true);
  }
  expect(asked).toBe(4);
});

test("also when every tenth attempt is cut off, questions and what is submitted again stay below one for a hundred", () => {
  const { pace, pass } = pacing();
  let calls = 0;
  let doubtful = 0;
  for (let i = 1; i <= 10_000; i++) {
    pass(18);
    pace.begun();
    if (i % 10 === 0) doubtful++;
    else pace.finished(HOUR);
    if (!pace.mayAsk({ doubtful, running: 200, queued: 1000, unsure: false })) continue;
    pace.asked(true);
    calls += doubtful > 0 ? 2 : 1;
    doubtful = 0;
  }
  expect(calls).toBeLessThanOrEqual(100);
  expect(calls).toBeGreaterThan(50);
});

test("a doubt is settled at once when nothing else waits, and with others when the nodes have work", () => {
  const { pace, pass } = pacing();
  const doubt = { ...CALM, doubtful: 1 };
  expect(pace.mayAsk({ ...doubt, queued: 0 })).toBe(false);
  pass(4);
  expect(pace.mayAsk({ ...doubt, queued: 0 })).toBe(true);
  expect(pace.mayAsk(doubt)).toBe(false);
  pass(90 * 60);
  expect(pace.mayAsk(doubt)).toBe(true);
});

test("when trials take hours, a doubt at the end waits a few minutes for others", () => {
  const { pace, pass } = pacing();
  pace.finished(10 * HOUR);
  const doubt = { ...CALM, doubtful: 1, queued: 0 };
  pace.mayAsk(doubt);
  pass(200);
  expect(pace.mayAsk(doubt)).toBe(false);
  pass(101);
  expect(pace.mayAsk(doubt)).toBe(true);
});

test("when trials end and none begins although many wait, the queue is looked at", () => {
  const { pace, pass } = pacing();
  pace.finished(HOUR);
  pass(121);
  expect(pace.mayAsk(CALM)).toBe(false);
  pace.finished(HOUR);
  expect(pace.mayAsk(CALM)).toBe(true);
  pace.begun();
  expect(pace.mayAsk(CALM)).toBe(false);
});

test("a queue in which nothing begins is asked more and more rarely", () => {
  const { pace, pass } = pacing();
  const waiting = { doubtful: 0, running: 0, queued: 5, unsure: false };
  let asked = 0;
  for (let second = 0; second < 3600; second++) {
    pass(1);
    if (!pace.mayAsk(waiting)) continue;
    asked++;
    pace.asked(true);
  }
  expect(asked).toBeGreaterThan(5);
  expect(asked).toBeLessThan(20);
});

test("what Slurm does not take is offered again after longer and longer pauses", () => {
  const { pace, pass } = pacing();
  expect(pace.submitLater(false)).toBe(true);
  expect(pace.submitLater(false)).toBe(false);
  expect(pace.maySubmit()).toBe(false);
  pass(5);
  expect(pace.maySubmit()).toBe(true);
});
