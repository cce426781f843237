import path from "node:path";
import type { Message, ModelCall, ModelReply, ReplyPart, ToolCallPart, Usage } from "../../../models/call.ts";
import { openLedger } from "../../../models/ledger/ledger.ts";
import type { ModelTotals } from "../../../models/ledger/schema.ts";
import { protocols } from "../../../models/protocols/protocols.ts";
import { openTranscripts } from "../../../models/transcripts/store.ts";
import { momentOf } from "../../../wording/moments.ts";
import type { AtifStep, Trajectory } from "./schema.ts";

/** What all requests of a trajectory may come to, each of which repeats what came before it. */
const MAX_REPEATED_BYTES = 4 * 2 ** 30;
const MAX_REPEATED_MESSAGES = 2_000_000;

/** Whether its transcripts would take minutes to write and hundreds of megabytes: nobody has spoken so long. */
export function isTooLong({ steps }: Trajectory): boolean {
  let said = 0;
  let bytes = 0;
  let messages = 0;
  for (const [i, step] of steps.entries()) {
    if (step.source === "agent" && isAnswer(step)) {
      bytes += said;
      messages += 2 * i;
    }
    said += JSON.stringify(step).length;
  }
  return bytes > MAX_REPEATED_BYTES || messages > MAX_REPEATED_MESSAGES;
}

/**
 * Writes a trajectory from elsewhere as a ledger and transcripts of ours, so that `logs --model` and the viewer show it.
 * Everything in it is what somebody else wrote down: nothing was metered here. Returns what it comes to.
 */
export function keepTrajectory(modelFolder: string, { agent, steps }: Trajectory): ModelTotals {
  const ledger = openLedger(path.join(modelFolder, "ledger.jsonl"));
  const transcripts = openTranscripts(modelFolder, "full");
  const system: string[] = [];
  const messages: Message[] = [];
  try {
    for (const step of steps) {
      const text = textOf(step.message);
      if (step.source === "system") system.push(text);
      else if (step.source === "user") messages.push({ role: "user", parts: [{ type: "text", text }] });
      else {
        const reply = replyParts(step, text);
        if (isAnswer(step)) keepCall(step, reply);
        messages.push({ role: "assistant", parts: reply });
        const results = resultsOf(step);
        if (results.length > 0) messages.push({ role: "user", parts: results });
      }
    }
    return ledger.totals();
  } finally {
    ledger.close();
    transcripts.close();
  }

  function keepCall(step: AtifStep, parts: ReplyPart[]): void {
    const model = step.model_name ?? agent.model_name ?? "unknown";
    const usage = usageOf(step);
    const call: ModelCall = {
      model,
      system: [...system],
      messages: [...messages],
      tools: [],
      toolChoice: null,
      settings: {},
      stream: false,
      notes: [],
    };
    const stopReason = parts.some(({ type }) => type === "tool-call") ? "tools" : "end";
    const reply: ModelReply = { id: `step-${step.step_id}`, model, parts, usage, stopReason, notes: [] };
    const request = protocols.chat.writeRequest(call);
    const requestBody = Buffer.from(JSON.stringify(request.ok ? request.value.body : {}));
    const replyBody = Buffer.from(JSON.stringify(protocols.chat.writeReply(reply, call).body));
    const { seq } = ledger.append({
      time: new Date(momentOf(step.timestamp) ?? 0).toISOString(),
      role: null,
      modelAsked: model,
      model,
      modelAnswered: model,
      protocolIn: "chat",
      protocolOut: null,
      streamed: false,
      outcome: "answered",
      blame: null,
      problem: null,
      status: null,
      usage,
      usageSource: usage === null ? null : "reported",
      cost: step.metrics?.cost_usd ?? null,
      costSource: step.metrics?.cost_usd == null ? null : "reported",
      milliseconds: { waiting: 0, firstByte: null, total: 0 },
      retries: 0,
      stopReason,
      requestId: null,
      requestSha256: null,
      replySha256: null,
      bytesIn: requestBody.length,
      bytesOut: replyBody.length,
      replayed: false,
      notes: ["taken over from a trajectory of somebody else: nothing was metered here"],
    });
    transcripts.keep(seq, "chat", requestBody, replyBody);
  }
}

function isAnswer(step: AtifStep): boolean {
  return step.llm_call_count !== 0 && step.is_copied_context !== true;
}

function textOf(content: AtifStep["message"]): string {
  if (typeof content === "string") return content;
  return content.map(({ type, text }) => (type === "text" ? (text ?? "") : `(${type})`)).join("\n");
}

function replyParts(step: AtifStep, text: string): ReplyPart[] {
  const calls = (step.tool_calls ?? []).map(
    (call): ToolCallPart => ({
      type: "tool-call",
      id: call.tool_call_id,
      name: call.function_name,
      kind: "function",
      input: JSON.stringify(call.arguments),
    }),
  );
  const thinking: ReplyPart[] = step.reasoning_content
    ? [{ type: "thinking", text: step.reasoning_content, opaque: null }]
    : [];
  return [...thinking, ...(text === "" ? [] : [{ type: "text" as const, text }]), ...calls];
}

function resultsOf(step: AtifStep) {
  const known = new Set((step.tool_calls ?? []).map(({ tool_call_id }) => tool_call_id));
  return (step.observation?.results ?? []).map(({ source_call_id, content }) => {
    const text = content == null ? "" : textOf(content);
    if (source_call_id == null || !known.has(source_call_id)) return { type: "text" as const, text };
    return {
      type: "tool-result" as const,
      callId: source_call_id,
      name: null,
      content: [{ type: "text" as const, text }],
      isError: false,
    };
  });
}

/** Prompt tokens include the cached ones; a count that cannot be is left out. */
function usageOf({ metrics }: AtifStep): Usage | null {
  const { prompt_tokens: prompt, completion_tokens: completion, cached_tokens: cached } = metrics ?? {};
  if (prompt == null || completion == null) return null;
  const cacheRead = cached ?? 0;
  if (![prompt, completion, cacheRead, prompt - cacheRead].every((count) => count >= 0)) return null;
  return { inputUncached: prompt - cacheRead, cacheRead, cacheWrite: 0, output: completion, reasoning: 0 };
}
