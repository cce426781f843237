import { randomInteger, seededRandom } from "../../learning/seeded-random.ts";
import type { TokenServer } from "./completions.ts";

export interface DocumentScore {
  /** `echo`: exact, of every sampled token. `top`: of the tokens that are among the most likely, 0 for all others. */
  method: "echo" | "top";
  positions: number;
  /** The mean probability of the true next token. */
  familiarity: number;
}

/** Less is shown to the model at once: contexts have an end. */
const MAX_CHARACTERS = 12_000;

/** Mean probability of the true next token at up to so many positions, drawn without replacement. Null: the server cannot. */
export async function scoreDocument(
  server: TokenServer,
  text: string,
  { positions, seed }: { positions: number; seed: number },
): Promise<DocumentScore | null> {
  return (await byEcho(server, text, positions, seed)) ?? byTop(server, text, positions, seed);
}

async function byEcho(
  server: TokenServer,
  text: string,
  positions: number,
  seed: number,
): Promise<DocumentScore | null> {
  const known: number[] = [];
  for (let at = 0; at < text.length; at += MAX_CHARACTERS) {
    const scored = await server.scoreText(text.slice(at, at + MAX_CHARACTERS));
    if (scored === null) return null;
    // Nothing stands before the first token, so nobody predicts it.
    for (const logprob of scored.logprobs) if (logprob !== null) known.push(Math.exp(logprob));
  }
  return known.length === 0 ? null : meanOf("echo", drawn(known, positions, seed));
}

async function byTop(
  server: TokenServer,
  text: string,
  positions: number,
  seed: number,
): Promise<DocumentScore | null> {
  // Where a word begins a token begins, whatever the tokeniser.
  const starts = [...text.matchAll(/(?<=\S)(?=\s+\S)/g)].map(({ index }) => index);
  const found: number[] = [];
  for (const at of drawn(starts, positions, seed)) {
    const top = await server.nextTokens(text.slice(Math.max(0, at - MAX_CHARACTERS), at));
    if (top === null) return null;
    found.push(trueTokenProbability(top, text.slice(at)));
  }
  return found.length === 0 ? null : meanOf("top", found);
}

/** The true token is the longest of those returned that the text goes on with; 0 when none of them is. */
export function trueTokenProbability(top: ReadonlyMap<string, number>, rest: string): number {
  const fitting = [...top.keys()].filter((token) => token !== "" && rest.startsWith(token));
  if (fitting.length === 0) return 0;
  const longest = fitting.reduce((a, b) => (b.length > a.length ? b : a));
  return Math.exp(top.get(longest)!);
}

function meanOf(method: DocumentScore["method"], values: readonly number[]): DocumentScore {
  const familiarity = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { method, positions: values.length, familiarity };
}

/** Without replacement, in the order of the text. */
function drawn<T>(all: readonly T[], count: number, seed: number): T[] {
  if (all.length <= count) return [...all];
  const random = seededRandom(seed);
  const order = all.map((_, i) => i);
  for (let i = 0; i < count; i++) {
    const j = i + randomInteger(random, order.length - i);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order
    .slice(0, count)
    .sort((a, b) => a - b)
    .map((i) => all[i]);
}
