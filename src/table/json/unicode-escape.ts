/** Filled as they are met: texts use few different characters, many times. */
const known: string[] = [];

/** A UTF-16 unit as JSON spells it in ASCII. */
export function unicodeEscape(unit: string): string {
  const code = unit.charCodeAt(0);
  known[code] ??= `\\u${code.toString(16).padStart(4, "0")}`;
  return known[code];
}
