const SHORTEST_VIEW = 13;

/** A copy. V8 keeps a text cut out of a longer one as a view: one word of a document would hold all of it in memory. */
export function ownText(text: string): string {
  return text.length < SHORTEST_VIEW ? text : Buffer.from(text, "utf8").toString("utf8");
}
