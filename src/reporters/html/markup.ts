/** Text that is markup already. Everything else that enters a template is escaped. */
export interface Markup {
  readonly markup: string;
}

type Value = string | number | Markup | readonly Markup[] | null | undefined | false;

/** A template for HTML and SVG: what is interpolated is escaped, unless it is markup itself. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Markup {
  let markup = strings[0];
  for (let i = 0; i < values.length; i++) markup += render(values[i]) + strings[i + 1];
  return { markup };
}

/** For our own styles and script only. */
export function trusted(markup: string): Markup {
  return { markup };
}

export const NOTHING: Markup = { markup: "" };

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return escapeText(value);
  if ("markup" in value) return value.markup;
  let joined = "";
  for (const part of value) joined += part.markup;
  return joined;
}

const SPECIAL: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Names and log lines come from anywhere; control characters have no place in a document. */
function escapeText(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, " ").replace(/[&<>"']/g, (character) => SPECIAL[character]);
}
