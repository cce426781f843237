import zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import type { LedgerLine } from "../../../src/models/ledger/schema.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { endsWithTest } from "./ends-with-test.ts";
import { message, messageStream } from "./fake-provider.ts";
import { ask, openSetting, post, type Reply } from "./gateway-setting.ts";
import { type Say, startRawProvider, streamed, whole } from "./raw-provider.ts";

/** A client of the provider's own protocol, and one whose calls are translated; whole and streamed. */
const CLIENTS = [
  { path: "/v1/messages", stream: false },
  { path: "/v1/messages", stream: true },
  { path: "/v1/chat/completions", stream: false },
  { path: "/v1/chat/completions", stream: true },
] as const;

interface Told extends Reply {
  line: LedgerLine;
  lines: number;
  asked: number;
}

async function tell(
  say: Say,
  { path, stream }: (typeof CLIENTS)[number],
  timing: object = {},
): Promise<Told> {
  const provider = await startRawProvider(say);
  const setting = await openSetting({
    folder: temporaryFolder(),
    roles: { default: "m" },
    file: {
      models: {
        m: { model: "anthropic:claude-real", base_url: provider.url, price: { input: 1, output: 1 } },
      },
    },
    timing: { retryMs: 1, stallMs: 300, tries: 2, ...timing },
  });
  endsWithTest(provider, setting.gateway);
  const reply = await post(`${setting.gateway.url}${path}`, ask("claude-real", "Hello", { stream }));
  const lines = await setting.end();
  return { ...reply, line: lines[0], lines: lines.length, asked: provider.asked() };
}

const OK = message("fine");
const EVENTS = messageStream("fine");
const head = (more: string) => `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${more}\r\n`;
const says =
  (...pieces: (string | Buffer)[]): Say =>
  (socket) => {
    for (const piece of pieces) socket.write(piece);
    socket.end();
  };
const BIG = Buffer.alloc(65 * 2 ** 20, 0x61);
const bomb = zlib.gzipSync(Buffer.concat([Buffer.from(`{"pad":"`), BIG, Buffer.from('"}')]));
const values = `{"content":[${"{},".repeat(1_100_000)}{}]}`;
const deep = `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`;
const tool = JSON.stringify({
  ...JSON.parse(OK),
  content: [{ type: "tool_use", id: "t", name: "x", input: 0 }],
});

/** What is not a reply: told as an error of the provider's, in a sentence, and tried again at most as often as anything else. */
const NO_REPLY: Record<string, [Say, RegExp]> = {
  "a change to another protocol": [
    (socket) =>
      socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nx"),
    /did not answer/,
  ],
  "a head of 100 KB": [whole(OK, `x: ${"a".repeat(100_000)}\r\n`), /head of its reply is too long/],
  "garbage where a chunk begins": [
    says(head("transfer-encoding: chunked\r\n"), "zzz\r\nhello\r\n"),
    /broke off|HTTP/,
  ],
  "a chunk of 2^70 bytes": [
    says(head("transfer-encoding: chunked\r\n"), `${"F".repeat(18)}\r\nx`),
    /broke off|HTTP/,
  ],
  "two lengths": [says(head("content-length: 5\r\ncontent-length: 7\r\n"), "hello12"), /not HTTP/],
  "a length and chunks": [
    says(head("content-length: 5\r\ntransfer-encoding: chunked\r\n"), "5\r\nhello\r\n0\r\n\r\n"),
    /not HTTP|broke off/,
  ],
  "less than announced": [says(head("content-length: 9999\r\n"), OK), /closed the connection/],
  "more than announced": [says(head("content-length: 20\r\n"), OK), /not JSON/],
  "half a reply, its end the connection's": [says("HTTP/1.0 200 OK\r\n\r\n", OK.slice(0, -20)), /not JSON/],
  "65 MB in 65 KB": [whole(bomb, "content-encoding: gzip\r\n"), /too long once it is unpacked/],
  "a packing that is none": [whole("x", "content-encoding: gzip\r\n"), /unexpected end of file/],
  "a million empty objects": [whole(values), /more than .* values/],
  "objects inside objects": [
    whole(tool.replace('"input":0', `"input":${deep}`)),
    /objects inside each other/,
  ],
  "NaN for a usage": [whole(OK.replace(/:10/, ":NaN")), /not JSON/],
  "another kind of program": [says("SSH-2.0-OpenSSH_9.2\r\n"), /not HTTP/],
  "nothing at all": [says(), /closed the connection/],
  "no content": [says("HTTP/1.1 204 No Content\r\n\r\n"), /not JSON|closed/],
  "colours in a header": [whole(OK, "request-id: \x1b[31mred\r\n"), /not HTTP/],
  "a status nobody knows": [whole("{}", "", "999 Odd"), /status 999/],
};

