import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { FormatCheck } from "../../grading/grade-submission.ts";
import type { EventLog } from "../trial/events.ts";
import { rateLimit } from "./rate-limit.ts";
import { receiveUpload } from "./receive-upload.ts";

export interface ValidationServerOptions {
  /** A unix socket; forwarded to port 5000 inside the sandbox. */
  socket: string;
  /** For uploads while they are checked. */
  folder: string;
  /** What an upload may take now. */
  maxBytes(): Promise<number>;
  /** The format alone: must not read an answer's value. */
  check(file: string): Promise<FormatCheck>;
  remainingSeconds(): number;
  events: EventLog;
}

export interface ValidationServer {
  calls(): number;
  close(): Promise<void>;
}

const BURST = 30;
const CALLS_PER_SECOND = 0.5;
const MAX_CONNECTIONS = 64;
const REFUSALS_EVERY_MS = 10_000;

type Reply = { code: number; body: Record<string, unknown>; headers?: Record<string, string> };

/**
 * Tells an agent whether its file is well-formed, and how much time is left; never a score. It runs outside the
 * sandbox. Every check is recorded with the file's hash; calls beyond the rate are answered 429 and counted.
 */
export async function startValidationServer(options: ValidationServerOptions): Promise<ValidationServer> {
  const { events } = options;
  const limit = rateLimit({ burst: BURST, perSecond: CALLS_PER_SECOND });
  let calls = 0;
  let refused = 0;
  let lastCheck: Promise<unknown> = Promise.resolve();

  /** A flood of calls must not become a flood of events. */
  const reportRefused = () => {
    if (refused > 0) events.append("validation-refused", { calls: refused });
    refused = 0;
  };
  const reporter = setInterval(reportRefused, REFUSALS_EVERY_MS);

  /** One upload at a time, from its first byte on: twenty at once must exhaust neither memory nor disk. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = lastCheck.then(work, work);
    lastCheck = turn.catch(() => {});
    return turn;
  }

  async function validate(request: http.IncomingMessage): Promise<Reply> {
    const wait = limit.take(performance.now());
    if (wait !== null) {
      refused++;
      const error = `Too many calls: wait ${wait} s. A trial has ${BURST} at once, then one every ${1 / CALLS_PER_SECOND} s.`;
      return { code: 429, body: { error }, headers: { "retry-after": String(wait) } };
    }
    calls++;
    return inTurn(() => receiveAndCheck(request));
  }

  async function receiveAndCheck(request: http.IncomingMessage): Promise<Reply> {
    const upload = await receiveUpload(request, options.folder, await options.maxBytes());
    if (upload.status === "rejected") {
      events.append("validation", { result: "rejected", why: upload.message });
      return { code: upload.code, body: { error: upload.message } };
    }
    try {
      const { sha256, bytes } = upload;
      const check = await options.check(upload.file);
      events.append("validation", { sha256, bytes, result: check.status });
      return describe(check);
    } finally {
      fs.rmSync(upload.file, { force: true });
    }
  }

  async function answer(request: http.IncomingMessage): Promise<Reply> {
    const { pathname } = new URL(request.url ?? "/", "http://harness");
    const call = `${request.method} ${pathname}`;
    if (call === "GET /health") return { code: 200, body: { status: "running" } };
    if (call === "GET /time")
      return { code: 200, body: { remaining_seconds: Math.max(0, options.remainingSeconds()) } };
    if (call === "POST /validate") return validate(request);
    const error = "There are GET /health, GET /time and POST /validate.";
    return { code: pathname === "/validate" ? 405 : 404, body: { error } };
  }

  const active = new Set<Promise<unknown>>();
  const server = http.createServer((request, response) => {
    const exchange = answer(request)
      .catch((error: Error): Reply => {
        return {
          code: 500,
          body: { error: "The check failed; this is not your fault.", details: error.message },
        };
      })
      .then(({ code, body, headers }) => {
        // What is left of a refused upload is not worth reading.
        if (!request.complete) response.setHeader("connection", "close");
        const text = `${JSON.stringify(body)}\n`;
        const length = Buffer.byteLength(text);
        response.writeHead(code, {
          "content-type": "application/json",
          "content-length": length,
          ...headers,
        });
        response.end(text, () => request.complete || request.destroy());
      })
      .finally(() => active.delete(exchange));
    active.add(exchange);
  });
  server.on("clientError", (_, socket) => socket.destroy());
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(options.socket);
  await once(server, "listening");
  // The agent may be another user; who can reach the socket is decided by the folder and the sandbox.
  fs.chmodSync(options.socket, 0o666);
  return {
    calls: () => calls,
    async close() {
      clearInterval(reporter);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      // Their events belong to the record, which is closed after this.
      await Promise.allSettled(active);
      reportRefused();
    },
  };
}

/** The original's first words; then the reasons, which are about the format only. */
function describe(check: FormatCheck): Reply {
  if (check.status === "well-formed")
    return { code: 200, body: { result: "Submission is valid.", is_valid: true } };
  if (check.status === "invalid") {
    const more = check.reasonCount - check.reasons.length;
    const lines = check.reasons.map(({ message }) => message);
    if (more > 0) lines.push(`… and ${more} more problems`);
    return { code: 200, body: { result: `Submission invalid!\n${lines.join("\n")}`, is_valid: false } };
  }
  if (check.status === "failed" && check.blame === "agent")
    return { code: 200, body: { result: `Submission invalid!\n${check.message}`, is_valid: false } };
  return {
    code: 500,
    body: { error: "The check failed; this is not your fault.", details: check.status },
  };
}
