import type { Store } from "../store.ts";

/** What a page may ask for. A route answers with data, or says in a sentence why there are none. */
export type Route = (store: Store, ask: Ask) => Promise<Answer> | Answer;

export type Ask = Readonly<Record<string, string>>;

export type Answer = { ok: true; value: unknown } | { ok: false; status: 400 | 404; message: string };

export function answer(value: unknown): Answer {
  return { ok: true, value };
}

export function gone(what: string): Answer {
  return { ok: false, status: 404, message: `${what} is not there (any more).` };
}

export function wrong(message: string): Answer {
  return { ok: false, status: 400, message };
}

/** A whole number from 0 on; what is not one is the given default. */
export function countOf(text: string | undefined, otherwise: number): number {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : otherwise;
}
