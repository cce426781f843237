import type { JsonValue, Message, ReplyPart, UserPart } from "../../models/call.ts";
import type { LedgerLine } from "../../models/ledger/schema.ts";
import { protocols } from "../../models/protocols/protocols.ts";
import type { KeptCall } from "../../models/transcripts/read.ts";
import { safeBlock } from "../../wording/safe-text.ts";
import type { Paint } from "./grade.ts";

const MAX_CHARACTERS = 4000;

/** A trial's model calls for a person: what was new in each request, and what came back. */
export function conversationLines(
  lines: readonly LedgerLine[],
  kept: ReadonlyMap<number, KeptCall>,
  paint: Paint,
): string[] {
  const shown = new Set<string>();
  return lines.flatMap((line) => {
    const call = kept.get(line.seq);
    return [
      "",
      paint("bold", headOf(line)),
      ...(call === undefined ? ["  (bodies are not kept)"] : bodyOf(call, shown, paint)),
    ];
  });
}

function headOf({ seq, time, role, model, usage, cost, outcome, problem, milliseconds }: LedgerLine): string {
  const tokens =
    usage === null
      ? ""
      : `, ${usage.inputUncached + usage.cacheRead + usage.cacheWrite} in, ${usage.output} out`;
  const money = usage === null ? "" : cost === null ? ", cost unknown" : `, $${cost.toPrecision(3)}`;
  const end = outcome === "answered" ? "" : `, ${outcome}: ${problem}`;
  return `#${seq} ${time.slice(11, 19)} ${role ?? "–"} ${model ?? "–"}${tokens}${money}, ${(milliseconds.total / 1000).toFixed(1)} s${end}`;
}

function bodyOf(call: KeptCall, shown: Set<string>, paint: Paint): string[] {
  const protocol = protocols[call.protocol as keyof typeof protocols] ?? protocols.chat;
  const body = parsed(call.request);
  if (body === undefined) return [`  ${call.note ?? "(the request is not readable)"}`];
  const read = protocol.readRequest({ body, endpoint: { kind: "call", model: null, stream: null } });
  if (!read.ok) return [`  (the request is not readable: ${read.problem.message})`];
  const { system, messages } = read.value;
  const all: [string, string][] = [
    ...system.map((text): [string, string] => ["system", text]),
    ...messages.flatMap((message) => textsOf(message)),
  ];
  const fresh = all.filter(([who, text]) => {
    const key = `${who}\n${text}`;
    const isNew = !shown.has(key);
    shown.add(key);
    return isNew;
  });
  const reply = replyOf(call, protocol);
  for (const [who, text] of reply) shown.add(`${who}\n${text}`);
  return [...fresh, ...reply].flatMap(([who, text]) => entry(who, text, paint));
}

function replyOf({ reply }: KeptCall, protocol: (typeof protocols)["chat"]): [string, string][] {
  if (reply === null || reply.length === 0) return [];
  const body = parsed(reply);
  if (body !== undefined) {
    const read = protocol.readReply(body);
    return read.ok ? read.value.parts.map(replyText) : [["error", read.problem.message]];
  }
  const reader = protocol.streamReader();
  const texts: [string, string][] = [];
  for (const event of [...reader.push(reply), ...reader.end()]) {
    if (event.type === "part-start")
      texts.push([event.part.type === "tool-call" ? `call ${event.part.name}` : nameOf(event.part.type), ""]);
    else if (event.type === "part-delta" && texts.length > 0) texts.at(-1)![1] += event.text;
    else if (event.type === "error") texts.push(["error", event.problem.message]);
  }
  return texts;
}

function textsOf({ role, parts }: Message): [string, string][] {
  if (role === "assistant") return parts.map(replyText);
  return (parts as UserPart[]).map((part): [string, string] => {
    if (part.type === "text") return [role, part.text];
    if (part.type === "image") return [role, "(an image)"];
    const text = part.content.map((item) => (item.type === "text" ? item.text : "(an image)")).join("\n");
    return [part.isError ? "result (error)" : "result", text];
  });
}

function replyText(part: ReplyPart): [string, string] {
  return part.type === "tool-call" ? [`call ${part.name}`, part.input] : [nameOf(part.type), part.text];
}

function nameOf(type: string): string {
  return type === "text" ? "assistant" : type;
}

function entry(who: string, text: string, paint: Paint): string[] {
  const short =
    text.length > MAX_CHARACTERS
      ? `${text.slice(0, MAX_CHARACTERS)}\n… ${text.length - MAX_CHARACTERS} more characters`
      : text;
  // A reply is a stranger's text: it must not steer the terminal it is shown on.
  return [
    `  ${paint("dim", `${who}:`)}`,
    ...safeBlock(short)
      .split("\n")
      .map((row) => `    ${row}`),
  ];
}

function parsed(bytes: Buffer | null): JsonValue | undefined {
  try {
    return bytes === null ? undefined : (JSON.parse(bytes.toString("utf8")) as JsonValue);
  } catch {
    return undefined;
  }
}
