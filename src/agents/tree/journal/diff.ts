const MAX_LINES = 3000;
const CONTEXT = 2;

/** What changed between two programs, as a unified diff without file names; "" where nothing did. */
export function unifiedDiff(before: string, after: string): string {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [oldPart, newPart] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (oldPart.length === 0 && newPart.length === 0) return "";
  const edits =
    oldPart.length > MAX_LINES || newPart.length > MAX_LINES
      ? [...oldPart.map((line) => `-${line}`), ...newPart.map((line) => `+${line}`)]
      : editsOf(oldPart, newPart);
  const lead = a.slice(Math.max(0, start - CONTEXT), start).map((line) => ` ${line}`);
  const trail = a.slice(a.length - end, a.length - end + CONTEXT).map((line) => ` ${line}`);
  const first = Math.max(0, start - CONTEXT) + 1;
  const count = (part: readonly string[]) => lead.length + part.length + trail.length;
  return [
    `@@ -${first},${count(oldPart)} +${first},${count(newPart)} @@`,
    ...lead,
    ...edits,
    ...trail,
    "",
  ].join("\n");
}

/** By the longest common subsequence of lines. */
function editsOf(a: readonly string[], b: readonly string[]): string[] {
  const width = b.length + 1;
  const length = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      length[i * width + j] =
        a[i] === b[j]
          ? length[(i + 1) * width + j + 1] + 1
          : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
  const edits: string[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      edits.push(` ${a[i]}`);
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && length[(i + 1) * width + j] >= length[i * width + j + 1]))
      edits.push(`-${a[i++]}`);
    else edits.push(`+${b[j++]}`);
  }
  return edits;
}
