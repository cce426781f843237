import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** What a provider says to one request. */
export interface ProviderAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Written piece by piece; a number is a pause in milliseconds, a promise one until it is kept. */
  body: (string | Uint8Array | number | Promise<unknown>)[];
  /** Ends the connection instead of the reply. */
  cut?: boolean;
  /** Never ends by itself. */
  hang?: boolean;
}

export interface SeenRequest {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** The client went away before the reply was complete. */
  aborted: boolean;
}

export interface FakeProvider {
  url: string;
  seen: SeenRequest[];
  close(): Promise<void>;
}

/** A provider on this machine that says what a test wants, and remembers what it was asked. */
export async function startProvider(
  answer: (request: SeenRequest, number: number) => ProviderAnswer | Promise<ProviderAnswer>,
): Promise<FakeProvider> {
  const seen: SeenRequest[] = [];
  const server = http.createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const record: SeenRequest = {
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks),
        aborted: false,
      };
      const number = seen.push(record);
      response.on("close", () => {
        if (!response.writableEnded) record.aborted = true;
      });
      const { status = 200, headers = {}, body, cut, hang } = await answer(record, number);
      response.writeHead(status, headers);
      response.flushHeaders();
      for (const piece of body) {
        if (typeof piece === "number") await new Promise((resolve) => setTimeout(resolve, piece));
        else if (piece instanceof Promise) await piece;
        else response.write(piece);
      }
      if (cut) {
        // What was written must have left first.
        await new Promise((resolve) => setTimeout(resolve, 20));
        response.destroy();
      } else if (!hang) response.end();
    })().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const JSON_HEADERS = { "content-type": "application/json" };
export const STREAM_HEADERS = { "content-type": "text/event-stream" };

/** A whole reply of Anthropic's. */
export function message(text: string, usage: object = { input_tokens: 10, output_tokens: 5 }): string {
  return JSON.stringify({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-real",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage,
  });
}

/** The events of a streamed one. */
export function messageStream(text: string, usage = { input: 10, output: 5 }): string[] {
  const event = (type: string, data: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  return [
    event("message_start", {
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude-real",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: usage.input, output_tokens: 1 },
      },
    }),
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    ...[...text].map((letter) =>
      event("content_block_delta", { index: 0, delta: { type: "text_delta", text: letter } }),
    ),
    event("content_block_stop", { index: 0 }),
    event("message_delta", {
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: usage.output },
    }),
    event("message_stop", {}),
  ];
}

/** A whole reply of Chat Completions. */
export function completion(
  text: string,
  usage: object | null = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
): string {
  return JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "gpt-5-2025-08-07",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: text } }],
    ...(usage === null ? {} : { usage }),
  });
}

export function anthropicError(type: string, text: string): string {
  return JSON.stringify({ type: "error", error: { type, message: text } });
}
