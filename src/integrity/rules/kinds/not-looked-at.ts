import { finding, type Rule } from "../rule.ts";

const MAX_SHOWN = 20;

/** What the other rules could not see: nothing found there means nothing. */
export const notLookedAt: Rule = (view) =>
  finding(
    view.unseen.slice(0, MAX_SHOWN).map(({ file, why }) => ({ file, line: null, quotation: why })),
    "note",
    "Not all of its code was looked at.",
  );
