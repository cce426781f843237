import type { ToolResultPart } from "../../models/call.ts";
import { eachCall } from "../../models/transcripts/read-one.ts";
import { type AskedTool, askedTools, resultsIn } from "../../models/transcripts/tool-results.ts";
import { understand } from "../../models/transcripts/understand.ts";
import { pageText } from "../../trials/state/page-text.ts";
import { trialPaths } from "../../trials/trial/folder.ts";
import { safeBlock } from "../../wording/safe-text.ts";
import { answer, countOf, gone, type Route } from "./route.ts";

/** What an agent did by a tool, as its conversation with the model tells. */
export interface Command {
  /** The model call that asked for it. */
  call: number;
  tool: string;
  input: string;
  /** What came back, from the prompt of a later call; null where none tells. */
  result: string | null;
  isError: boolean;
  /** How many characters are left out of the result. */
  cut: number;
}

export interface CommandsPart {
  commands: Command[];
  /** Calls from this one on have not been looked at; null where conversations end. */
  next: number | null;
}

const CALLS = 25;
/** The next call of the same role may not be the next one. */
const LOOK_AHEAD = 5;
/** Bodies of one part; what is longer is told by a part of its own. */
const MAX_BYTES = 64 * 2 ** 20;
const LONGEST_INPUT = 20_000;
const LONGEST_RESULT = 4000;

/** The commands of some calls of a trial. */
export const commands: Route = (store, { group = "", trial = "", from }) => {
  const folder = store.trialFolder(group, trial);
  if (folder === null) return gone(`The trial ${trial}`);
  const first = countOf(from, 0);
  const seqs = Array.from({ length: CALLS + LOOK_AHEAD }, (_, i) => first + i);
  const found: { asked: AskedTool; command: Command }[] = [];
  let end = first + CALLS;
  let bytes = 0;
  let more = false;
  // One at a time: thirty bodies may be gigabytes.
  for (const kept of eachCall(trialPaths(folder).model, seqs)) {
    const seq = kept.call;
    if (seq >= end + LOOK_AHEAD) break;
    more ||= seq >= end;
    const { request, reply } = understand(kept);
    if (!("unreadable" in request)) {
      const resultFor = resultsIn(request.messages);
      for (const { asked, command } of found) {
        const result = command.result === null ? resultFor(asked) : undefined;
        if (result !== undefined) Object.assign(command, resultOf(result));
      }
    }
    if (seq >= end) continue;
    for (const asked of askedTools(reply, kept.reply)) found.push({ asked, command: commandOf(seq, asked) });
    bytes += (kept.request?.length ?? 0) + (kept.reply?.length ?? 0);
    if (bytes > MAX_BYTES) end = seq + 1;
  }
  const part: CommandsPart = { commands: found.map(({ command }) => command), next: more ? end : null };
  return answer(part);
};

function commandOf(call: number, { part: { name, input } }: AskedTool): Command {
  return {
    call,
    tool: safeBlock(name.slice(0, 100)),
    input: safeBlock(input.slice(0, LONGEST_INPUT)),
    result: null,
    isError: false,
    cut: 0,
  };
}

function resultOf({ content, isError }: ToolResultPart): Pick<Command, "result" | "isError" | "cut"> {
  const text = content.map((item) => (item.type === "text" ? item.text : "(an image)")).join("\n");
  return {
    result: pageText(Buffer.from(text.slice(0, LONGEST_RESULT))),
    isError,
    cut: Math.max(0, text.length - LONGEST_RESULT),
  };
}
