import type { Ask } from "./routes/route.ts";

/** The same key as the front end makes of what it asks for. */
export function keyOf(name: string, ask: Ask): string {
  const pairs = Object.entries(ask).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${name}?${pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&")}`;
}

/** JSON as part of a script: what JSON allows and scripts do not is escaped, and so is what would end one. */
export function scriptText(value: unknown): string {
  const finite = (_: string, one: unknown) => (typeof one === "number" && !Number.isFinite(one) ? null : one);
  return JSON.stringify(value, finite).replace(/[<\u2028\u2029]/g, (character) =>
    character === "<" ? "\\u003c" : `\\u${character.charCodeAt(0).toString(16)}`,
  );
}

/** Secrets also as they stand in such a script, and in JSON that is text in it. */
export function inScripts(secrets: readonly string[]): string[] {
  const escaped = (text: string) => scriptText(text).slice(1, -1);
  return secrets.flatMap((secret) => [secret, escaped(secret), escaped(JSON.stringify(secret).slice(1, -1))]);
}
