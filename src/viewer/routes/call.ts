import type { Message, ReplyPart, UserPart } from "../../models/call.ts";
import type { KeptCall } from "../../models/transcripts/read.ts";
import { readCalls } from "../../models/transcripts/read-one.ts";
import { understand } from "../../models/transcripts/understand.ts";
import { trialPaths } from "../../trials/trial/folder.ts";
import { safeBlock } from "../../wording/safe-text.ts";
import { answer, countOf, gone, type Route } from "./route.ts";

/** One turn of a conversation as a page shows it. */
export interface Turn {
  /** `system`, `user`, `assistant`, `thinking`, `call <tool>`, `result`. */
  who: string;
  text: string;
  /** How many characters are left out. */
  cut: number;
}

export interface CallPage {
  /** Null where bodies were not kept. */
  request: Turn[] | null;
  reply: Turn[];
  problem: string | null;
  tools: string[];
  settings: string[];
  /** The request of the call it is compared with. */
  previous: Turn[] | null;
}

const LONGEST_TURN = 60_000;
const MAX_TURNS = 400;

/** What was asked in one call and what came back, with the request of an earlier one to compare with. */
export const call: Route = (store, { group = "", trial = "", call: asked, previous: before }) => {
  const folder = store.trialFolder(group, trial);
  if (folder === null) return gone(`The trial ${trial}`);
  const seq = countOf(asked, 0);
  const other = before === undefined ? null : countOf(before, 0);
  const kept = readCalls(trialPaths(folder).model, other === null ? [seq] : [seq, other]);
  const page: CallPage = {
    ...pageOf(kept.get(seq)),
    previous: other === null ? null : pageOf(kept.get(other)).request,
  };
  return answer(page);
};

function pageOf(kept: KeptCall | undefined): Omit<CallPage, "previous"> {
  const nothing = { request: null, reply: [], tools: [], settings: [] };
  if (kept === undefined) return { ...nothing, problem: "What was said in this call was not kept." };
  const { request, reply, replyProblem } = understand(kept);
  const answered = reply.map(replyTurn);
  if ("unreadable" in request) return { ...nothing, reply: answered, problem: request.unreadable };
  const turns = [...request.system.map((text) => turn("system", text)), ...request.messages.flatMap(turnsOf)];
  return {
    request: turns.length > MAX_TURNS ? [...turns.slice(0, 20), ...turns.slice(20 - MAX_TURNS)] : turns,
    reply: answered,
    problem: replyProblem,
    tools: request.tools.map(({ name }) => name),
    settings: Object.entries(request.settings).map(([name, value]) => `${name} ${JSON.stringify(value)}`),
  };
}

function turnsOf({ role, parts }: Message): Turn[] {
  if (role === "assistant") return parts.map(replyTurn);
  return (parts as UserPart[]).map((part) => {
    if (part.type === "text") return turn(role, part.text);
    if (part.type === "image") return turn(role, "(an image)");
    const text = part.content.map((item) => (item.type === "text" ? item.text : "(an image)")).join("\n");
    return turn(part.isError ? "result (error)" : "result", text);
  });
}

function replyTurn(part: ReplyPart): Turn {
  if (part.type === "tool-call") return turn(`call ${part.name}`, part.input);
  return turn(part.type === "text" ? "assistant" : part.type, part.text);
}

function turn(who: string, text: string): Turn {
  return {
    who: who.slice(0, 100),
    text: safeBlock(text.slice(0, LONGEST_TURN)),
    cut: Math.max(0, text.length - LONGEST_TURN),
  };
}
