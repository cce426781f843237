// full: searches with three workers, one of them killed again and again
import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { treeSetting } from "./agent-setting.ts";
import { lasting } from "./starter-setting.ts";

const ARGS = [
  ...["preset=tree/mlevolve", "agent.steps=11", "agent.language=js", "exec.timeout=20"],
  ...["agent.review=fallback", "search.policy=mixed", "search.workers=3", "parts.memory=scoped"],
  ...["parts.complexity=true", "parts.lessons=true"],
];

test("three workers work side by side, never more of them, within the steps; a killed search ends the same", async () => {
  const calm = await treeSetting("simulated:clumsy");
  const { code, output } = await calm.run(ARGS);
  expect([code, output]).toEqual([0, expect.stringContaining("ended: steps")]);
  const { steps, doubts } = await calm.journal();
  expect(doubts).toEqual([]);
  const search = steps.filter(({ phase }) => phase === "search");
  expect(search.map(({ step }) => step)).toEqual(Array.from({ length: 11 }, (_, step) => step));
  const spans = search.map(({ startedAt, endedAt }) => [Date.parse(startedAt), Date.parse(endedAt)]);
  const busy = spans.map(([start]) => spans.filter(([from, to]) => from <= start && start < to).length);
  expect(Math.max(...busy)).toBeGreaterThan(1);
  expect(Math.max(...busy)).toBeLessThanOrEqual(3);
  // What is done side by side differs: no two repair the same step.
  for (let first = 0; first < search.length; first += 3) {
    const parents = search
      .slice(first, first + 3)
      .flatMap(({ operator, parent }) => (operator === "debug" ? (parent ?? []) : []));
    expect(new Set(parents).size).toBe(parents.length);
  }
  const shaken = await treeSetting("simulated:clumsy", calm.data);
  for (let kill = 0; kill < 4; kill++) {
    const child = shaken.start(ARGS);
    const ended = new Promise((resolve) => child.on("close", resolve));
    await Promise.race([ended, wait(900 + 350 * kill)]);
    child.kill("SIGKILL");
    await ended;
  }
  // A kill between two lines of those that were done side by side.
  expect((await shaken.run(ARGS)).code).toBe(0);
  const journal = path.join(shaken.folder, "logs/journal.jsonl");
  const lines = fs.readFileSync(journal, "utf8").split("\n");
  fs.writeFileSync(journal, `${lines.slice(0, 1 + 7).join("\n")}\n`);
  expect((await shaken.run(ARGS)).code).toBe(0);
  expect(lasting((await shaken.journal()).steps)).toEqual(lasting(steps));
  expect(shaken.text("submission/submission.csv")).toBe(calm.text("submission/submission.csv"));
  await calm.end();
  await shaken.end();
}, 280_000);
