import { createHash } from "node:crypto";
import type { AskModel, ChatMessage, ChatTool, ModelAnswer } from "../../kit/model-client.ts";
import { within } from "../engine/clock.ts";
import { extractReply } from "./extract.ts";

/** What the models cost in a step. */
export interface Spent {
  input: number;
  output: number;
  calls: string[];
  seconds: number;
}

export const nothingSpent = (): Spent => ({ input: 0, output: 0, calls: [], seconds: 0 });

/** Replies that may lack a program before the raw text is taken for one. */
const TRIES = 3;

export type Written =
  | { status: "written"; plan: string; code: string }
  | { status: "no code"; reply: string }
  /** `spent`: the budget for models is used up. */
  | { status: "no model"; spent: boolean; message: string };

/** Asks for a program, up to three times where a reply has none. Later tries say what was missing. */
export async function askForCode(
  ask: AskModel,
  messages: readonly ChatMessage[],
  spent: Spent,
  secondsLeft: () => number,
): Promise<Written> {
  const conversation = [...messages];
  let last = "";
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await metered(ask, conversation, [], spent, secondsLeft());
    if (answer.status !== "answered")
      return { status: "no model", spent: isBudgetSpent(answer), message: answer.message };
    last = answer.text;
    const { plan, code } = extractReply(answer.text);
    if (code !== null) return { status: "written", plan, code };
    conversation.push(
      { role: "assistant", content: answer.text.slice(0, 4000) || "(nothing)" },
      { role: "user", content: "That holds no code block. Answer with the plan and the whole program." },
    );
  }
  return { status: "no code", reply: last };
}

/** Any other refusal is of this one request: it may have been too long for the model. */
const isBudgetSpent = (answer: ModelAnswer) => answer.status === "refused" && answer.code === "budget_spent";

/** A call that is counted, and given up when the time is over. */
export async function metered(
  ask: AskModel,
  messages: readonly ChatMessage[],
  tools: readonly ChatTool[],
  spent: Spent,
  secondsLeft: number,
): Promise<ModelAnswer> {
  const started = performance.now();
  const answer = await within<ModelAnswer>(ask(messages, tools), secondsLeft, {
    status: "unreachable",
    message: "the time is over",
  });
  spent.seconds += (performance.now() - started) / 1000;
  if (answer.status === "answered") {
    spent.input += answer.inputTokens;
    spent.output += answer.outputTokens;
    if (answer.id) spent.calls.push(answer.id);
  }
  return answer;
}

/** Of what was asked, without what differs between two runs of the same search. */
export function promptDigest(messages: readonly ChatMessage[]): string {
  const text = JSON.stringify(messages)
    .replace(/\[time left: [^\]]{0,80}\]/g, "")
    .replace(/stopped after \d{1,15} s/g, "");
  return createHash("sha256").update(text).digest("hex");
}
