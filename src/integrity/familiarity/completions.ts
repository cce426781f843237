import { z } from "zod";
import { protocols } from "../../models/protocols/protocols.ts";
import { endpointUrl } from "../../models/providers/address.ts";
import { providers } from "../../models/providers/providers.ts";
import { keyOf, type RemoteModel } from "../../models/resolve.ts";
import { readWhole, send } from "../../models/transport/send.ts";

/** What a server that completes text says of tokens: of those it was given, or of the next one. */
export interface TokenServer {
  /** Every token of the text with its log-probability; null where the server does not echo. */
  scoreText(text: string): Promise<{ tokens: string[]; logprobs: (number | null)[] } | null>;
  /** The most likely next tokens with their log-probabilities; null where the server gives none. */
  nextTokens(prefix: string): Promise<Map<string, number> | null>;
}

const Echoed = z.object({
  choices: z
    .array(
      z.object({
        logprobs: z
          .object({
            tokens: z.array(z.string()),
            token_logprobs: z.array(z.number().nullable()),
            top_logprobs: z.array(z.record(z.string(), z.number()).nullable()).nullish(),
          })
          .nullish(),
      }),
    )
    .min(1),
});
const PATIENCE_MS = 120_000;
const TRIES = 3;
/** As the original asks for. */
const TOP = 10;

/** A server with the legacy completions endpoint, as base models have it: the chat forms cannot score a text. */
export function tokenServer(model: RemoteModel): TokenServer | { message: string } {
  const found = keyOf(model);
  if ("code" in found) return { message: found.message };
  const authorize = providers[model.provider].authorize ?? protocols.chat.authorize;
  const headers = { "content-type": "application/json", ...(found.key === null ? {} : authorize(found.key)) };
  const url = endpointUrl(model.baseUrl, "/v1/completions");
  const ask = async (body: object) => {
    for (let tries = 1; ; tries++) {
      const reply = await send({
        url,
        method: "POST",
        headers,
        body: Buffer.from(JSON.stringify({ model: model.id, temperature: 0, ...body })),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = (await readWhole(reply.stream)).toString("utf8");
      if (reply.status === 200) return Echoed.safeParse(parsed(text)).data?.choices[0].logprobs ?? null;
      if (reply.status >= 500 || reply.status === 429) {
        if (tries < TRIES) continue;
        throw new Error(`status ${reply.status}`);
      }
      return null;
    }
  };
  return {
    async scoreText(text) {
      const answer = await ask({ prompt: text, max_tokens: 0, echo: true, logprobs: 1 });
      if (answer === null || answer.tokens.join("") !== text) return null;
      return { tokens: answer.tokens, logprobs: answer.token_logprobs };
    },
    async nextTokens(prefix) {
      const answer = await ask({ prompt: prefix, max_tokens: 1, logprobs: TOP });
      const top = answer?.top_logprobs?.[0];
      return top == null ? null : new Map(Object.entries(top));
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
