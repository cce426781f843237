import { safeBlock } from "../../wording/safe-text.ts";

const LONGEST_LINE = 2000;
/** Colours and movements of a terminal: nothing that a page could show. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these sequences begin with one.
const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** A log as text for a page: no terminal sequences, nothing invisible, and no line longer than a reader's patience. */
export function pageText(bytes: Buffer): string {
  const text = bytes.toString("utf8").replace(SEQUENCES, "");
  return text
    .split("\n")
    .map((line) => shortLine(safeBlock(lastWritten(line))))
    .join("\n");
}

/** What overwrote itself, as progress bars do, shows its last state. */
function lastWritten(line: string): string {
  const states = line.split("\r");
  return states.findLast((state) => state !== "") ?? "";
}

function shortLine(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  return `${line.slice(0, LONGEST_LINE)} … ${(line.length - LONGEST_LINE).toLocaleString("en-US")} more characters`;
}
