import type { ReplyPart } from "../../../models/call.ts";
import { isolationText } from "../../../trials/trial/isolation.ts";
import type { Trial } from "../../../trials/trial/schema.ts";
import { momentOf } from "../../../wording/moments.ts";
import {
  argumentsOf,
  missingCalls,
  type RecordedCall,
  recordedCalls,
  resultText,
  spokenText,
} from "../calls.ts";
import type { AtifStep, Trajectory } from "./schema.ts";

/** A trial's conversation as an ATIF trajectory: one agent step for each answer of a model. */
export function trajectoryOf(trialFolder: string, trial: Trial): Trajectory {
  const steps = stepsOf(recordedCalls(trialFolder));
  if (steps.length === 0) steps.push(...withoutModels(trial));
  const totals = trial.modelTotals;
  const missing = missingCalls(trialFolder, trial);
  const prompt = totals && totals.tokens.inputUncached + totals.tokens.cacheRead + totals.tokens.cacheWrite;
  return {
    schema_version: "ATIF-v1.7",
    session_id: trial.id,
    agent: {
      name: trial.agent.id,
      version: trial.mlebenchVersion,
      ...(trial.models?.[0] === undefined ? {} : { model_name: trial.models[0].asked }),
    },
    steps,
    ...(totals === undefined
      ? {}
      : {
          final_metrics: {
            total_prompt_tokens: prompt,
            total_completion_tokens: totals.tokens.output,
            total_cached_tokens: totals.tokens.cacheRead,
            ...(totals.cost === null ? {} : { total_cost_usd: totals.cost }),
            total_steps: steps.length,
          },
        }),
    extra: {
      competition_id: trial.competition.id,
      seed: trial.seed,
      stop_reason: trial.outcome?.stopReason ?? null,
      isolation: isolationText(trial),
      // What a simulated or scripted model did is not a language model's result, wherever it is shown.
      language_model: trial.modelAccess?.roles.every(({ languageModel }) => languageModel) ?? null,
      mlebench_version: trial.mlebenchVersion,
      ...(missing === null ? {} : { incomplete: missing }),
    },
  };
}

/** An agent that asks no model still did something: what it was told, and how it ended. */
function withoutModels(trial: Trial): AtifStep[] {
  return [
    {
      step_id: 1,
      ...timeOf(trial.startedAt),
      source: "user",
      message: `Solve ${trial.competition.id}.`,
    },
    {
      step_id: 2,
      ...timeOf(trial.endedAt ?? trial.startedAt),
      source: "agent",
      message: trial.outcome?.message ?? "It has not ended.",
      llm_call_count: 0,
    },
  ];
}

/**
 * Requests repeat the whole conversation; what an earlier request or answer has said already is not said again. Results
 * of tools stand with the step that called them.
 */
function stepsOf(calls: Iterable<RecordedCall>): AtifStep[] {
  const steps: AtifStep[] = [];
  const said = new Set<string>();
  const callers = new Map<string, AtifStep>();
  const add = (step: Omit<AtifStep, "step_id">): AtifStep => {
    const numbered = { step_id: steps.length + 1, ...step } as AtifStep;
    steps.push(numbered);
    return numbered;
  };
  const once = (source: AtifStep["source"], message: string, timestamp: string, copied = false) => {
    const key = `${source}\n${message}`;
    if (message === "" || said.has(key)) return;
    said.add(key);
    add({
      ...timeOf(timestamp),
      source,
      message,
      ...(copied ? { llm_call_count: 0, is_copied_context: true } : {}),
    });
  };
  for (const { line, understood } of calls) {
    const { time } = line;
    const request = understood?.request;
    if (request !== undefined && !("unreadable" in request)) {
      for (const text of request.system) once("system", text, time);
      for (const { role, parts } of request.messages) {
        // What the agent puts into a model's mouth without having heard it is context of its own making.
        once(role === "assistant" ? "agent" : role, spokenText(parts), time, role === "assistant");
        for (const part of parts)
          if (part.type === "tool-result") observe(callers.get(part.callId), part.callId, resultText(part));
      }
    }
    if (line.outcome === "refused") continue;
    const reply = understood?.reply ?? [];
    const step = add(answered({ line, understood }, reply));
    said.add(`agent\n${spokenText(reply)}`);
    for (const part of reply) if (part.type === "tool-call") callers.set(part.id, step);
  }
  return steps;
}

/** What is no time is left out: a reader would refuse the whole trajectory. */
function timeOf(text: string): { timestamp?: string } {
  return momentOf(text) === null ? {} : { timestamp: text };
}

function observe(step: AtifStep | undefined, callId: string, content: string): void {
  if (step === undefined) return;
  const results = step.observation?.results ?? [];
  if (results.some(({ source_call_id }) => source_call_id === callId)) return;
  step.observation = { results: [...results, { source_call_id: callId, content }] };
}

function answered(
  { line, understood }: RecordedCall,
  reply: readonly ReplyPart[],
): Omit<AtifStep, "step_id"> {
  const thinking = reply.flatMap((part) => (part.type === "thinking" && part.text !== "" ? [part.text] : []));
  const toolCalls = reply.flatMap((part) =>
    part.type === "tool-call"
      ? [{ tool_call_id: part.id, function_name: part.name, arguments: argumentsOf(part.input) }]
      : [],
  );
  const { usage, cost } = line;
  const problem = line.problem ?? understood?.replyProblem ?? null;
  return {
    ...timeOf(line.time),
    source: "agent",
    message: spokenText(reply) || (understood === null ? "(the text was not kept)" : ""),
    ...(line.modelAnswered === null && line.model === null
      ? {}
      : { model_name: line.modelAnswered ?? line.model }),
    ...(thinking.length === 0 ? {} : { reasoning_content: thinking.join("\n") }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
    ...(usage === null
      ? {}
      : {
          metrics: {
            prompt_tokens: usage.inputUncached + usage.cacheRead + usage.cacheWrite,
            completion_tokens: usage.output,
            cached_tokens: usage.cacheRead,
            ...(cost === null ? {} : { cost_usd: cost }),
          },
        }),
    llm_call_count: 1,
    extra: {
      call: line.seq,
      role: line.role,
      outcome: line.outcome,
      ...(problem === null ? {} : { problem }),
    },
  };
}
