import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readContract } from "../../../../../src/agents/kit/contract.ts";
import type { AskModel } from "../../../../../src/agents/kit/model-client.ts";
import { endOf, type SearchOptions } from "../../../../../src/agents/tree/engine/loop.ts";
import { isBetter, treeOf } from "../../../../../src/agents/tree/engine/tree.ts";
import { searchTree } from "../../../../../src/agents/tree/run.ts";
import { temporaryFolder } from "../../../../e2e/temporary-folder.ts";
import { smallCompetition } from "../../../../e2e/tree/agent-setting.ts";
import { nodesOf, type Sketch, settingsWith } from "../nodes.ts";

/** Too few rows for any to be hidden: a program is worth what it prints. */
const DATA = smallCompetition(60);
const PROSE = "Lorem ipsum, no program.";

/** A program that reports this value; null: one that fails. */
const program = (value: number | null) =>
  value === null
    ? "Plan.\n```js\nprocess.exit(3);\n```"
    : `Plan.
\`\`\`js
const fs = require("node:fs");
const rows = fs.readFileSync("input/sample_submission.csv", "utf8").trim().split("\\n");
fs.writeFileSync("submission/submission.csv", rows.map((row, at) => (at === 0 ? row : row.split(",")[0] + ",${value}")).join("\\n"));
console.log("METRIC rmse = ${value} (lower is better)");
\`\`\``;

interface Course {
  steps: number;
  workers: number;
  asynchronous: boolean;
  /** Replies of the model in turn; prose has to be asked for three times. */
  replies: readonly (number | null | "prose")[];
  /** So many calls are paid for. */
  calls: number;
}

/** A whole search in this process, its model by this course. */
async function searched({ steps, workers, asynchronous, replies, calls }: Course) {
  const folder = temporaryFolder();
  const at = (name: string) => path.join(folder, name);
  for (const name of ["submission", "logs", "code", "agent"]) fs.mkdirSync(at(name));
  let [asked, refused] = [0, 0];
  const ask: AskModel = async () => {
    if (asked >= calls) {
      refused += 1;
      return { status: "refused", code: "budget_spent", message: "the budget is spent" };
    }
    const reply = replies[asked % replies.length];
    asked += 1;
    const text = reply === "prose" ? PROSE : program(reply);
    return { status: "answered", text, toolCalls: [], inputTokens: 1, outputTokens: 1, id: `call ${asked}` };
  };
  const done = await searchTree({
    contract: readContract({
      DATA_DIR: DATA,
      SUBMISSION_DIR: at("submission"),
      LOGS_DIR: at("logs"),
      CODE_DIR: at("code"),
      AGENT_DIR: at("agent"),
      MLEBENCH_VALIDATE_URL: "http://127.0.0.1:9/validate",
    }),
    settings: settingsWith({
      ...{ "agent.steps": steps, "agent.language": "js", "agent.review": "fallback" },
      ...{ "search.workers": workers, "search.asynchronous": asynchronous, "exec.timeout": 60 },
      ...{ "agent.search.num_drafts": 2, "agent.search.max_debug_depth": 2, "parts.packages": false },
    }),
    askCode: ask,
    askFeedback: async () => ({ status: "unreachable", message: "no reviewer" }),
    models: { code: "course" },
    baselineProgram: null,
    hardware: "",
    log: () => {},
  });
  return { ...done, asked, refused };
}

describe("budgets of a search", () => {
  it("of steps and calls are never exceeded, each step has one parent before it, the best is never lost", async () => {
    const reply = fc.oneof(fc.constantFrom(null, "prose" as const), fc.integer({ min: 1, max: 90 }));
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          steps: fc.integer({ min: 1, max: 6 }),
          workers: fc.integer({ min: 1, max: 3 }),
          asynchronous: fc.boolean(),
          replies: fc.array(reply, { minLength: 1, maxLength: 6 }),
          calls: fc.oneof(fc.constant(1000), fc.integer({ min: 0, max: 8 })),
        }),
        async (course) => {
          const { tree, end, asked, refused } = await searched(course);
          const { nodes } = tree;
          const ids = nodes.map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          for (const [at, { parent }] of nodes.entries())
            if (parent !== null) expect(ids.slice(0, at)).toContain(parent);
          expect(nodes.length).toBeLessThanOrEqual(course.steps);
          expect(nodes.reduce((sum, { modelCalls }) => sum + modelCalls.length, 0)).toBeLessThanOrEqual(
            asked,
          );
          expect(asked).toBeLessThanOrEqual(course.calls);
          // Who is at work already hears of it, too; nothing is begun afterwards.
          expect(refused).toBeLessThanOrEqual(course.workers);
          expect(end.why).toBe(refused > 0 ? "refused" : "steps");
          if (refused === 0) expect(nodes).toHaveLength(course.steps);
          const good = nodes.filter(({ buggy }) => !buggy);
          const best = good.findLast(({ isBest }) => isBest);
          for (const { metric } of good)
            expect(isBetter(metric!.value, best!.metric!.value, "minimize")).toBe(false);
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe("a model that is silent", () => {
  const minute = 60_000;
  const silent: Sketch[] = [1, 2, 3].map(
    () =>
      [
        null,
        null,
        { why: { kind: "model", message: "down" }, startedAt: new Date(0).toISOString() },
      ] as const,
  );
  const end = (sketches: readonly Sketch[], minutes: number) => {
    const tree = treeOf(nodesOf(sketches));
    const options = {
      place: { shop: { settings: settingsWith() } },
      journal: { tree: () => tree },
      clock: { isSearchOver: () => false },
    } as unknown as SearchOptions;
    return endOf(options, performance.timeOrigin + minutes * minute);
  };

  it("ends the search at once where it never answered, and after half an hour where it did", () => {
    const answered: Sketch = [null, 1, { modelCalls: ["call"] }];
    expect(end(silent.slice(1), 0)).toBe(null);
    expect(end(silent, 0)).toEqual({ why: "unreachable", message: "down" });
    expect(end([answered, ...silent], 29)).toBe(null);
    expect(end([answered, ...silent], 31)).toMatchObject({ why: "unreachable" });
    expect(end([answered, ...silent, answered], 31)).toBe(null);
  });
});
