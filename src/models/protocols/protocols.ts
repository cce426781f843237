import type { ProtocolName } from "../call.ts";
import { chat } from "./chat/chat.ts";
import { gemini } from "./gemini/gemini.ts";
import { messages } from "./messages/messages.ts";
import type { Endpoint, Protocol } from "./protocol.ts";
import { responses } from "./responses/responses.ts";

export const protocols: Record<ProtocolName, Protocol> = { chat, responses, messages, gemini };

/** Which protocol a request speaks and what it is about; null where it is none of theirs. Header names in lower case. */
export function matchRequest(
  method: string,
  path: string,
  headers: Record<string, string | string[] | undefined>,
): { protocol: Protocol; endpoint: Endpoint } | null {
  for (const protocol of Object.values(protocols)) {
    const endpoint = protocol.match(method, path);
    if (!endpoint) continue;
    const listing = endpoint.kind === "list-models" || endpoint.kind === "show-model";
    // Two protocols have their list of models under the same path.
    if (listing && protocol === chat && headers["anthropic-version"] !== undefined)
      return { protocol: messages, endpoint };
    return { protocol, endpoint };
  }
  return null;
}

/** The key a client sent under any of the headers the protocols know, or null. */
export function keyOf(headers: Record<string, string | string[] | undefined>): string | null {
  for (const protocol of Object.values(protocols)) {
    for (const name of protocol.keyHeaders) {
      const value = headers[name];
      const text = Array.isArray(value) ? value[0] : value;
      if (text) return name === "authorization" ? text.replace(/^Bearer\s+/i, "") : text;
    }
  }
  return null;
}
