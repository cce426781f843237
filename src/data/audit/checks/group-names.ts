const PEOPLE = /speaker|patient|subject_?id|participant|donor|person|individual|volunteer|talker/i;
const OTHERS =
  /^(?:.*[_\s])?(?:user|author|customer|session|drive|trip|molecule|sentence|breath|game|play|study|series|location|site|group|seq|case|animal|device)(?:[_\s]?(?:id|name|no|number|key))?$/i;

/** Whether a column names people, whose other records give them away; `others` are groups for the reader to judge. */
export function groupKind(column: string): "people" | "others" | null {
  if (PEOPLE.test(column)) return "people";
  return OTHERS.test(column) ? "others" : null;
}

const NUMBERED = /^((?=[^_-]*\d)[0-9a-z]{4,})[_-](?:[a-z]+[_-])?(\d{1,3})$/i;

/** A file name that says to which group its record belongs: `0a7c2a8d_nohash_2.wav` is the third of speaker 0a7c2a8d. */
export function groupOfFile(name: string): { group: string; number: number } | null {
  const match = NUMBERED.exec(name.replace(/\.[^.]*$/, ""));
  // A group of digits alone is more often a number with a suffix than a person.
  return match && /[a-z]/i.test(match[1]) ? { group: match[1], number: Number(match[2]) } : null;
}
