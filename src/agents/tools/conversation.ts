import type { AskModel, ChatMessage, ChatToolCall } from "../kit/model-client.ts";

/** Characters / 3.6: what the ledger's own estimate uses where there is no tokenizer. */
const CHARACTERS_PER_TOKEN = 3.6;
const MAX_CONTEXT_TOKENS = 80_000;
/** The newest turns are kept word for word. */
const KEPT_TURNS = 6;
const REPEATS = 3;

export interface Conversation {
  messages: ChatMessage[];
  compactions: number;
}

function estimateTokens(messages: readonly ChatMessage[]): number {
  return Math.ceil(JSON.stringify(messages).length / CHARACTERS_PER_TOKEN);
}

/**
 * Replaces all but the first two messages and the newest turns by a summary, once the conversation has grown too long.
 * The model writes the summary; if it gives none, the facts we know ourselves stand in for it.
 */
export async function compactIfLong(
  conversation: Conversation,
  ask: AskModel,
  facts: () => string,
  maxTokens = MAX_CONTEXT_TOKENS,
): Promise<boolean> {
  if (estimateTokens(conversation.messages) <= maxTokens) return false;
  const [system, task, ...rest] = conversation.messages;
  const cut = startOfTurn(rest, KEPT_TURNS);
  if (cut <= 0) return false;
  const old = rest.slice(0, cut);
  const request: ChatMessage[] = [
    system,
    {
      role: "user",
      content: `Write a summary of this work for somebody who goes on with it: the best score so far and how it was measured, the plan, which files hold what, what failed and why. At most 600 words.\n\n${transcript(old)}`,
    },
  ];
  const answer = await ask(request, []);
  const words = answer.status === "answered" && answer.text.trim() !== "" ? answer.text.slice(0, 12_000) : "";
  const content = `Summary of the work so far (earlier messages were left out):\n${words}\n${facts()}`;
  conversation.messages = [system, task, { role: "user", content }, ...rest.slice(cut)];
  conversation.compactions += 1;
  return true;
}

/** Where the n-th turn from the end begins; a tool's result never loses the call it belongs to. */
function startOfTurn(messages: readonly ChatMessage[], turns: number): number {
  const starts = messages.flatMap(({ role }, index) => (role === "assistant" ? [index] : []));
  return starts.at(-turns) ?? 0;
}

/** Old turns, shortened so that the request for a summary is itself not too long. */
function transcript(messages: readonly ChatMessage[]): string {
  const each = Math.max(200, Math.floor(120_000 / messages.length));
  const lines = messages.map((message) => {
    const calls = message.role === "assistant" ? (message.tool_calls ?? []) : [];
    const words = [
      message.content ?? "",
      ...calls.map((call) => `${call.function.name} ${call.function.arguments}`),
    ];
    return `${message.role}: ${words.join("\n").slice(0, each)}`;
  });
  return lines.join("\n---\n");
}

/** The same call with the same result, several times in a row. */
export function repeatsItself(history: readonly { call: ChatToolCall; result: string }[]): boolean {
  const last = history.slice(-REPEATS).map(({ call, result }) => JSON.stringify([call.function, result]));
  return last.length === REPEATS && new Set(last).size === 1;
}
