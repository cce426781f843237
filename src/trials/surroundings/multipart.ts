const MAX_HEADER_BYTES = 16 * 1024;

/** Hears of the parts of a form upload as they arrive. */
export interface PartListener {
  begin(name: string | null): void;
  write(chunk: Buffer): void;
  end(): void;
}

export interface MultipartParser {
  push(chunk: Buffer): void;
  /** Null when the body was complete; otherwise what was wrong with it. */
  finish(): string | null;
}

/** The boundary that a Content-Type header announces; null when it is not a form upload. */
export function multipartBoundary(contentType: string | undefined): string | null {
  if (contentType === undefined || !/^multipart\/form-data\b/i.test(contentType.trim())) return null;
  const match = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(contentType);
  return match?.[1] ?? match?.[2] ?? null;
}

/** Takes a form upload apart while it arrives. Never holds more than a header or a boundary's length in memory. */
export function multipartParser(boundary: string, listener: PartListener): MultipartParser {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first boundary has no line before it; pretending that there is one makes all of them equal.
  let pending: Buffer = Buffer.from("\r\n");
  let state: "preamble" | "after-boundary" | "headers" | "body" | "done" = "preamble";
  let problem: string | null = null;

  /** One step; false when more bytes are needed. */
  function step(): boolean {
    switch (state) {
      case "preamble":
      case "body": {
        const at = pending.indexOf(delimiter);
        const sure = at >= 0 ? at : Math.max(0, pending.length - delimiter.length + 1);
        if (state === "body" && sure > 0) listener.write(pending.subarray(0, sure));
        pending = pending.subarray(at >= 0 ? at + delimiter.length : sure);
        if (at < 0) return false;
        if (state === "body") listener.end();
        state = "after-boundary";
        return true;
      }
      case "after-boundary": {
        if (pending.length < 2) return false;
        const mark = pending.toString("latin1", 0, 2);
        state = mark === "\r\n" ? "headers" : "done";
        if (mark !== "\r\n" && mark !== "--") problem = "a boundary is followed by something else";
        // The line break stays: a part without headers starts with the empty line that ends them.
        if (mark === "--") pending = pending.subarray(2);
        return true;
      }
      case "headers": {
        const end = pending.indexOf("\r\n\r\n");
        if (end < 0) {
          if (pending.length > MAX_HEADER_BYTES) {
            problem = "a part's header is too long";
            state = "done";
          }
          return false;
        }
        listener.begin(partName(pending.toString("utf8", 0, end)));
        pending = pending.subarray(end + 4);
        state = "body";
        return true;
      }
      case "done":
        pending = Buffer.alloc(0);
        return false;
    }
  }

  return {
    push(chunk) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      while (step());
    },
    finish() {
      if (problem !== null) return problem;
      return state === "done" ? null : "the upload ended before its last boundary";
    },
  };
}

function partName(headers: string): string | null {
  const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1];
  const match = disposition && /;\s*name=(?:"((?:[^"\\]|\\.)*)"|([^\s;]+))/i.exec(disposition);
  return match ? (match[1] ?? match[2] ?? null) : null;
}
