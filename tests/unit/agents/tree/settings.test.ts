import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { parseSettings } from "../../../../src/agents/tree/settings/parse.ts";
import { TreeSettings } from "../../../../src/agents/tree/settings/schema.ts";
import { readExperiment } from "../../../../src/workflows/experiment/schema.ts";

const folder = path.resolve(import.meta.dirname, "../../../../src/agents/tree/presets");
const presets = fs.readdirSync(folder).map((name) => {
  const [[id, entry]] = Object.entries(
    parse(fs.readFileSync(path.join(folder, name), "utf8")) as Record<
      string,
      { kwargs: object; needs_model?: boolean }
    >,
  );
  return { id, kwargs: entry.kwargs, needsModel: entry.needs_model };
});

describe("presets", () => {
  it("are the eight published policies of the specification, ours among them", () => {
    expect(presets.map(({ id }) => id).sort()).toEqual(
      [
        "tree",
        ...["aide", "aira", "aira2", "evolution", "mars", "mcts", "mlevolve"].map((name) => `tree/${name}`),
      ].sort(),
    );
  });

  it.each(presets)(
    "$id says that it needs a model, so that a run without one is refused",
    ({ needsModel }) => {
      expect(needsModel).toBe(true);
    },
  );

  it.each(presets)(
    "$id names every setting and nothing else, so that the trial's record has all",
    ({ id, kwargs }) => {
      expect(Object.keys(kwargs).sort()).toEqual(Object.keys(TreeSettings.shape).sort());
      const parsed = parseSettings(Object.entries(kwargs).map(([name, value]) => `${name}=${value}`));
      expect(parsed).toMatchObject({ ok: true, settings: { preset: id } });
    },
  );
});

describe("the ablation", () => {
  const place = "docs/examples/tree-ablation";
  const read = readExperiment(path.join(place, "ablation.yaml"));
  const text = fs.readFileSync(path.join(place, "agents/ablation/config.yaml"), "utf8");
  const agents = parse(text, { merge: true }) as Record<string, { extends: string; kwargs: object }>;
  const settingsOf = (id: string) => {
    const preset = presets.find((one) => one.id === agents[id].extends)!;
    const all = Object.entries({ ...preset.kwargs, ...agents[id].kwargs });
    const parsed = parseSettings(all.map(([name, value]) => `${name}=${value}`));
    if (!parsed.ok) throw new Error(parsed.message);
    return parsed.settings;
  };

  it("has a cell for each agent that is defined, one part of `tree` off in each", () => {
    if (!read.ok) throw new Error(read.message);
    const ids = read.experiment.agents.map((agent) => (typeof agent === "string" ? agent : agent.id));
    expect(ids).toEqual(Object.keys(agents).filter((id) => id !== "defaults"));
    const whole = settingsOf("ablation/whole");
    for (const id of ids.filter((one) => one !== "ablation/whole" && one !== "ablation/aide")) {
      const own = settingsOf(id);
      const differing = (Object.keys(whole) as (keyof typeof whole)[]).filter(
        (name) => whole[name] !== own[name],
      );
      expect([id, differing]).toEqual([id, PARTS[id.slice("ablation/no-".length)] ?? ["search.policy"]]);
    }
  });
});

/** What is off in the cell of that name. */
const PARTS: Record<string, string[]> = {
  ...Object.fromEntries(
    ["holdout", "endgame", "ensemble", "refit", "baseline", "crossover", "refine", "checks"].map((name) => [
      name,
      [`parts.${name}`],
    ]),
  ),
  diversity: ["parts.complexity", "parts.families", "parts.diversity"],
  memory: ["parts.memory", "parts.lessons"],
  turns: ["parts.debug_turns", "parts.sample_first"],
};

describe("arguments", () => {
  it("are read as OmegaConf and Python write them", () => {
    const parsed = parseSettings([
      "agent.steps=8",
      "agent.search.debug_prob=0.5",
      "compat=True",
      "agent.code.model=gpt-4o-2024-08-06",
      "exec.timeout=1e3",
      "workspace_dir=/tmp/x",
    ]);
    expect(parsed).toMatchObject({
      ok: true,
      ignored: ["workspace_dir"],
      settings: {
        "agent.steps": 8,
        "agent.search.debug_prob": 0.5,
        compat: true,
        "agent.code.model": "gpt-4o-2024-08-06",
        "exec.timeout": 1000,
      },
    });
  });

  it.each([
    ["agent.step=3", "did you mean agent.steps?"],
    ["agent.steps=0", "agent.steps"],
    ["agent.steps=", "agent.steps"],
    ["search.policy=best", "search.policy"],
    ["nonsense", "name=value"],
  ])("%s is refused with a sentence", (argument, words) => {
    expect(parseSettings([argument])).toEqual({ ok: false, message: expect.stringContaining(words) });
  });
});
