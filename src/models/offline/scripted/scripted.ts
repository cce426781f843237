import fs from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import { z } from "zod";
import type { Problem } from "../../../wording/problem.ts";
import type { CallProblem, ModelCall, ModelReply, ReplyPart, Tool, Usage } from "../../call.ts";
import { estimatedTokens } from "../../prices/cost.ts";
import { problem } from "../../protocols/problems.ts";
import { textLength } from "../echo.ts";
import type { OfflineAnswer, OfflineModel } from "../offline-model.ts";
import { type Expectation, Script, type Step } from "./schema.ts";

/** Reads a script; each call of the result is a model that starts at its beginning. */
export function loadScript(file: string): (() => OfflineModel) | Problem {
  let content: unknown;
  try {
    content = parse(fs.readFileSync(file, "utf8"));
  } catch (error) {
    return bad(file, (error as Error).message.split("\n")[0]);
  }
  const script = Script.safeParse(content);
  if (!script.success) return bad(file, z.prettifyError(script.error));
  return () => scriptedModel(script.data);
}

/** Replies in order. What was asked is checked first; a script that is over answers with an error. */
function scriptedModel({ replies: steps, aside }: Script): OfflineModel {
  let next = 0;
  let repeated = 0;
  let calls = 0;
  return {
    async answer(call, { role, signal }) {
      calls++;
      if (aside !== undefined && call.tools.length === 0)
        return answerOf({ reply: { text: aside }, repeat: 1 }, call, calls);
      const step = steps[next];
      if (step === undefined)
        return refuse(`The script has ${steps.length} replies, and this is one call more.`);
      const unmet = unmetExpectation(step.expect, call, role);
      if (unmet !== null) return refuse(`Reply ${next + 1} of the script expects ${unmet}.`);
      repeated++;
      if (step.repeat !== "forever" && repeated >= step.repeat) {
        next++;
        repeated = 0;
      }
      const { delayMs = 0 } = step.reply;
      if (delayMs > 0) await sleep(delayMs, undefined, { signal });
      return answerOf(step, call, calls);
    },
    leftover() {
      const left = steps.slice(next).filter(({ repeat }) => repeat !== "forever").length;
      return left === 0 ? null : `${left} of ${steps.length} scripted replies were not asked for`;
    },
  };
}

function answerOf({ reply, usage }: Step, call: ModelCall, number: number): OfflineAnswer {
  if (reply.error !== undefined) {
    const { status, message, retryAfterMs = null } = reply.error;
    const retryable = status === 408 || status === 409 || status === 429 || status >= 500;
    return {
      reply: {
        ok: false,
        problem: { ...problem("invalid", message), kind: kindOf(status), retryable, retryAfterMs, status },
      },
      status,
    };
  }
  const parts: ReplyPart[] = [];
  if (reply.thinking !== undefined) parts.push({ type: "thinking", text: reply.thinking, opaque: null });
  if (reply.text !== undefined) parts.push({ type: "text", text: reply.text });
  const toolCalls = [...(reply.calls ?? [])];
  if (reply.shell !== undefined) {
    const shell = shellCall(call.tools, reply.shell);
    if (shell === null) return refuse("The script wants a shell, and the client offers no tool that is one.");
    toolCalls.push(shell);
  }
  for (const [i, { name, input }] of toolCalls.entries()) {
    const kind = call.tools.find((tool) => tool.name === name)?.kind ?? "function";
    const text = typeof input === "string" ? input : JSON.stringify(input ?? {});
    parts.push({ type: "tool-call", id: `call_${number}_${i + 1}`, name, kind, input: text });
  }
  const value: ModelReply = {
    id: `scripted-${number}`,
    model: call.model,
    parts,
    usage: usage === undefined ? estimatedUsage(call, parts) : usageOf(usage),
    stopReason: reply.stop ?? (toolCalls.length > 0 ? "tools" : "end"),
    notes: [],
  };
  const answer: OfflineAnswer = { reply: { ok: true, value } };
  if (reply.disconnectAfter !== undefined) answer.disconnectAfter = reply.disconnectAfter;
  return answer;
}

const SHELLS =
  /^(bash|shell|shell_command|exec_command|run_shell_command|local_shell|terminal|execute_command)$/i;

/** Every client calls its shell otherwise and wants the command in another field. */
function shellCall(tools: readonly Tool[], command: string): { name: string; input: unknown } | null {
  const tool = tools.find(({ name }) => SHELLS.test(name));
  if (tool === undefined) return null;
  const properties = (tool.schema?.properties ?? {}) as Record<string, { type?: unknown } | undefined>;
  const field =
    ["command", "cmd", "script", "code"].find((name) => properties[name] !== undefined) ?? "command";
  const asList = properties[field]?.type === "array";
  const input: Record<string, unknown> = { [field]: asList ? ["bash", "-lc", command] : command };
  if (properties.description !== undefined) input.description = "a scripted command";
  return { name: tool.name, input };
}

function unmetExpectation(expect: Expectation | undefined, call: ModelCall, role: string): string | null {
  if (expect === undefined) return null;
  const text = JSON.stringify([call.system, call.messages]);
  const has = (wanted: string) => text.includes(JSON.stringify(wanted).slice(1, -1));
  const missing = expect.contains?.find((wanted) => !has(wanted));
  if (missing !== undefined) return `"${missing}" in the conversation`;
  const present = expect.notContains?.find(has);
  if (present !== undefined) return `no "${present}" in the conversation`;
  const tool = expect.tools?.find((name) => !call.tools.some((offered) => offered.name === name));
  if (tool !== undefined) return `a tool "${tool}"`;
  if (expect.role !== undefined && expect.role !== role) return `the role ${expect.role}, and ${role} asked`;
  return null;
}

function estimatedUsage(call: ModelCall, parts: readonly ReplyPart[]): Usage {
  const output = parts.reduce(
    (sum, part) => sum + (part.type === "tool-call" ? part.input : part.text).length,
    0,
  );
  return {
    inputUncached: estimatedTokens(textLength(call)),
    cacheRead: 0,
    cacheWrite: 0,
    output: Math.max(1, estimatedTokens(output)),
    reasoning: 0,
  };
}

function usageOf({ input, ...rest }: NonNullable<Step["usage"]>): Usage {
  return { inputUncached: input, ...rest };
}

function kindOf(status: number): CallProblem["kind"] {
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "billing";
  if (status === 404) return "not-found";
  if (status === 408 || status === 504) return "timeout";
  if (status === 429) return "rate-limit";
  if (status === 529 || status === 503) return "overloaded";
  return status >= 500 ? "server" : "invalid";
}

function refuse(message: string): OfflineAnswer {
  return { reply: { ok: false, problem: problem("invalid", message) }, status: 400 };
}

function bad(file: string, cause: string): Problem {
  return {
    code: "BAD_SCRIPT",
    message: `${file} is not a script of replies: ${cause}`,
    nextStep: "see docs/models.md for an example",
  };
}
