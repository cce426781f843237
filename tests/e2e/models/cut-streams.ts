import fs from "node:fs";
import path from "node:path";
import type { ProtocolName } from "../../../src/models/call.ts";
import { NAMES } from "../../unit/models/protocols/made-up.ts";
import { providers } from "../../unit/models/protocols/pairs/providers.ts";
import { openSetting, post } from "./gateway-setting.ts";
import { startRawProvider } from "./raw-provider.ts";

const REMOTE: Record<ProtocolName, string> = {
  chat: "compatible:m",
  responses: "openai:m",
  messages: "anthropic:m",
  gemini: "gemini:m",
};

const PATHS: Record<ProtocolName, string> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
  gemini: "/v1beta/models/m:streamGenerateContent?alt=sse",
};

/** What only a reply that is whole has, by the client's protocol. */
const ENDS: Record<ProtocolName, RegExp> = {
  chat: /"finish_reason":"(stop|tool_calls|length)"/,
  responses: /response\.(completed|incomplete)/,
  messages: /message_stop/,
  gemini: /"finishReason":/,
};

function bodyFor(client: ProtocolName): object {
  const user = [{ role: "user", content: "x" }];
  if (client === "gemini") return { contents: [{ role: "user", parts: [{ text: "x" }] }] };
  if (client === "responses") return { model: "m", stream: true, input: user };
  return {
    model: "m",
    stream: true,
    max_tokens: 50,
    messages: user,
    stream_options: { include_usage: true },
  };
}

/**
 * Every pair of protocols with a stream whose connection breaks at each `step`-th of its bytes. Says what is wrong: a reply that
 * looks whole, bytes that were changed, a call that was tried again after its first byte, a line that is missing or blames nobody.
 */
export async function cutStreams(
  folder: string,
  step: number,
): Promise<{ cuts: number; problems: string[] }> {
  const problems: string[] = [];
  let cuts = 0;
  for (const from of NAMES) {
    const stream = Buffer.from(providers[from].stream(1));
    // Where a cut is a whole reply that was ended badly.
    const wholeFrom = stream.toString().search(ENDS[from]);
    for (const client of NAMES) {
      let at = 0;
      const provider = await startRawProvider((socket) => {
        socket.write(
          "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n",
        );
        if (at > 0) {
          socket.write(`${at.toString(16)}\r\n`);
          socket.write(stream.subarray(0, at));
        }
        socket.end();
      });
      const model = {
        model: REMOTE[from],
        base_url: `${provider.url}${from === "chat" ? "/v1" : ""}`,
        protocols: [from],
        price: { input: 1, output: 1 },
      };
      const place = path.join(folder, `${client}-${from}`);
      fs.mkdirSync(place);
      const setting = await openSetting({
        folder: place,
        roles: { default: "m" },
        file: { models: { m: model } },
        settings: { transcripts: "none" },
        timing: { retryMs: 1, tries: 2 },
      });
      for (at = 0; at <= stream.length; at += step) {
        const where = `${client} from ${from}, cut at ${at} of ${stream.length}`;
        const before = provider.asked();
        const reply = await post(`${setting.gateway.url}${PATHS[client]}`, JSON.stringify(bodyFor(client)));
        const text = reply.body.toString();
        cuts++;
        const tries = provider.asked() - before;
        if (tries !== (at === 0 ? 2 : 1)) problems.push(`${where}: tried ${tries} times`);
        if (at < wholeFrom && reply.whole && !/"error"/.test(text)) problems.push(`${where}: looks whole`);
        if (client === from && at > 0 && !reply.body.subarray(0, at).equals(stream.subarray(0, at)))
          problems.push(`${where}: its bytes were changed`);
        if (at < wholeFrom && ENDS[client].test(text)) problems.push(`${where}: has an end of its own`);
      }
      const lines = await setting.end();
      const calls = Math.floor(stream.length / step) + 1;
      const odd = lines.find(({ outcome, blame }) => outcome !== "failed" || blame !== "provider");
      if (odd !== undefined)
        problems.push(`${client} from ${from}: one is ${odd.outcome}, blame ${odd.blame}: ${odd.problem}`);
      if (lines.length !== calls)
        problems.push(`${client} from ${from}: ${lines.length} lines of ${calls} calls`);
      await provider.close();
    }
  }
  return { cuts, problems };
}
