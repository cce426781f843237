import type { ComponentChildren } from "preact";

/** A description as people wrote it: headings, lists, tables, code. Links are text, and markup in it is text too. */
export function Markdown({ text }: { text: string }) {
  return <div class="markdown">{blocksOf(text).map(blockView)}</div>;
}

type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "list"; ordered: boolean; items: string[] }
  | { kind: "table"; rows: string[][] };

const ITEM = /^\s*(?:([-*+])|\d+[.)])\s+(.*)$/;
const FENCE = /^\s*(?:```|~~~)/;

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let code: string[] | null = null;
  // Whether the line before belongs together with the next one.
  let open = false;
  for (const line of text.split("\n")) {
    const last = open ? blocks.at(-1) : undefined;
    const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line);
    const item = ITEM.exec(line);
    if (FENCE.test(line)) {
      if (code !== null) blocks.push({ kind: "code", text: code.join("\n") });
      code = code === null ? [] : null;
      open = false;
    } else if (code !== null) code.push(line);
    else if (line.trim() === "") open = false;
    else if (heading !== null) {
      blocks.push({ kind: "heading", level: heading[1].length, text: heading[2] });
      open = false;
    } else if (/^\s*\|.*\|\s*$/.test(line)) {
      const cells = line
        .trim()
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim());
      if (last?.kind !== "table") blocks.push({ kind: "table", rows: [cells] });
      else if (!cells.every((cell) => /^:?-+:?$/.test(cell))) last.rows.push(cells);
      open = true;
    } else if (item !== null) {
      if (last?.kind === "list") last.items.push(item[2]);
      else blocks.push({ kind: "list", ordered: item[1] === undefined, items: [item[2]] });
      open = true;
    } else {
      if (last?.kind === "list") last.items.push(`${last.items.pop()} ${line.trim()}`);
      else if (last?.kind === "text") last.text += ` ${line.trim()}`;
      else blocks.push({ kind: "text", text: line.trim() });
      open = true;
    }
  }
  if (code !== null) blocks.push({ kind: "code", text: code.join("\n") });
  return blocks;
}

function blockView(block: Block, i: number): ComponentChildren {
  switch (block.kind) {
    case "heading":
      return block.level <= 2 ? <h3 key={i}>{inline(block.text)}</h3> : <h4 key={i}>{inline(block.text)}</h4>;
    case "text":
      return <p key={i}>{inline(block.text)}</p>;
    case "code":
      return (
        <pre key={i} class="turn-text" tabIndex={0} role="group" aria-label="Example">
          {block.text}
        </pre>
      );
    case "list": {
      const items = block.items.map((item, at) => <li key={at}>{inline(item)}</li>);
      return block.ordered ? <ol key={i}>{items}</ol> : <ul key={i}>{items}</ul>;
    }
    case "table":
      return <TableView key={i} rows={block.rows} />;
  }
}

function TableView({ rows: [head, ...rows] }: { rows: string[][] }) {
  return (
    <div class="scroll snug" tabIndex={0} role="region" aria-label="Table of the description">
      <table class="plain">
        <thead>
          <tr>
            {head.map((cell, i) => (
              <th key={i} scope="col">
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, at) => (
                <td key={at}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Code, weight, and links by their text. */
function inline(text: string): ComponentChildren[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|!?\[[^\]]*\]\([^)\s]*\))/).map((part, i) => {
    if (/^`.+`$/.test(part)) return <code key={i}>{part.slice(1, -1)}</code>;
    if (/^\*\*.+\*\*$/.test(part)) return <strong key={i}>{part.slice(2, -2)}</strong>;
    return /^!?\[([^\]]*)\]\([^)\s]*\)$/.exec(part)?.[1] ?? part;
  });
}
