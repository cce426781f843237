export interface ServerSentEvent {
  /** The `event:` line, "" where there is none. */
  event: string;
  data: string;
}

export interface EventSplitter {
  push(chunk: Uint8Array): ServerSentEvent[];
  /** What stands after the last blank line, if anything: the last event of a sloppy server, or half of one. */
  end(): ServerSentEvent | null;
  /** One event was longer than a reply can be; nothing is read after it. */
  readonly overflown: boolean;
}

/** One event holds at most this much: the longest tool arguments anyone sends, several times over. */
const MAX_EVENT_CHARACTERS = 64 * 1024 * 1024;

/**
 * Splits bytes into server-sent events, whatever the borders of the chunks: CR, LF and CRLF end a line, comments and unknown fields
 * are skipped, invalid UTF-8 becomes U+FFFD, a byte order mark is ignored. Lines are kept in pieces, so that 10 MB in small chunks
 * cost no more than in one.
 */
export function splitEvents(maxCharacters = MAX_EVENT_CHARACTERS): EventSplitter {
  const decoder = new TextDecoder("utf-8");
  let pieces: string[] = [];
  let held = 0;
  let afterReturn = false;
  let name = "";
  let data: string[] = [];
  let overflown = false;

  const line = (text: string, events: ServerSentEvent[]): void => {
    if (text === "") {
      if (data.length > 0) events.push({ event: name, data: data.length === 1 ? data[0]! : data.join("\n") });
      name = "";
      data = [];
      return;
    }
    const colon = text.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? text : text.slice(0, colon);
    const start = text[colon + 1] === " " ? colon + 2 : colon + 1;
    if (field === "data") data.push(colon < 0 ? "" : text.slice(start));
    else if (field === "event") name = colon < 0 ? "" : text.slice(start);
  };

  const read = (text: string): ServerSentEvent[] => {
    const events: ServerSentEvent[] = [];
    let from = afterReturn && text.startsWith("\n") ? 1 : 0;
    if (text !== "") afterReturn = false;
    let counted = 0;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code !== 10 && code !== 13) continue;
      pieces.push(text.slice(from, at));
      const whole = pieces.length === 1 ? pieces[0]! : pieces.join("");
      pieces = [];
      line(whole, events);
      if (whole === "") {
        held = 0;
        counted = at;
      }
      if (code === 13) {
        if (at + 1 === text.length) afterReturn = true;
        else if (text.charCodeAt(at + 1) === 10) at++;
      }
      from = at + 1;
    }
    if (from < text.length) pieces.push(text.slice(from));
    held += text.length - counted;
    if (held > maxCharacters) {
      overflown = true;
      pieces = [];
      data = [];
    }
    return events;
  };

  return {
    push: (chunk) => (overflown ? [] : read(decoder.decode(chunk, { stream: true }))),
    end() {
      if (overflown) return null;
      const events = read(decoder.decode());
      line(pieces.join(""), events);
      line("", events);
      return events.at(-1) ?? null;
    },
    get overflown() {
      return overflown;
    },
  };
}

export function formatEvent(data: unknown, event?: string): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return event === undefined ? `data: ${text}\n\n` : `event: ${event}\ndata: ${text}\n\n`;
}

export const EVENT_STREAM_HEADERS: Record<string, string> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
};
