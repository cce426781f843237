import { isObject, parseJson } from "../protocols/json.ts";

/** Takes the last chunk of a Chat Completions stream away that tells nothing but its usage; all other bytes pass as they are. */
export interface UsageFilter {
  push(chunk: Uint8Array): Buffer;
  end(): Buffer;
  /** Whether what has passed ends with an event. */
  readonly atBorder: boolean;
}

/** Longer than any chunk that tells usage: what is longer passes in pieces. */
const MAX_HELD = 64 * 1024;
const LF = 0x0a;
const CR = 0x0d;

/**
 * For a client that has not asked for its usage, while the gateway has: many read `choices[0]` of every chunk and would end at one
 * without choices. An event is held until it is whole, which providers send it as. Each byte is looked at once, in whatever pieces
 * they come.
 */
export function usageFilter(): UsageFilter {
  const ends = eventEnds();
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let atBorder = true;
  const takeHeld = (more: Uint8Array): Buffer => {
    const event = Buffer.concat([...held, more]);
    held = [];
    heldBytes = 0;
    return event;
  };
  return {
    push(chunk) {
      const passed: Buffer[] = [];
      let from = 0;
      for (const end of ends(chunk)) {
        const event = takeHeld(chunk.subarray(from, end));
        if (!atBorder || !tellsUsageOnly(event)) passed.push(event);
        atBorder = true;
        from = end;
      }
      const rest = chunk.subarray(from);
      if (rest.length > 0) held.push(rest);
      heldBytes += rest.length;
      if (heldBytes > MAX_HELD || (!atBorder && heldBytes > 0)) {
        passed.push(takeHeld(Buffer.alloc(0)));
        atBorder = false;
      }
      return Buffer.concat(passed);
    },
    end() {
      const rest = takeHeld(Buffer.alloc(0));
      return tellsUsageOnly(rest) ? Buffer.alloc(0) : rest;
    },
    get atBorder() {
      return atBorder;
    },
  };
}

/** Finds where events end in each next chunk: behind a blank line. A CR may be half of a CRLF, so that its end shows one byte later. */
function eventEnds(): (chunk: Uint8Array) => number[] {
  let atLineStart = true;
  let afterReturn = false;
  /** The event has ended with a CR. */
  let waiting = false;
  return (chunk) => {
    const found: number[] = [];
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === LF && afterReturn) {
        afterReturn = false;
        if (waiting) found.push(at + 1);
        waiting = false;
        continue;
      }
      if (waiting) found.push(at);
      waiting = false;
      afterReturn = byte === CR;
      if (byte !== LF && byte !== CR) atLineStart = false;
      else if (!atLineStart) atLineStart = true;
      else if (byte === CR) waiting = true;
      else found.push(at + 1);
    }
    return found;
  };
}

function tellsUsageOnly(event: Buffer): boolean {
  if (!event.includes('"usage"') || !event.includes('"choices"')) return false;
  const data = /^data:(.*)$/m.exec(event.toString("utf8"))?.[1];
  const chunk = data === undefined ? undefined : parseJson(data);
  if (!isObject(chunk) || !isObject(chunk.usage)) return false;
  return Array.isArray(chunk.choices) && chunk.choices.length === 0;
}
