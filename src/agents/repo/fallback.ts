import fs from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { supervise } from "../baseline/supervise.ts";
import type { AgentContract } from "../kit/contract.ts";
import type { AskModel } from "../kit/model-client.ts";
import { codeactTools } from "../tools/codeact.ts";
import { systemPrompt } from "../tools/prompt.ts";
import { type WorkEnd, work } from "../tools/work.ts";
import { searchTree } from "../tree/run.ts";
import { parseSettings } from "../tree/settings/parse.ts";
import { judge, submissionDigest } from "./attempt.ts";
import { taskWords } from "./prompt.ts";
import type { RepoSettings } from "./settings.ts";

/** `src/agents/tree/presets/tree.yaml`, put in by the build: in a sandbox there is only this agent. */
declare const __TREE_PRESET__: string | undefined;

const MAX_RESTARTS = 2;

/** The tree search as `--agent tree` has it, without a part for the baseline, which comes with that agent alone. */
export async function searchInstead(contract: AgentContract, ask: AskModel, model: string): Promise<void> {
  const parsed = parseSettings(treeArguments());
  if (!parsed.ok) throw new Error(parsed.message);
  const { settings } = parsed;
  const stepLimit = Number(process.env.STEP_LIMIT);
  if (stepLimit >= 1) settings["agent.steps"] = Math.min(settings["agent.steps"], stepLimit);
  const done = await searchTree({
    contract,
    settings,
    askCode: ask,
    askFeedback: ask,
    models: { code: model, feedback: model },
    baselineProgram: null,
    hardware: process.env.HARDWARE ?? "",
    log: console.log,
  });
  console.log(`the search ended: ${done.end.why}`);
}

function treeArguments(): string[] {
  const file = new URL("../tree/presets/tree.yaml", import.meta.url);
  const text = typeof __TREE_PRESET__ === "undefined" ? fs.readFileSync(file, "utf8") : __TREE_PRESET__;
  const { tree } = parse(text) as { tree: { kwargs: Record<string, unknown> } };
  return Object.entries(tree.kwargs).map(([name, value]) => `${name}=${value}`);
}

export interface Assistance {
  end: WorkEnd["why"];
  turns: number;
  solved: boolean;
  why: string;
}

/** A plain conversation about the task, as RepoMaster's general assistant has it; the baseline where nothing comes of it. */
export async function assistInstead(
  contract: AgentContract,
  ask: AskModel,
  settings: RepoSettings,
  hasPython: boolean,
  program: string,
): Promise<Assistance> {
  const before = submissionDigest(contract);
  const output = path.join(contract.submission, "submission.csv");
  const end = await work(contract, ask, {
    tools: codeactTools(hasPython),
    maxSteps: settings.maxTurns,
    commandSeconds: settings.commandSeconds,
    hasPython,
    hardware: process.env.HARDWARE ?? "",
    opening: {
      system: systemPrompt(hasPython),
      task: `${taskWords(contract, settings, "")}\n\nThe submission belongs into ${output}.`,
    },
    context: { tokens: settings.contextTokens, restarts: MAX_RESTARTS },
    transcript: "conversation-assistant.jsonl",
  });
  const why = await judge(contract, before, end, "");
  console.log(`the assistant ${why === "" ? "solved it" : `did not solve it: ${why}`}`);
  if (why !== "" && end.why !== "time") await supervise(contract, program);
  return { end: end.why, turns: end.steps, solved: why === "", why };
}
