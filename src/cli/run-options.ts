import fs from "node:fs";
import { InvalidArgumentError } from "commander";
import { z } from "zod";
import { readUntil, UNTIL_HINT } from "../agents/coding/until.ts";
import { type Network, parseNetwork } from "../trials/trial/schema.ts";
import { durationOption, sizeOption } from "./options.ts";

/** A general value, and those of single competitions. */
export interface PerCompetition {
  general?: number;
  of: Record<string, number>;
}

/** `24h` for all, `leaf-classification=2h` for one; the option may be repeated. */
export function collectDurations(text: string, before: PerCompetition = { of: {} }): PerCompetition {
  return collect(text, before, durationOption);
}

/** `440GiB` for all, `leaf-classification=16GiB` for one; the option may be repeated. */
export function collectSizes(text: string, before: PerCompetition = { of: {} }): PerCompetition {
  return collect(text, before, sizeOption);
}

function collect(text: string, before: PerCompetition, parse: (text: string) => number): PerCompetition {
  const match = /^([^=]+)=(.+)$/.exec(text);
  if (match === null) return { ...before, general: parse(text) };
  return { ...before, of: { ...before.of, [match[1]]: parse(match[2]) } };
}

export function networkOption(text: string): Network {
  const network = parseNetwork(text);
  if (network === null) throw new InvalidArgumentError("Write none, open, or allow-list=host,host.");
  return network;
}

export function untilOption(text: string): string {
  if (readUntil(text) === null) throw new InvalidArgumentError(`Write ${UNTIL_HINT}.`);
  return text;
}

export function parseAmount(text: string): number {
  const amount = Number(text);
  if (!Number.isFinite(amount) || amount <= 0) throw new InvalidArgumentError("It must be a number above 0.");
  return amount;
}

export function parseWhole(text: string): number {
  const amount = Number(text);
  if (!Number.isInteger(amount) || amount < 0)
    throw new InvalidArgumentError("It must be a whole number from 0.");
  return amount;
}

const ContainerConfig = z.looseObject({
  mem_limit: z.union([z.string(), z.number()]).nullish(),
  nano_cpus: z.number().nullish(),
  gpus: z.int().nullish(),
});

export interface ContainerWishes {
  memoryBytes: number | null;
  cpus: number | null;
  /** -1 means all. */
  gpus: number | null;
  /** Keys that mean nothing here. */
  ignored: string[];
}

/** The original's container settings, as far as they are limits: what else they say is the engine's business. */
export function readContainerConfig(file: string): ContainerWishes {
  let content: unknown;
  try {
    content = JSON.parse(fs.readFileSync(file, "utf8"));
  } catch (error) {
    throw new InvalidArgumentError(`${file} cannot be read: ${(error as Error).message}`);
  }
  const parsed = ContainerConfig.safeParse(content);
  if (!parsed.success) throw new InvalidArgumentError(`${file}: ${z.prettifyError(parsed.error)}`);
  const { mem_limit: memory, nano_cpus: nano, gpus, ...rest } = parsed.data;
  return {
    memoryBytes: memory == null ? null : typeof memory === "number" ? memory : engineSize(memory),
    cpus: nano == null ? null : nano / 1e9,
    gpus: gpus ?? null,
    ignored: Object.keys(rest),
  };
}

/** Docker counts in 2^30 whether one writes `440g` or `440gb`. */
function engineSize(text: string): number {
  return sizeOption(text.trim().replace(/([kmgt])b$/i, "$1"));
}
