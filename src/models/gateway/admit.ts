import type { Reservation, Spending } from "../budget.ts";
import type { JsonObject, JsonValue } from "../call.ts";
import type { LedgerLine } from "../ledger/schema.ts";
import { costAtMost, costBound, worstCost } from "../prices/cost.ts";
import { isObject } from "../protocols/json.ts";
import { tierOf } from "../protocols/usage-parts.ts";
import { type Exchange, ended, tell } from "./exchange.ts";
import type { GatewayOptions } from "./options.ts";
import { invalid } from "./problems.ts";

/** Output that is reserved for a call which names no limit and whose model has no known one: as much as the longest have. */
const MAX_OUTPUT = 128_000;

/** No picture is more, in whatever size it is sent. */
const TOKENS_OF_A_PICTURE = 10_000;

/** What a provider puts around a conversation: its own words on tools, and the frame of each message. */
const AROUND_IT = 2000;

/** Reserves the call's worst with every budget; false when one of them is spent, which the client has then been told. */
export async function admit(
  { budgets }: GatewayOptions,
  exchange: Exchange,
  maxOutput: number | null,
  signal: AbortSignal,
  reservations: Reservation[],
): Promise<boolean> {
  const from = performance.now();
  const { model } = exchange.model!;
  const asked = maxOutput !== null && maxOutput > 0 ? maxOutput : null;
  const each = asked ?? (model.kind === "remote" ? model.maxOutput : null) ?? MAX_OUTPUT;
  exchange.mostOutput = each * exchange.choices;
  const input = mostInput(exchange.request?.length ?? 0, exchange.body);
  exchange.mostInput = input;
  const worst = {
    cost: worstCost(input, exchange.mostOutput, model.price, serviceOf(exchange.body)),
    tokens: input + exchange.mostOutput,
    calls: 1,
  };
  for (const budget of budgets) {
    const admission = await budget.admit(worst, signal);
    if (admission.status === "spent") {
      ended(exchange, "refused", "budget", admission.message);
      // 400: coding agents stop at it within seconds, while 429 makes them wait for hours.
      await tell(exchange, invalid(admission.message, { code: "budget_spent" }), 400);
      return false;
    }
    reservations.push(admission.reservation);
  }
  exchange.waitingMs += performance.now() - from;
  return true;
}

/** No token is shorter than a byte; pictures are counted as such, not by the letters of their Base64. */
function mostInput(bytes: number, body: JsonValue): number {
  const pictures = { count: 0, letters: 0 };
  findPictures(body, pictures);
  return bytes - pictures.letters + pictures.count * TOKENS_OF_A_PICTURE + AROUND_IT;
}

/** What is only text to a model, whatever it looks like: what tools were called with and gave back, and what they take. */
const ONLY_TEXT = new Set(["args", "response", "tools", "metadata", "response_format"]);

function findPictures(value: JsonValue, found: { count: number; letters: number }): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) findPictures(item, found);
    return;
  }
  const data = pictureIn(value);
  if (data !== null) {
    found.count++;
    found.letters += data.length;
  }
  for (const [key, item] of Object.entries(value))
    if (!ONLY_TEXT.has(key) && !(key === "input" && typeof value.type === "string"))
      findPictures(item, found);
}

/** The data of a picture, as one of the protocols spells it. */
function pictureIn({ type, source, image_url, inlineData, inline_data }: JsonObject): string | null {
  const address = type === "image_url" && isObject(image_url) ? image_url.url : image_url;
  if (typeof address === "string" && address.startsWith("data:image/")) return address;
  const inline = type === "image" ? source : (inlineData ?? inline_data);
  if (!isObject(inline)) return null;
  const kind = inline.media_type ?? inline.mimeType ?? inline.mime_type;
  const isPicture = typeof kind === "string" && kind.startsWith("image/");
  return isPicture && typeof inline.data === "string" ? inline.data : null;
}

/** What a request says about the service it wants, which may cost more. */
function serviceOf(body: JsonValue): { tier?: string | undefined; long: boolean } {
  const { service_tier, serviceTier, speed, inference_geo } = isObject(body) ? body : {};
  return { ...tierOf(service_tier, serviceTier, speed, inference_geo), long: mentionsTime(body) };
}

/** Whether something is to stay in a cache for a time that the request names. */
function mentionsTime(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (!Array.isArray(value) && typeof value.ttl === "string") return true;
  return (Array.isArray(value) ? value : Object.values(value)).some(mentionsTime);
}

/**
 * What counts against a budget. A call nobody worked on is none. Whoever goes away before it is told what its request came to has
 * used the most that it can have been: letters that are a token each would else cost a quarter of what they do.
 */
export function spentBy(line: LedgerLine, { model, metered, mostInput }: Exchange): Spending {
  const { outcome } = line;
  if (outcome === "refused") return { cost: 0, tokens: 0, calls: 0 };
  const price = model?.model.price ?? null;
  const unheard = outcome === "cancelled" && line.usage !== null && metered?.usage == null;
  const usage = unheard ? { ...line.usage!, inputUncached: mostInput } : line.usage;
  const cost = unheard ? costBound(usage!, price) : line.cost;
  const tokens = usage === null ? 0 : usage.inputUncached + usage.cacheRead + usage.cacheWrite + usage.output;
  return { cost: cost ?? (usage === null ? null : costAtMost(usage, price)), tokens, calls: 1 };
}
