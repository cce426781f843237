import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import type { AskModel, ChatMessage, ChatToolCall } from "../kit/model-client.ts";

/** Characters / 3.6: what the ledger's own estimate uses where there is no tokenizer. */
const CHARACTERS_PER_TOKEN = 3.6;
const MAX_CONTEXT_TOKENS = 80_000;
/** So many of the newest turns are kept word for word, the first number that fits. */
const KEPT_TURNS = [6, 3, 1];
const REPEATS = 3;
const LONGEST_ROUND = 4;

export interface Conversation {
  messages: ChatMessage[];
  compactions: number;
}

function estimateTokens(messages: readonly ChatMessage[]): number {
  return Math.ceil(JSON.stringify(messages).length / CHARACTERS_PER_TOKEN);
}

export function isTooLong({ messages }: Conversation, maxTokens = MAX_CONTEXT_TOKENS): boolean {
  return estimateTokens(messages) > maxTokens;
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
  if (!isTooLong(conversation, maxTokens)) return false;
  const [system, task, ...rest] = conversation.messages;
  // Where the newest turns are too long themselves, fewer of them are kept.
  const fits = (from: number) => !isTooLong({ messages: rest.slice(from), compactions: 0 }, maxTokens / 2);
  const starts = KEPT_TURNS.map((turns) => startOfTurn(rest, turns));
  const cut = starts.find(fits) ?? starts.at(-1)!;
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

/** The same calls with the same results, several times in a row: one over and over, or up to four in turns. */
export function repeatsItself(history: readonly { call: ChatToolCall; result: string }[]): boolean {
  const last = history
    .slice(-REPEATS * LONGEST_ROUND)
    .map(({ call, result }) => JSON.stringify([call.function, result]));
  for (let round = 1; round <= LONGEST_ROUND; round++) {
    const rounds = last.slice(-REPEATS * round);
    if (rounds.length === REPEATS * round && rounds.every((one, i) => one === rounds[i % round])) return true;
  }
  return false;
}

const HEAD = 6000;
const TAIL = 6000;

/** Cuts long output in the middle; the whole of it is in a file that the model is told of. */
export function cutOutput(text: string, logs: string, name: string): string {
  const readable = printable(text);
  if (readable.length <= HEAD + TAIL) return readable;
  const file = path.join(logs, "outputs", name);
  const left = readable.length - HEAD - TAIL;
  const where = keep(file, readable) ? `all of it is in ${file}` : "the rest could not be kept";
  return `${readable.slice(0, HEAD)}\n[… ${left} characters left out; ${where} …]\n${readable.slice(-TAIL)}`;
}

/** A full disk costs the copy, not the work. */
function keep(file: string, text: string): boolean {
  try {
    makeFolder(path.dirname(file));
    fs.writeFileSync(file, text);
    return true;
  } catch {
    return false;
  }
}

const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, "g");

/** Control characters and half characters would only confuse a model and a terminal. */
function printable(text: string): string {
  return text.replace(ESCAPES, "").replace(/(?:(?![\n\t])[\p{Cc}\ufffd])+/gu, "·");
}
