import fs from "node:fs";
import path from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { withoutLogin } from "../models/masking.ts";
import { parseRole } from "../models/names.ts";
import type { ModelAccess } from "../models/settings.ts";
import { TRANSCRIPT_MODES, type TranscriptMode } from "../models/transcripts/store.ts";

interface Limits {
  trial?: number;
  group?: number;
}

export interface ModelOptions {
  model?: Record<string, string>;
  modelsFile?: string;
  maxCost?: Limits;
  maxTokens?: Limits;
  maxCalls?: Limits;
  providerTools?: boolean;
  transcripts?: TranscriptMode;
  record?: string;
}

/** The options of everything that asks models. */
export function addModelOptions(command: Command): Command {
  return command
    .option(
      "--model <name>",
      "a model such as anthropic:claude-sonnet-5, or <role>=<name>; may be repeated",
      collectModels,
    )
    .addOption(modelsFileOption())
    .option(
      "--max-cost <usd>",
      "what a trial may spend on models; group=<usd> for all of them together",
      collectLimit(false),
    )
    .option("--max-tokens <n>", "tokens of a trial, or group=<n>", collectLimit(true))
    .option("--max-calls <n>", "model calls of a trial, or group=<n>", collectLimit(true))
    .option("--provider-tools", "allow tools that run at the provider, such as web search")
    .addOption(
      new Option("--transcripts <mode>", "what is kept of the conversations (default: full)").choices(
        TRANSCRIPT_MODES,
      ),
    )
    .option("--record <cassette>", "record all replies; --model recorded:<cassette> replays them");
}

export function modelsFileOption(): Option {
  const what = "names, addresses and prices of your own (default: models.yaml, if there is one)";
  return new Option("--models-file <file>", what).env("MLEBENCH_MODELS_FILE");
}

/** Only the usual file may be missing: one that somebody names must be there. */
export function modelsFileFrom(given: string | undefined): string | null {
  if (given !== undefined) return path.resolve(given);
  const usual = path.resolve("models.yaml");
  return fs.existsSync(usual) ? usual : null;
}

/** What the options say about how models may be asked. */
export function modelAccessFrom(options: ModelOptions): ModelAccess {
  const { maxCost, maxTokens, maxCalls } = options;
  return {
    modelsFile: modelsFileFrom(options.modelsFile),
    trialLimits: { cost: maxCost?.trial, tokens: maxTokens?.trial, calls: maxCalls?.trial },
    groupLimits: { cost: maxCost?.group, tokens: maxTokens?.group, calls: maxCalls?.group },
    providerTools: options.providerTools === true,
    transcripts: options.transcripts ?? "full",
    record: options.record === undefined ? null : path.resolve(options.record),
  };
}

function collectModels(text: string, before: Record<string, string> = {}): Record<string, string> {
  const parsed = parseRole(text);
  if ("code" in parsed) throw new InvalidArgumentError(parsed.message);
  // The last one would win without a word, and a run would not be what its command says.
  if (Object.hasOwn(before, parsed.role))
    throw new InvalidArgumentError(
      `The role "${parsed.role}" has ${withoutLogin(before[parsed.role])} already. Several models need roles: --model code=<name> --model feedback=<name>.`,
    );
  return { ...before, [parsed.role]: parsed.name };
}

function collectLimit(whole: boolean) {
  return (text: string, before: Limits = {}): Limits => {
    const [, group, amount] = /^(group=)?\$?(.+)$/s.exec(text) ?? [];
    const value = Number(amount);
    if (!Number.isFinite(value) || value <= 0 || (whole && !Number.isInteger(value)))
      throw new InvalidArgumentError(
        `Write ${whole ? "a whole number" : "an amount in USD"} above 0, or group=<n>.`,
      );
    return group === undefined ? { ...before, trial: value } : { ...before, group: value };
  };
}
