import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { readTrial } from "../../../src/trials/trial/folder.ts";
import { keepTrajectory } from "../../../src/workflows/exchange/atif/read.ts";
import { Trajectory } from "../../../src/workflows/exchange/atif/schema.ts";
import { trajectoryOf } from "../../../src/workflows/exchange/atif/write.ts";
import { recordedCalls } from "../../../src/workflows/exchange/calls.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type AskingGroup, askingGroup } from "./asking-group.ts";

let group: AskingGroup;
beforeAll(async () => {
  group = await askingGroup();
});

/** ATIF-v1.7 as the specification describes it: its own reader refuses every other key. */
const Extra = z.record(z.string(), z.unknown()).optional();
const Strict = z.strictObject({
  schema_version: z.literal("ATIF-v1.7"),
  session_id: z.string().optional(),
  agent: z.strictObject({
    name: z.string(),
    version: z.string(),
    model_name: z.string().optional(),
    extra: Extra,
  }),
  steps: z
    .array(
      z.strictObject({
        step_id: z.int(),
        timestamp: z.iso.datetime().optional(),
        source: z.enum(["system", "user", "agent"]),
        message: z.string(),
        model_name: z.string().optional(),
        reasoning_content: z.string().optional(),
        tool_calls: z
          .array(
            z.strictObject({
              tool_call_id: z.string(),
              function_name: z.string(),
              arguments: z.record(z.string(), z.unknown()),
            }),
          )
          .optional(),
        metrics: z
          .strictObject({
            prompt_tokens: z.int(),
            completion_tokens: z.int(),
            cached_tokens: z.int(),
            cost_usd: z.number().optional(),
          })
          .optional(),
        observation: z
          .strictObject({
            results: z.array(z.strictObject({ source_call_id: z.string(), content: z.string() })),
          })
          .optional(),
        llm_call_count: z.int().optional(),
        is_copied_context: z.boolean().optional(),
        extra: Extra,
      }),
    )
    .min(1),
  final_metrics: z
    .strictObject({
      total_prompt_tokens: z.int(),
      total_completion_tokens: z.int(),
      total_cached_tokens: z.int(),
      total_cost_usd: z.number().optional(),
      total_steps: z.int(),
    })
    .optional(),
  extra: Extra,
});

test("a trial's conversation becomes a trajectory that the format's own rules accept", () => {
  const into = path.join(group.root, "trajectories");
  const result = mlebench(["export", "atif", group.folder, into, "--json"]);
  expect(json(result)).toMatchObject({ status: "exported", left: [] });
  for (const id of group.trials) {
    const { steps, agent, final_metrics, extra } = Strict.parse(
      JSON.parse(fs.readFileSync(path.join(into, `${id}.trajectory.json`), "utf8")),
    );
    expect(agent).toMatchObject({ name: "asker", model_name: "echo" });
    expect(extra).toMatchObject({ language_model: false });
    expect(steps.map(({ step_id }) => step_id)).toEqual(steps.map((_, i) => i + 1));
    // Each round asks once and is answered once, although every request repeats all rounds before it.
    expect(steps.map(({ source }) => source)).toEqual(["user", "agent", "user", "agent", "user", "agent"]);
    const prompts = steps.reduce((sum, { metrics }) => sum + (metrics?.prompt_tokens ?? 0), 0);
    expect(final_metrics?.total_prompt_tokens).toBe(prompts);
  }
});

test("a trajectory with tools survives being taken over and written again", () => {
  const folder = path.join(group.root, "taken-over");
  const before = Trajectory.parse({
    schema_version: "ATIF-v1.7",
    agent: { name: "a", version: "1", model_name: "m" },
    steps: [
      { step_id: 1, source: "system", message: "Rules." },
      { step_id: 2, source: "user", message: [{ type: "text", text: "Begin." }] },
      {
        step_id: 3,
        timestamp: "2026-11-01T10:00:00.000Z",
        source: "agent",
        message: "",
        tool_calls: [
          { tool_call_id: "1", function_name: "bash", arguments: { command: "ls" } },
          { tool_call_id: "2", function_name: "bash", arguments: {} },
        ],
        observation: {
          results: [
            { source_call_id: "1", content: "a b" },
            { source_call_id: "2", content: "c" },
          ],
        },
        metrics: { prompt_tokens: 10, completion_tokens: 5, cached_tokens: 4 },
      },
      { step_id: 4, timestamp: "2026-11-01T10:01:00.000Z", source: "agent", message: "Done." },
    ],
  });
  expect(keepTrajectory(path.join(folder, "model"), before)).toMatchObject({ calls: 2, cost: null });
  expect([...recordedCalls(folder)]).toHaveLength(2);
  const trial = readTrial(path.join(group.folder, group.trials[0]))!;
  const { steps } = trajectoryOf(folder, trial);
  expect(steps.map(({ source, message }) => [source, message])).toEqual([
    ["system", "Rules."],
    ["user", "Begin."],
    ["agent", ""],
    ["agent", "Done."],
  ]);
  expect(steps[2]).toMatchObject({
    tool_calls: before.steps[2].tool_calls,
    observation: before.steps[2].observation,
    metrics: before.steps[2].metrics,
  });
});

test.each<[string, (text: string) => string, RegExp]>([
  [
    "at the end of a line",
    (text) => text.split("\n").slice(0, -2).join("\n").concat("\n"),
    /3 of 4 model calls/,
  ],
  [
    "in the middle of a line",
    (text) => text.slice(0, -20),
    /3 of 4 model calls are in it; 1 line cannot be read/,
  ],
  ["whole", () => "", /0 of 4 model calls/],
])("an export says that a ledger was cut off %s", (_, cut, said) => {
  const copy = path.join(temporaryFolder(), "asking");
  fs.cpSync(group.folder, copy, { recursive: true });
  const [damaged, whole] = group.trials;
  const ledger = path.join(copy, damaged, "model/ledger.jsonl");
  fs.writeFileSync(ledger, cut(fs.readFileSync(ledger, "utf8")));
  const into = path.join(path.dirname(copy), "trajectories");
  const atif = mlebench(["export", "atif", copy, into]);
  expect(atif.code).toBe(1);
  expect(atif.stderr).toContain(`LEDGER_DAMAGED  ${damaged}: its ledger is not whole`);
  expect(atif.stderr.replaceAll(/\s+/g, " ")).toMatch(said);
  expect(atif.stderr).not.toContain(whole);
  const trajectory = (id: string) =>
    Strict.parse(JSON.parse(fs.readFileSync(path.join(into, `${id}.trajectory.json`), "utf8")));
  expect(trajectory(damaged).extra?.incomplete).toMatch(said);
  expect(trajectory(whole).extra).not.toHaveProperty("incomplete");
  const inspect = mlebench(["export", "inspect", copy, path.join(into, "group.eval"), "--json"]);
  expect(inspect.code).toBe(1);
  expect(json(inspect)).toMatchObject({ incomplete: [{ trial: damaged, why: expect.stringMatching(said) }] });
});
