import type { Price } from "../config/schema.ts";
import type { ResolvedModel } from "../resolve.ts";
import { knownModel } from "./table.ts";

/** Where a name says which model it is; elsewhere it is a deployment's, a file's, or the server says the cost itself. */
const NAMES_MODELS = new Set(["anthropic", "openai", "gemini"]);

/** Dates and words that tell versions of one model from each other. */
const VERSION = /(-(?:preview|exp))?(-\d{4}-\d{2}-\d{2}|-\d{2}-\d{2,4}|-\d{3,8}|-latest)?$/;

/**
 * The price of a call that was answered by the model of this name. Where another one than asked for answered, its own price counts,
 * or none where nobody knows it: an alias that a provider moves must not change what a report says things cost.
 */
export function priceOf(model: ResolvedModel, answered: string | null, notes: string[]): Price | null {
  if (model.kind === "offline" || answered === null || !NAMES_MODELS.has(model.provider)) return model.price;
  if (plainName(answered) === plainName(model.id)) return model.price;
  notes.push(`it was answered by "${answered}"`);
  if (model.price === null || model.priceSource === "models.yaml") return model.price;
  return knownModel(plainName(answered))?.price ?? null;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/^.*\//s, "").replace(VERSION, "");
}
