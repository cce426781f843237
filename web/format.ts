import { countText, plural } from "../src/wording/counts.ts";
import { durationText } from "../src/wording/durations.ts";
import { NOT_A_MODEL } from "../src/wording/language-models.ts";
import { sizeText } from "../src/wording/sizes.ts";

export { countText, durationText, NOT_A_MODEL, plural, sizeText };

export const NONE = "–";

export function scoreText(score: number | null | undefined): string {
  return score == null ? NONE : String(Number(score.toPrecision(6)));
}

export function orNone<T>(value: T | null | undefined, text: (value: T) => string): string {
  return value == null ? NONE : text(value);
}

/** A cost is never shown without saying whether it is all of it. */
export function costText(cost: number | null | undefined, complete: boolean | null = true): string {
  if (cost == null) return NONE;
  const text = `$${cost > 0 && cost < 0.1 ? cost.toPrecision(2) : cost.toFixed(2)}`;
  return complete === false ? `≥ ${text}` : text;
}

/** What models cost: those that were asked cost something, also where nobody knows how much. */
export function spentText(
  cost: number | null | undefined,
  complete: boolean | null,
  calls: number | null | undefined,
): string {
  return cost == null && calls ? "unknown" : costText(cost, complete);
}

/** A trial by its competition and the beginning of what tells it apart: the whole id is in its address. */
export function trialText(id: string): string {
  const [, competition, rest] = /^(.*)_([^_]*)$/.exec(id) ?? [];
  return rest === undefined ? id : `${competition} ${rest.slice(0, 8)}`;
}

/** The original writes colons as dashes, and the zone as a word. */
const OF_THE_ORIGINAL = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(?:GMT|UTC)$/;

export function timeText(iso: string | null | undefined): string {
  if (!iso) return NONE;
  const at = new Date(iso.replace(OF_THE_ORIGINAL, "$1T$2:$3:$4Z"));
  if (Number.isNaN(at.getTime())) return iso;
  const thisYear = at.getFullYear() === new Date().getFullYear();
  return at.toLocaleString("en-GB", {
    ...{ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
    ...(thisYear ? {} : { year: "numeric" }),
  });
}

/** As a stopwatch shows it: 1:02:03. */
export function clockText(seconds: number): string {
  if (seconds < 60) return `${Number(Math.max(0, seconds).toFixed(1))} s`;
  const whole = Math.max(0, Math.floor(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const two = (n: number) => String(n).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

export function tokensText(tokens: number | null | undefined): string {
  if (tokens == null) return NONE;
  if (tokens < 10_000) return countText(tokens);
  return tokens < 1e6 ? `${(tokens / 1e3).toFixed(0)}k` : `${(tokens / 1e6).toFixed(tokens < 1e7 ? 2 : 1)}M`;
}
