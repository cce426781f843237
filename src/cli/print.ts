import { styleText } from "node:util";
import { foldLine } from "../reporters/text/fold-line.ts";

type Style = Parameters<typeof styleText>[0];

const enabled = process.env.NO_COLOR ? false : process.env.FORCE_COLOR ? true : process.stdout.isTTY === true;

/** Colour on a terminal, plain text everywhere else. */
export function paint(style: Style, text: string): string {
  return enabled ? styleText(style, text) : text;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Lines for people: on a terminal those that are too long are broken between words. */
export function printLines(lines: readonly string[]): void {
  const { columns, isTTY } = process.stdout;
  for (const line of isTTY ? lines.flatMap((line) => foldLine(line, columns || 80)) : lines) print(line);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, finiteOnly, 2)}\n`);
}

/** An error a person can act on: what is wrong, then what to do. */
export function printError(code: string, message: string, nextStep?: string | null): void {
  const lines = [`${paint("red", "error")}  ${paint("bold", code)}  ${message}`];
  if (nextStep) lines.push(`       ${nextStep}`);
  process.stderr.write(`${lines.join("\n")}\n`);
}

/** JSON has no NaN and no infinity; whoever needs to tell them apart writes a key that does. */
function finiteOnly(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? null : value;
}
