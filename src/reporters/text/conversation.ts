import type { TrialTurns } from "../../analysis/turns.ts";
import type { Message, ReplyPart, UserPart } from "../../models/call.ts";
import type { LedgerLine } from "../../models/ledger/schema.ts";
import type { KeptCall } from "../../models/transcripts/read.ts";
import { understand } from "../../models/transcripts/understand.ts";
import { countText, plural } from "../../wording/counts.ts";
import { plausible } from "../../wording/moments.ts";
import { safeBlock, safeText } from "../../wording/safe-text.ts";
import type { Paint } from "./grade.ts";
import { fittedTable } from "./table.ts";

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

function bodyOf(kept: KeptCall, shown: Set<string>, paint: Paint): string[] {
  const { request, reply, replyProblem } = understand(kept);
  const isUnreadable = "unreadable" in request;
  const all: [string, string][] = isUnreadable
    ? []
    : [
        ...request.system.map((text): [string, string] => ["system", text]),
        ...request.messages.flatMap((message) => textsOf(message)),
      ];
  const fresh = all.filter(([who, text]) => {
    const key = `${who}\n${text}`;
    const isNew = !shown.has(key);
    shown.add(key);
    return isNew;
  });
  const said = reply.map(replyText);
  for (const [who, text] of said) shown.add(`${who}\n${text}`);
  const broken: [string, string][] = replyProblem === null ? [] : [["error", replyProblem]];
  return [
    ...(isUnreadable ? [`  (${safeText(request.unreadable)})`] : []),
    ...[...fresh, ...said, ...broken].flatMap(([who, text]) => entry(who, text, paint)),
  ];
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

const MAX_TOOLS = 20;

function toolsText(tools: NonNullable<TrialTurns["turns"][0]["tools"]>): string {
  const words = tools
    .slice(0, MAX_TOOLS)
    .map(({ name, exitCode }) => safeText(exitCode === null ? name : `${name} (${exitCode})`));
  const more = tools.length - words.length;
  return [...words, ...(more > 0 ? [`${countText(more)} more`] : [])].join(", ");
}

/** An agent's turns beside the calls of its gateway, and both sums. */
export function turnLines({ turns, unmatched, sums }: TrialTurns, paint: Paint, width: number): string[] {
  const titles = ["turn", "run", "time", "tools", "calls", "tokens in", "out"];
  const rows = turns.map(({ number, run, time, tools = [], calls, ledgerTokens }) => [
    String(number),
    String(run),
    new Date(plausible(time) ?? 0).toISOString().slice(11, 19),
    toolsText(tools),
    calls.map(({ seq }) => seq).join(", "),
    countText(ledgerTokens.input),
    countText(ledgerTokens.output),
  ]);
  const table = fittedTable([titles.map((title) => paint("dim", title)), ...rows], {
    right: [0, 1, 5, 6],
    width,
  });
  return [
    ...table,
    ...(unmatched > 0 ? [`${plural(unmatched, "call")} came after the agent's last word`] : []),
    ...(sums === null
      ? ["the agent keeps no count of its own"]
      : [
          `tokens by the agent: ${countText(sums.own.input)} in, ${countText(sums.own.output)} out; by the gateway: ${countText(sums.ledger.input)} in, ${countText(sums.ledger.output)} out (${(100 * sums.difference).toFixed(1)} % apart)`,
        ]),
  ];
}
