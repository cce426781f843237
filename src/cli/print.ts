import { randomInt } from "node:crypto";
import { styleText } from "node:util";
import { foldLine } from "../reporters/text/fold-line.ts";
import type { Problem } from "../wording/problem.ts";
import { safeBlock } from "../wording/safe-text.ts";

type Style = Parameters<typeof styleText>[0];

const enabled = process.env.NO_COLOR ? false : process.env.FORCE_COLOR ? true : process.stdout.isTTY === true;

/** Escape sequences of our own carry a number that nobody else can know; all others are spelled out when printed. */
const OWN = String(randomInt(1e11, 1e12));
const ESCAPE = String.fromCharCode(27);
const OWN_ESCAPES = new RegExp(`${ESCAPE}\\[${OWN};([0-9;]+)m`);

/** Colour on a terminal, plain text everywhere else. */
export function paint(style: Style, text: string): string {
  if (!enabled) return text;
  const [before, after] = styleText(style, "\0", { validateStream: false }).split("\0");
  const ours = (sequence: string) => sequence.replaceAll(`${ESCAPE}[`, `${ESCAPE}[${OWN};`);
  return `${ours(before ?? "")}${text}${ours(after ?? "")}`;
}

/**
 * The one way for text to reach a terminal: colours of ours become escape sequences here, and whatever else is not
 * plain text is spelled out. Agents, certificates and files of others have a say in much of what is printed.
 */
export function forTerminal(text: string): string {
  return text
    .split(OWN_ESCAPES)
    .map((part, i) => (i % 2 === 1 ? `${ESCAPE}[${part}m` : part.split("\r\n").map(safeBlock).join("\r\n")))
    .join("");
}

export function print(text: string): void {
  writeOut(`${text}\n`);
}

/** Without a line break of ours. */
export function writeOut(text: string): void {
  process.stdout.write(forTerminal(text));
}

/** A line beside the result, on standard error. */
export function printNote(text: string): void {
  process.stderr.write(`${forTerminal(text)}\n`);
}

/** A line that is written over by the next one, on a terminal; an empty one takes it away. */
export function showInPlace(line: string): void {
  process.stderr.write(`\r${ESCAPE}[2K${forTerminal(line)}`);
}

/** How wide a line may be: a file and a pipe have all the room there is. */
export function pageWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
}

/** Lines for people: on a terminal those that are too long are broken between words. */
export function printLines(lines: readonly string[]): void {
  const width = pageWidth();
  for (const line of lines.flatMap((one) => foldLine(one, width))) print(line);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, finiteOnly, 2));
}

/** An error a person can act on: what is wrong, then what to do. */
export function printError(code: string, message: string, nextStep?: string | null): void {
  // Further lines stand further in, so that no message can look like a line of ours.
  const lines = [
    `${paint("red", "error")}  ${paint("bold", code)}  ${message.replaceAll("\n", "\n       ")}`,
  ];
  if (nextStep) lines.push(`       ${nextStep}`);
  printNote(lines.join("\n"));
}

/** What a workflow refused with. */
export function printProblem({ code, message, nextStep }: Problem): void {
  printError(code, message, nextStep);
}

/** Decisions that may be lost matter: a medal may have been disqualified. True when there are any. */
export function printDoubts(doubts: readonly string[]): boolean {
  for (const doubt of doubts)
    printError(
      "DOUBTFUL",
      `A medal may have been disqualified. ${doubt}.`,
      "see: mlebench integrity show <group>",
    );
  return doubts.length > 0;
}

/** JSON has no NaN and no infinity; whoever needs to tell them apart writes a key that does. */
function finiteOnly(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? null : value;
}
