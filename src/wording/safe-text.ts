/**
 * What must not reach a terminal or a page from somebody else's text: control characters (escape sequences among them,
 * also the one-byte forms), half surrogates, characters that turn the direction of writing, that break lines behind
 * the reader's back or that nobody sees.
 */
const UNSAFE =
  /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Text from elsewhere as part of a line of ours: it stays on that line, and what is not plain text is spelled out. */
export function safeText(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** The same for text that may have lines of its own. */
export function safeBlock(text: string): string {
  return text.replace(UNSAFE, (character: string, at: number) => {
    const endsLine = character === "\n" || (character === "\r" && text[at + 1] === "\n");
    return endsLine || character === "\t" ? character : escaped(character);
  });
}

/** As JSON would spell it, so that JSON stays JSON. */
function escaped(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");
}
