/**
 * The order in which Python sorts text: by code point. JavaScript's own order is by UTF-16 unit and puts emoji, whose
 * units start at D800, before U+E000…U+FFFF. For `sort`.
 */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Half of an astral character ranks above every character that is whole. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
