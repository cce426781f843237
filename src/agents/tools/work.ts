import fs from "node:fs";
import path from "node:path";
import { type AgentContract, listed } from "../kit/contract.ts";
import type { AskModel, ChatMessage, ChatToolCall } from "../kit/model-client.ts";
import { submissionKeeper } from "../kit/submission-keeper.ts";
import { type Conversation, compactIfLong, cutOutput, isTooLong, repeatsItself } from "./conversation.ts";
import { systemPrompt, taskPrompt, timeLeft } from "./prompt.ts";
import { openSession, PYTHON, SHELL } from "./session.ts";
import { type ToolOutcome, type Workshop, type WorkTool, WrongInput } from "./tool.ts";

export interface WorkOptions {
  tools: readonly WorkTool[];
  maxSteps: number;
  commandSeconds: number;
  /** Replies without a tool call in a row before we stop asking; 3 unless told. */
  maxIdle?: number;
  hasPython: boolean;
  hardware: string;
  /** What the conversation begins with, where it is not about the whole competition. */
  opening?: { system: string; task: string };
  /** Above so many tokens the conversation is summarised, and at most so often; then it ends. */
  context?: { tokens: number; restarts: number };
  /** The file of the conversation below the logs. */
  transcript?: string;
  /** What is left of the budget, in words; "" where nothing is limited. */
  budget?(): Promise<string>;
  /** After every reply, with the tools it used and how commands ended. */
  onTurn?(tools: { name: string; exitCode: number | null }[]): void;
}

export type WorkEnd =
  | { why: "finished" | "steps" | "time" | "context"; steps: number; restarts: number; words: string }
  | { why: "refused" | "unreachable"; steps: number; message: string };

/** Kept before the deadline, so that the last file is looked at before everything stops. */
const RESERVE_SECONDS = 5;
const MAX_IDLE = 3;
/** Of one reply; more of them are not run, and the model is told. */
const MAX_CALLS = 20;
const TOO_LONG = /context.{0,20}(length|window)|too long|maximum context|exceeds.{0,40}tokens/i;

/** One conversation until the model finishes, the time or the steps are used, or the door to the model closes. */
export async function work(contract: AgentContract, ask: AskModel, options: WorkOptions): Promise<WorkEnd> {
  const workshop = openWorkshop(contract, ask, options);
  const { tools } = options;
  const conversation: Conversation = {
    messages: [
      { role: "system", content: options.opening?.system ?? systemPrompt(options.hasPython) },
      { role: "user", content: options.opening?.task ?? taskPrompt(contract, options.hardware) },
    ],
    compactions: 0,
  };
  const record = transcriptFile(contract.logs, options.transcript);
  const history: { call: ChatToolCall; result: string }[] = [];
  let idle = 0;
  try {
    for (let step = 0; ; step++) {
      const ended = (why: "finished" | "steps" | "time" | "context", steps = step, words = ""): WorkEnd => ({
        why,
        steps,
        restarts: conversation.compactions,
        words,
      });
      if (step >= options.maxSteps) return ended("steps");
      if (secondsLeft(contract) < RESERVE_SECONDS) return ended("time");
      const tooLong = isTooLong(conversation, options.context?.tokens);
      if (tooLong && conversation.compactions >= (options.context?.restarts ?? Number.POSITIVE_INFINITY))
        return ended("context");
      const facts = () => knownFacts(workshop);
      await compactIfLong(conversation, ask, facts, options.context?.tokens);
      const offered = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
      let answer = await ask(conversation.messages, offered);
      // The model's own window may be smaller than we take it to be: once more with a summary.
      if (answer.status === "refused" && TOO_LONG.test(answer.message)) {
        if (await compactIfLong(conversation, ask, facts, 0))
          answer = await ask(conversation.messages, offered);
      }
      if (answer.status !== "answered") return { why: answer.status, steps: step, message: answer.message };
      const reply: ChatMessage = {
        role: "assistant",
        content: answer.text,
        ...(answer.toolCalls.length > 0 ? { tool_calls: uniqueIds(answer.toolCalls) } : {}),
      };
      conversation.messages.push(reply);
      record(reply);
      const budget = (await options.budget?.()) ?? "";
      const left = () => timeLeft(secondsLeft(contract), options.maxSteps - step - 1, budget);
      if (!reply.tool_calls) {
        options.onTurn?.([]);
        idle += 1;
        if (idle >= (options.maxIdle ?? MAX_IDLE)) return ended("finished", step + 1, answer.text);
        const content = `Go on with a tool, or call finish. ${left()}`;
        conversation.messages.push({ role: "user", content });
        continue;
      }
      idle = 0;
      const used: { name: string; exitCode: number | null }[] = [];
      for (const [index, call] of reply.tool_calls.entries()) {
        const outcome =
          index < MAX_CALLS && secondsLeft(contract) > 1
            ? await useTool(tools, call, workshop)
            : { text: `Not run: at most ${MAX_CALLS} calls in one reply, and none at the deadline.` };
        used.push({ name: call.function.name.slice(0, 100), exitCode: exitCodeOf(outcome.text) });
        const kept = await workshop.keeper.look();
        const result = cutOutput(outcome.text, contract.logs, `${step + 1}-${index + 1}.txt`);
        history.push({ call, result });
        const notes = [
          keptWords(kept),
          repeatsItself(history) ? "[You have done exactly this three times. Try something else.]" : "",
          left(),
        ];
        const message: ChatMessage = {
          role: "tool",
          tool_call_id: call.id,
          content: [result, ...notes].filter(Boolean).join("\n"),
        };
        conversation.messages.push(message);
        record(message);
        if (outcome.finished) {
          options.onTurn?.(used);
          return ended("finished", step + 1, outcome.text);
        }
      }
      options.onTurn?.(used);
    }
  } finally {
    workshop.shell.end();
    workshop.python?.end();
    await workshop.keeper.look();
  }
}

