import { type Command, InvalidArgumentError } from "commander";
import { resolveSplit, SPLIT_NAMES } from "../competitions/splits.ts";

export interface ChoiceOptions {
  competition?: string[];
  lite?: boolean;
  all?: boolean;
  list?: string;
  split?: string;
}

/** The ways to name competitions, for commands that work on many. */
export function addChoiceOptions(command: Command): Command {
  return command
    .option("-c, --competition <id...>", "one or more competitions")
    .option("--lite", "the 22 competitions of the lite split")
    .option("--all", "all 75 competitions")
    .option("--list <file>", "a text file with one id a line")
    .option("--split <name>", `a split: ${SPLIT_NAMES.join(", ")}`);
}

/** The chosen ids, each once, in the order given; a sentence when nothing or nothing known was named. */
export function chosenIds(options: ChoiceOptions): { ids: string[] } | { message: string } {
  const ids = [...(options.competition ?? [])];
  const splits = [options.lite && "lite", options.all && "all", options.list, options.split];
  for (const split of splits) {
    if (!split) continue;
    const resolved = resolveSplit(split);
    if (!resolved.ok) return { message: resolved.message };
    ids.push(...resolved.ids);
  }
  if (ids.length === 0) return { message: "No competition was named." };
  return { ids: [...new Set(ids)] };
}

/** `key=value` as a number, a truth value or a string; collected into one object. */
export function collectSetting(
  text: string,
  before: Record<string, number | string | boolean> = {},
): Record<string, number | string | boolean> {
  const match = /^([A-Za-z_]\w*)=(.*)$/s.exec(text);
  if (!match) throw new InvalidArgumentError("Write key=value, such as test_size=0.2.");
  const [, key, value] = match;
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value);
  const parsed = isNumber ? Number(value) : value === "true" || value === "false" ? value === "true" : value;
  return { ...before, [key]: parsed };
}
