/** What a trial comes to, in one word, the best first; with the letter that stands for it in a small square. */
export const RESULT_STATES = {
  gold: { sign: "G", name: "gold" },
  silver: { sign: "S", name: "silver" },
  bronze: { sign: "B", name: "bronze" },
  disqualified: { sign: "D", name: "disqualified" },
  "above-median": { sign: "▲", name: "above the median" },
  valid: { sign: "·", name: "valid, not above the median" },
  invalid: { sign: "×", name: "invalid submission" },
  "no-submission": { sign: "∅", name: "no submission" },
  ungraded: { sign: "?", name: "not graded" },
  missing: { sign: "", name: "missing" },
} as const;

/** The medal if it has one. */
export type ResultState = keyof typeof RESULT_STATES;