function openWorkshop(contract: AgentContract, ask: AskModel, options: WorkOptions): Workshop {
  const scratch = path.join(contract.logs, "sessions");
  const keeper = submissionKeeper(contract.submission, contract.validateUrl, contract.logs);
  return {
    contract,
    folder: contract.code,
    keeper,
    shell: openSession(SHELL, path.join(scratch, "bash"), contract.code),
    python: options.hasPython ? openSession(PYTHON, path.join(scratch, "python"), contract.code) : null,
    ask,
    commandSeconds: () =>
      Math.max(1, Math.min(options.commandSeconds, secondsLeft(contract) - RESERVE_SECONDS)),
  };
}

/** A tool that does not exist, arguments that are not JSON: the model is told, and the work goes on. */
async function useTool(
  tools: readonly WorkTool[],
  { function: use }: ChatToolCall,
  workshop: Workshop,
): Promise<ToolOutcome> {
  const tool = tools.find(({ name }) => name === use.name);
  if (!tool)
    return {
      text: `There is no tool "${use.name}". The tools are: ${tools.map(({ name }) => name).join(", ")}.`,
    };
  let input: unknown;
  try {
    input = use.arguments.trim() === "" ? {} : JSON.parse(use.arguments);
  } catch (error) {
    return { text: `The arguments are not JSON (${(error as Error).message}). Send them again.` };
  }
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return { text: "The arguments must be a JSON object." };
  try {
    return await tool.run(input as Record<string, unknown>, workshop);
  } catch (error) {
    if (error instanceof WrongInput || (error as NodeJS.ErrnoException).code !== undefined)
      return { text: (error as Error).message };
    throw error;
  }
}

/** Null for what is not a command, or went well without saying so. */
function exitCodeOf(text: string): number | null {
  const [, code] = /\[exit status (-?\d+)\](?: \[the deadline is near\])?$/.exec(text) ?? [];
  return code === undefined ? null : Number(code);
}

/** Models repeat ids, and the next request would be refused for it. */
function uniqueIds(calls: readonly ChatToolCall[]): ChatToolCall[] {
  const seen = new Set<string>();
  return calls.map((call) => {
    let { id } = call;
    for (let n = 2; seen.has(id); n++) id = `${call.id}_${n}`;
    seen.add(id);
    return { ...call, id };
  });
}

function keptWords(kept: Awaited<ReturnType<Workshop["keeper"]["look"]>>): string {
  switch (kept.status) {
    case "kept":
      return "[submission.csv is valid and kept]";
    case "restored":
      return `[submission.csv was invalid, so the last valid one was put back: ${kept.result.slice(0, 1000)}]`;
    case "invalid":
      return `[submission.csv is not valid yet: ${kept.result.slice(0, 1000)}]`;
    default:
      return "";
  }
}

function knownFacts({ keeper, contract }: Workshop): string {
  const files = listed(contract.code).slice(0, 50).join(", ");
  return `Files in ${contract.code}: ${files || "none"}. A valid submission ${keeper.hasValid() ? "stands in place" : "is still missing"}.`;
}

const secondsLeft = ({ deadlineEpoch }: AgentContract) =>
  Number.isFinite(deadlineEpoch) ? deadlineEpoch - Date.now() / 1000 : Number.POSITIVE_INFINITY;

function transcriptFile(logs: string, name = "conversation.jsonl"): (message: ChatMessage) => void {
  const file = path.join(logs, name);
  return (message) => {
    try {
      fs.appendFileSync(file, `${JSON.stringify(message)}\n`);
    } catch {
      // A full disk costs the record, not the work.
    }
  };
}
