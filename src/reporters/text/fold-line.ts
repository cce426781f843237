import { visibleLength } from "./table.ts";

/** A long line as a terminal should show it: broken between words, what follows a little further in. */
export function foldLine(line: string, width: number): string[] {
  if (visibleLength(line) <= width) return [line];
  const [margin] = /^ */.exec(line)!;
  const indent = `${margin}  `;
  const folded: string[] = [];
  let current = margin;
  let length = margin.length;
  let isEmpty = true;
  for (const [, blanks, word] of line.slice(margin.length).matchAll(/( *)([^ ]+)/g)) {
    const needed = visibleLength(word);
    if (!isEmpty && length + blanks.length + needed > width) {
      folded.push(current);
      current = indent + word;
      length = indent.length + needed;
    } else {
      current += blanks + word;
      length += blanks.length + needed;
    }
    isEmpty = false;
  }
  return [...folded, current];
}
