/** A plan and a program, as far as a reply has them. */
export interface Extracted {
  plan: string;
  code: string | null;
}

const MAX_PLAN = 4000;
const MAX_CODE = 1024 * 1024;
/** Of a longer reply only the beginning is looked at: no plan and program fill it. */
const MAX_REPLY = 4 * MAX_CODE;
const FENCE = /^([ \t]*)(`{3,}|~{3,})(.*)$/;

/**
 * The longest code block is the program; what stands before the first block is the plan. A block that never ends counts.
 * Fences as in Markdown: a block ends at a line of the same characters, at least as many, and nothing else.
 */
export function extractReply(reply: string): Extracted {
  const lines = reply.slice(0, MAX_REPLY).split(/\r?\n/);
  const { blocks, first } = blocksOf(lines);
  const longest = blocks.reduce((best, code) => (code.length > best.length ? code : best), "");
  const plan = lines.slice(0, first).join("\n").trim().slice(0, MAX_PLAN);
  const usable = longest.trim() !== "" && longest.length <= MAX_CODE;
  return { plan, code: usable ? `${longest.trimEnd()}\n` : null };
}

function blocksOf(lines: readonly string[]): { blocks: string[]; first: number } {
  const blocks: string[] = [];
  let first = lines.length;
  for (let at = 0; at < lines.length; at++) {
    const [, indent, fence, words] = FENCE.exec(lines[at]) ?? [];
    if (fence === undefined) continue;
    first = Math.min(first, at);
    // All of it in one line.
    if (words.endsWith(fence) && words.length > fence.length) {
      blocks.push(words.slice(0, -fence.length).trim());
      continue;
    }
    const own: string[] = [];
    for (at++; at < lines.length && !endsBlock(lines[at], fence); at++)
      own.push(lines[at].startsWith(indent) ? lines[at].slice(indent.length) : lines[at]);
    blocks.push(own.join("\n"));
  }
  return { blocks, first };
}

function endsBlock(line: string, fence: string): boolean {
  const text = line.trim();
  return text.length >= fence.length && text === fence[0].repeat(text.length);
}
