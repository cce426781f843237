import type { Message, ModelCall, ToolCallPart, ToolResultPart } from "../../call.ts";
import { type SolutionSettings, settingsIn } from "./settings.ts";

/** What the conversation so far says. The simulated model keeps no state of its own, so that any gateway may ask it. */
export interface Conversation {
  /** Everything it was told before its last own words. */
  told: string;
  /** Results of the tools it called last, or the last words of the user. */
  latest: string;
  toolsUsed: number;
  /** The name of the tool it called last. */
  lastTool: string | null;
  /** The solutions it wrote or was shown, oldest first. */
  solutions: SolutionSettings[];
  /** The language the surroundings allow; null before anything has been said of it. */
  language: "python" | "javascript" | null;
}

export function readConversation(call: ModelCall): Conversation {
  const own = call.messages.flatMap(ownTexts);
  const told = [...call.system, ...call.messages.flatMap(toldTexts)];
  const latest = call.messages
    .slice(lastOwn(call.messages) + 1)
    .flatMap(toldTexts)
    .join("\n");
  const everything = call.messages.flatMap((message) => [...ownTexts(message), ...toldTexts(message)]);
  const used = call.messages.flatMap(toolCallsOf);
  return {
    told: told.join("\n"),
    latest,
    toolsUsed: used.length,
    lastTool: used.at(-1)?.name ?? null,
    solutions: (own.length > 0 ? everything : told).flatMap(settingsIn),
    language: languageOf(told.join("\n")),
  };
}

/**
 * Something went wrong in the run that a text reports: an exception, a refused file, a time-out, a metric that is not a
 * number. The source of a script names exceptions too, so it is left out first.
 */
export function showsFailure(text: string): boolean {
  const reported = text.replace(SOURCE, "");
  return FAILURES.some((pattern) => pattern.test(reported));
}

const SOURCE = /MLEBENCH_SIMULATED \{[\s\S]*?END MLEBENCH_SIMULATED/g;
const FAILURES = [
  /Traceback \(most recent call last\)/,
  /\b[A-Z]\w*(Error|Exception)\b/,
  /\bMETRIC \w+ = nan\b/,
  /\btimed out after\b/i,
  /"is_valid":\s*false|submission (is )?invalid/i,
  /submission\.csv (was invalid|is not valid)/,
  /too good to be true|\bleak found\b/i,
];

/** What a script of ours printed about itself. */
export function reportedMetric(text: string): { value: number; lowerIsBetter: boolean } | null {
  const found = [...text.matchAll(/METRIC \w+ = (\S+) \((lower|higher) is better\)/g)].at(-1);
  if (!found) return null;
  const value = Number(found[1]);
  return Number.isFinite(value) ? { value, lowerIsBetter: found[2] === "lower" } : null;
}

function languageOf(text: string): Conversation["language"] {
  if (/python3?: (command )?not found|no python|without python/i.test(text)) return "javascript";
  if (/\bpython3? \d|\/python3?\b|\bPython\b/.test(text)) return "python";
  return /\bnode(\.js)?\b/i.test(text) ? "javascript" : null;
}

const toolCallsOf = (message: Message): ToolCallPart[] =>
  message.role === "assistant" ? message.parts.filter((part) => part.type === "tool-call") : [];

const lastOwn = (messages: readonly Message[]) => messages.findLastIndex(({ role }) => role === "assistant");

function ownTexts(message: Message): string[] {
  if (message.role !== "assistant") return [];
  return message.parts.flatMap((part) =>
    part.type === "text" ? [part.text] : part.type === "tool-call" ? [plainInput(part)] : [],
  );
}

/** Arguments are JSON text: quotation marks inside a script arrive escaped. */
function plainInput({ kind, input }: ToolCallPart): string {
  if (kind === "custom") return input;
  try {
    return Object.values(JSON.parse(input) as object)
      .flat()
      .map(String)
      .join("\n");
  } catch {
    return input;
  }
}

function toldTexts(message: Message): string[] {
  if (message.role === "assistant") return [];
  return message.parts.flatMap((part) => {
    if (part.type === "text") return [part.text];
    return part.type === "tool-result" ? resultTexts(part) : [];
  });
}

const resultTexts = ({ content }: ToolResultPart): string[] =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : []));
