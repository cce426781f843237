/** The gateway's own estimate where there is no tokenizer. Counted in bytes: other scripts than Latin cost more. */
const BYTES_PER_TOKEN = 3.6;

export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/** A text that grows by whole lines and never beyond its budget. */
export interface Page {
  /** Whether it fitted; if not, nothing was added. */
  add(block: string): boolean;
  left(): number;
  text(): string;
}

/** Keeps a line in reserve, so that it can always say that something was left out. */
export function page(tokens: number): Page {
  const max = Math.floor(tokens * BYTES_PER_TOKEN);
  const parts: string[] = [];
  let bytes = 0;
  return {
    add(block) {
      const size = Buffer.byteLength(block) + 1;
      if (bytes + size > max) return false;
      parts.push(block);
      bytes += size;
      return true;
    },
    left: () => Math.floor((max - bytes) / BYTES_PER_TOKEN),
    text: () => parts.map((part) => `${part}\n`).join(""),
  };
}

/** At most so many tokens of a text, cut at a line, with a last line that says so. */
export function cutToTokens(text: string, tokens: number, hint = ""): string {
  if (estimateTokens(text) <= tokens) return text;
  const note = `[cut: ${text.split("\n").length} lines in all${hint ? `; ${hint}` : ""}]`;
  const sheet = page(tokens - estimateTokens(note) - 1);
  for (const line of text.split("\n")) if (!sheet.add(line)) break;
  const kept = sheet.text();
  // One line may be longer than everything: then its beginning is better than nothing.
  const start =
    kept === "" ? text.slice(0, Math.max(0, Math.floor((tokens - estimateTokens(note) - 1) * 0.9))) : kept;
  return estimateTokens(`${start}${note}`) <= tokens
    ? `${start}${note}`
    : note.slice(0, Math.max(0, tokens * 3));
}
