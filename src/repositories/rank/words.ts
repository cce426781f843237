/** Words that say nothing of what is looked for. */
const STOP = new Set(
  "a an and are as at be by can do does for from has have how i if in into is it its of on or that the their there these this to use used uses using was we what when where which who why will with you your".split(
    " ",
  ),
);

/**
 * The words of a text as an index sees them: identifiers split at underscores and capitals, lower case, endings cut off
 * so that "forests" finds "forest" and "training" finds "train".
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [raw] of text.normalize("NFKC").matchAll(/[\p{L}\p{Nd}]+/gu)) {
    for (const part of splitCapitals(raw)) {
      const word = part.toLowerCase();
      if (word.length > 1 && word.length <= 40 && !STOP.has(word)) words.push(stem(word));
    }
  }
  return words;
}

/** `HTTPServer2Error` is http, server, 2, error. */
function splitCapitals(word: string): string[] {
  return word.match(/\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}]+|\p{Lu}+|\p{Nd}+/gu) ?? [word];
}

function stem(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  for (const ending of [
    "ization",
    "isation",
    "ations",
    "ation",
    "izing",
    "ising",
    "ized",
    "ised",
    "ings",
    "ing",
    "ers",
    "ed",
    "er",
    "es",
    "or",
    "e",
  ]) {
    if (word.length - ending.length >= 4 && word.endsWith(ending))
      return single(word.slice(0, -ending.length));
  }
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss")
    ? single(word.slice(0, -1).replace(/e$/, ""))
    : word;
}

/** "splitting" and "split". */
function single(word: string): string {
  return /([bdgklmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}
