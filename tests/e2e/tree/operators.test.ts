// full: a whole search with every part, the baseline among them
import { expect, test } from "vitest";
import { treeSetting } from "./agent-setting.ts";

const ARGS = [
  ...["preset=tree", "agent.steps=24", "agent.language=js", "exec.timeout=20", "agent.review=fallback"],
  ...["search.policy=greedy", "agent.search.num_drafts=3", "search.stagnation=2", "search.fuse_prob=0.5"],
  ...["parts.endgame=true", "parts.endgame_top=3", "parts.ensemble=true", "parts.crossover=true"],
  ...["parts.refine=true", "parts.baseline=true", "parts.baseline_seconds=30", "parts.families=true"],
  ...["parts.complexity=true", "parts.memory=scoped", "parts.lessons=true", "parts.debug_turns=2"],
];

test("every operator has its turn, each has one parent, and the best is never lost", async () => {
  const setting = await treeSetting("simulated:clumsy");
  const { code, output } = await setting.run(ARGS);
  expect([code, output]).toEqual([0, expect.stringContaining("ended: steps")]);
  const { steps, doubts } = await setting.journal();
  expect(doubts).toEqual([]);
  const [search, endgame] = (["search", "endgame"] as const).map((phase) =>
    steps.filter((step) => step.phase === phase),
  );
  expect(search).toHaveLength(24);
  expect([...new Set(search.map(({ operator }) => operator))].sort()).toEqual(
    ["baseline", "crossover", "debug", "draft", "improve", "refine"].sort(),
  );
  expect(endgame.filter(({ operator }) => operator === "reevaluate").length).toBeGreaterThan(1);
  expect(["final", "ensemble"]).toContain(endgame.at(-1)?.operator);
  expect(search.find(({ operator }) => operator === "baseline")).toMatchObject({
    step: 0,
    buggy: false,
    metric: { source: "hold-out" },
    promptSha256: null,
  });
  const byId = new Map(steps.map((step) => [step.id, step]));
  for (const { operator, parent, sources, stage } of search) {
    const above = parent === null ? null : byId.get(parent)!;
    if (operator === "draft" || operator === "baseline") expect([above, sources]).toEqual([null, []]);
    else expect(above).toMatchObject({ phase: "search", buggy: operator === "debug" });
    expect(above?.operator).not.toBe("baseline");
    if (operator === "crossover") expect(sources).toHaveLength(1);
    expect(stage).toBe(above === null ? "draft" : above.buggy ? "debug" : "improve");
  }
  // The last step that was the best of all when it ended is the best of all.
  const values = search.flatMap(({ metric }) => metric?.value ?? []);
  expect(search.findLast(({ isBest }) => isBest)?.metric?.value).toBe(Math.min(...values));
  await setting.end();
}, 240_000);
