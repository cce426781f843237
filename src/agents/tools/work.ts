import fs from "node:fs";
import path from "node:path";
import type { AgentContract } from "../kit/contract.ts";
import type { AskModel, ChatMessage, ChatToolCall } from "../kit/model-client.ts";
import { submissionKeeper } from "../kit/submission-keeper.ts";
import { type Conversation, compactIfLong, repeatsItself } from "./conversation.ts";
import { cutOutput } from "./output.ts";
import { systemPrompt, taskPrompt, timeLeft } from "./prompt.ts";
import { openSession, PYTHON, SHELL } from "./session.ts";
import { type ToolOutcome, type Workshop, type WorkTool, WrongInput } from "./tool.ts";

export interface WorkOptions {
  tools: readonly WorkTool[];
  maxSteps: number;
  commandSeconds: number;
  hasPython: boolean;
  hardware: string;
}

export type WorkEnd =
  | { why: "finished" | "steps" | "time"; steps: number }
  | { why: "refused" | "unreachable"; steps: number; message: string };

/** Kept before the deadline, so that the last file is looked at before everything stops. */
const RESERVE_SECONDS = 5;
/** Replies without a tool call in a row before we stop asking. */
const MAX_IDLE = 3;

/** One conversation until the model finishes, the time or the steps are used, or the door to the model closes. */
export async function work(contract: AgentContract, ask: AskModel, options: WorkOptions): Promise<WorkEnd> {
  const workshop = openWorkshop(contract, ask, options);
  const { tools } = options;
  const conversation: Conversation = {
    messages: [
      { role: "system", content: systemPrompt(options.hasPython) },
      { role: "user", content: taskPrompt(contract, options.hardware) },
    ],
    compactions: 0,
  };
  const record = transcriptFile(contract.logs);
  const history: { call: ChatToolCall; result: string }[] = [];
  let idle = 0;
  try {
    for (let step = 0; ; step++) {
      if (step >= options.maxSteps) return { why: "steps", steps: step };
      if (secondsLeft(contract) < RESERVE_SECONDS) return { why: "time", steps: step };
      await compactIfLong(conversation, ask, () => knownFacts(workshop));
      const answer = await ask(
        conversation.messages,
        tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
      );
      if (answer.status !== "answered") return { why: answer.status, steps: step, message: answer.message };
      const reply: ChatMessage = {
        role: "assistant",
        content: answer.text,
        ...(answer.toolCalls.length > 0 ? { tool_calls: uniqueIds(answer.toolCalls) } : {}),
      };
      conversation.messages.push(reply);
      record(reply);
      if (!reply.tool_calls) {
        idle += 1;
        if (idle >= MAX_IDLE) return { why: "finished", steps: step + 1 };
        const content = `Go on with a tool, or call finish. ${timeLeft(secondsLeft(contract), options.maxSteps - step - 1)}`;
        conversation.messages.push({ role: "user", content });
        continue;
      }
      idle = 0;
      for (const [index, call] of reply.tool_calls.entries()) {
        const outcome = await useTool(tools, call, workshop);
        const kept = await workshop.keeper.look();
        const result = cutOutput(outcome.text, contract.logs, `${step + 1}-${index + 1}.txt`);
        history.push({ call, result });
        const notes = [
          keptWords(kept),
          repeatsItself(history) ? "[You have done exactly this three times. Try something else.]" : "",
          timeLeft(secondsLeft(contract), options.maxSteps - step - 1),
        ];
        const message: ChatMessage = {
          role: "tool",
          tool_call_id: call.id,
          content: [result, ...notes].filter(Boolean).join("\n"),
        };
        conversation.messages.push(message);
        record(message);
        if (outcome.finished) return { why: "finished", steps: step + 1 };
      }
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
  const files = fs.readdirSync(contract.code).slice(0, 50).join(", ");
  return `Files in ${contract.code}: ${files || "none"}. A valid submission ${keeper.hasValid() ? "stands in place" : "is still missing"}.`;
}

const secondsLeft = ({ deadlineEpoch }: AgentContract) =>
  Number.isFinite(deadlineEpoch) ? deadlineEpoch - Date.now() / 1000 : Number.POSITIVE_INFINITY;

function transcriptFile(logs: string): (message: ChatMessage) => void {
  const file = path.join(logs, "conversation.jsonl");
  return (message) => fs.appendFileSync(file, `${JSON.stringify(message)}\n`);
}
