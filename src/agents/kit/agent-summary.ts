import path from "node:path";
import { z } from "zod";
import { readPlainText } from "../../files/plain-file.ts";

export const SUMMARY_FILE = "coding-agent.json";
export const TURNS_FILE = "turns.jsonl";

/** What an agent around a model says about its own work, in its logs. The agent wrote it: nothing of it is proven. */
export const AgentSummary = z.looseObject({
  schema: z.literal("mlebench.coding-agent"),
  version: z.literal(1),
  /** `claude-code`, `tools/codeact`, … */
  program: z.string().max(200),
  /** How often it was started again after it had stopped by itself. */
  continuations: z.int().min(0),
  turns: z.int().min(0),
  toolCalls: z.int().min(0),
  failedCommands: z.int().min(0),
  /** The program's own count, to be held against the gateway's ledger. Null: it keeps none. */
  ownTokens: z.object({ input: z.number().min(0), output: z.number().min(0) }).nullable(),
  /** Of a program that it starts: the first command line, without the prompt, and a digest of each prompt. */
  commandLine: z.array(z.string().max(4000)).max(100).optional().catch(undefined),
  promptDigests: z.array(z.string().max(200)).max(1000).optional().catch(undefined),
});
export type AgentSummary = z.infer<typeof AgentSummary>;

/** One thing that happened in the agent's own stream; absent fields say nothing. */
export const AgentTurn = z.looseObject({
  /** When its line arrived, in milliseconds since 1970; as far as a calendar goes. */
  time: z.number().min(0).max(8.64e15),
  /** 0, and one more after each continuation. */
  run: z.int().min(0),
  turns: z.int().min(0).optional(),
  /** Tools that were used, with the exit status of commands where the stream has one. */
  tools: z
    .array(
      z.object({ name: z.string().transform((name) => name.slice(0, 100)), exitCode: z.int().nullable() }),
    )
    .optional(),
  inputTokens: z.number().min(0).optional(),
  outputTokens: z.number().min(0).optional(),
  error: z.string().optional(),
});
export type AgentTurn = z.infer<typeof AgentTurn>;

const MAX_BYTES = 2 ** 20;
const MAX_TURNS_BYTES = 64 * 2 ** 20;

/** Null where the agent left none, or something else under its name. */
export function readAgentSummary(trialFolder: string): AgentSummary | null {
  const parsed = AgentSummary.safeParse(readJson(path.join(trialFolder, "logs", SUMMARY_FILE), MAX_BYTES));
  return parsed.success ? parsed.data : null;
}

/**
 * Turns as a table may show them. Each is a reply of the model, so there are never more of them than calls that its gateway saw:
 * not every program shows where one reply ends and the next begins, and an agent may say what it likes.
 */
export function turnsOf(
  { turns }: AgentSummary,
  totals: { calls: number; refused: number } | undefined,
): number {
  return totals === undefined ? turns : Math.min(turns, totals.calls - totals.refused);
}

/** In order; lines that are something else are left out. */
export function readAgentTurns(trialFolder: string): AgentTurn[] {
  let text: string;
  try {
    const file = path.join(trialFolder, "logs", TURNS_FILE);
    text = readPlainText(file, { maxBytes: MAX_TURNS_BYTES, links: "refuse" });
  } catch {
    return [];
  }
  return text.split("\n").flatMap((line) => {
    try {
      const parsed = AgentTurn.safeParse(JSON.parse(line));
      return parsed.success ? parsed.data : [];
    } catch {
      return [];
    }
  });
}

function readJson(file: string, maxBytes: number): unknown {
  try {
    return JSON.parse(readPlainText(file, { maxBytes, links: "refuse" }));
  } catch {
    return null;
  }
}
