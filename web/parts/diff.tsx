import { diffLines } from "diff";

interface Line {
  kind: "same" | "added" | "removed" | "gap";
  text: string;
}

const CONTEXT = 3;
/** Beyond this two texts count as different altogether: comparing must not stop the page. */
const MAX_EDITS = 4000;

/** What changed from one text to another, unchanged parts folded. */
export function Diff({ before, after, label }: { before: string; after: string; label: string }) {
  return <DiffLines lines={folded(linesOf(before, after))} label={label} />;
}

/** A unified diff that somebody else made, with colours. */
export function UnifiedDiff({ text, label }: { text: string; label: string }) {
  const lines = text
    .split("\n")
    .filter((line) => !/^(---|\+\+\+) /.test(line))
    .map((line): Line => {
      if (line.startsWith("@@")) return { kind: "gap", text: line };
      if (line.startsWith("+")) return { kind: "added", text: line.slice(1) };
      if (line.startsWith("-")) return { kind: "removed", text: line.slice(1) };
      return { kind: "same", text: line.slice(1) };
    });
  return <DiffLines lines={lines} label={label} />;
}

function DiffLines({ lines, label }: { lines: Line[]; label: string }) {
  if (lines.every(({ kind }) => kind === "same" || kind === "gap"))
    return <p class="note">Nothing has changed.</p>;
  return (
    <pre class="log diff" tabIndex={0} role="group" aria-label={label}>
      {lines.slice(0, 4000).map(({ kind, text }, i) => (
        <span key={`${i}${kind}`} class={`diff-${kind}`}>
          <span aria-hidden="true">{{ same: "  ", added: "+ ", removed: "− ", gap: "" }[kind]}</span>
          {kind === "added" && <span class="hidden">added: </span>}
          {kind === "removed" && <span class="hidden">removed: </span>}
          {text}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

function linesOf(before: string, after: string): Line[] {
  const parts = diffLines(before, after, { maxEditLength: MAX_EDITS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return parts.flatMap(({ value, added, removed }) =>
    value
      .replace(/\n$/, "")
      .split("\n")
      .map((text): Line => ({ kind: added ? "added" : removed ? "removed" : "same", text })),
  );
}

function folded(lines: readonly Line[]): Line[] {
  const near = new Set<number>();
  for (const [i, { kind }] of lines.entries())
    if (kind !== "same") for (let at = i - CONTEXT; at <= i + CONTEXT; at++) near.add(at);
  const shown: Line[] = [];
  let skipped = 0;
  for (const [i, line] of lines.entries()) {
    if (near.has(i)) {
      if (skipped > 0) shown.push({ kind: "gap", text: `${skipped} unchanged lines` });
      skipped = 0;
      shown.push(line);
    } else skipped++;
  }
  if (skipped > 0 && shown.length > 0) shown.push({ kind: "gap", text: `${skipped} unchanged lines` });
  return shown;
}