describe.each(Object.keys(NO_REPLY))("%s", (name) => {
  test.each(CLIENTS)("is an error of the provider's to $path, stream: $stream", async (client) => {
    const [say, words] = NO_REPLY[name];
    const { status, whole: isWhole, body, line, lines, asked } = await tell(say, client);
    expect([status >= 500, isWhole, lines, asked]).toEqual([true, true, 1, 2]);
    expect(JSON.parse(body.toString()).error.message).toMatch(words);
    expect(line).toMatchObject({ outcome: "failed", blame: "provider", usage: null, cost: null });
  });
});

/** Odd, but a reply. */
const REPLY: Record<string, Say> = {
  "hints before it": says(
    "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(50),
    head(`content-length: ${OK.length}\r\n`),
    OK,
  ),
  "an old protocol, its end the connection's": says(
    "HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n",
    OK,
  ),
  "two replies to one request": (socket) => {
    whole(OK)(socket);
    whole(message("stale"))(socket);
  },
  "a stream where a whole reply was asked for, or the other way round": streamed(EVENTS.join("")),
};

describe.each(Object.keys(REPLY))("%s", (name) => {
  test.each(CLIENTS)("reaches $path in its own form, stream: $stream", async (client) => {
    const { status, headers, body, line } = await tell(REPLY[name], client);
    expect(status).toBe(200);
    expect(headers["content-type"]).toMatch(client.stream ? /^text\/event-stream/ : /^application\/json/);
    const text = body.toString();
    expect(client.stream || text.includes("fine")).toBe(true);
    expect(text).not.toContain("stale");
    expect(text.startsWith("{")).toBe(!client.stream);
    expect(line).toMatchObject({ outcome: "answered", usageSource: "reported", usage: { output: 5 } });
  });
});

test.each([301, 302, 307, 308])(
  "a redirection (%i) is never followed: the key would go with it",
  async (status) => {
    let stolen = 0;
    const thief = await startRawProvider(() => {
      stolen++;
    });
    endsWithTest(thief);
    for (const client of CLIENTS) {
      const say = whole("moved", `location: ${thief.url}/v1/messages\r\n`, `${status} Moved`);
      const { body, line, asked, ...reply } = await tell(say, client);
      expect([reply.status, asked, stolen]).toEqual([400, 1, 0]);
      expect(body.toString()).toContain("wrong address of the provider");
      expect(body.toString()).not.toContain(thief.url);
      expect(line).toMatchObject({ outcome: "failed", blame: "user" });
      expect(line.problem).toContain(`points to ${thief.url}`);
    }
  },
);

test("a stream that stays alive and says nothing is given up", async () => {
  const timers: NodeJS.Timeout[] = [];
  const alive: Say = (socket) => {
    streamedHead(socket);
    socket.write(EVENTS[0]);
    // Alive more often than a stall is called one.
    timers.push(setInterval(() => socket.write(': wait\n\nevent: ping\ndata: {"type":"ping"}\n\n'), 20));
  };
  for (const client of CLIENTS.filter(({ stream }) => stream)) {
    const { body, line } = await tell(alive, client);
    expect(body.toString()).toMatch(/said nothing of its reply/);
    expect(line).toMatchObject({ outcome: "failed", blame: "provider", usageSource: "estimated" });
  }
  for (const timer of timers) clearInterval(timer);
});

function streamedHead(socket: Parameters<Say>[0]): void {
  socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n");
}

test("a stream without an end is cut off", async () => {
  const comments = Buffer.alloc(2 ** 21, ": nothing to say, and much of it\n\n");
  const packed = zlib.gzipSync(Buffer.concat([Buffer.from(EVENTS[0]), comments]));
  const say = streamed(packed, "content-encoding: gzip\r\n");
  for (const client of CLIENTS.filter(({ stream }) => stream)) {
    const { line, body } = await tell(say, client, { streamBytes: 2 ** 20 });
    expect(body.length).toBeLessThan(2 ** 20 + 2 ** 17);
    expect(line).toMatchObject({ outcome: "failed", blame: "provider" });
    expect(line.problem).toContain("does not end");
  }
});

test("names a provider gives are a line of the ledger at most", async () => {
  const long = OK.replace("msg_1", "m".repeat(2 ** 20)).replace(
    "claude-real",
    "\\u001b[31m\\u202eevil".repeat(1e5),
  );
  for (const client of CLIENTS) {
    const { line } = await tell(whole(long, `request-id: ${"r".repeat(9000)}\r\n`), client);
    expect(line.outcome).toBe("answered");
    expect(JSON.stringify(line).length).toBeLessThan(8000);
  }
});
