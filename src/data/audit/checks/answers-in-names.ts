import { ownAnswerAgreement } from "../agreement.ts";
import type { AnswerColumn } from "../answers.ts";
import { type AuditContext, NO_ANSWERS, type Skipped } from "../audit-context.ts";
import type { Finding } from "../audit-schema.ts";
import { plainCell } from "../reading/plain-cell.ts";
import { spread } from "../reading/public-files.ts";
import type { TestItem } from "../test-items.ts";

const MAX_NAMES = 20_000;
const ALMOST_ALL = 0.95;
const ENOUGH_BITS = 12;

/** Answers in the names of files and folders, also inside archives: `test/cat/17.jpg`, `17_cat.jpg`. */
export function findAnswersInNames({ answers, targets, items }: AuditContext): Finding[] | Skipped {
  if (answers === null) return NO_ANSWERS;
  const chosen = spread(items, MAX_NAMES);
  const words = chosen.map(({ rest }) => new Set(rest.toLowerCase().split(/[^\p{L}\p{N}]+/u)));
  return targets.flatMap((target) => nameFinding(target, chosen, words));
}

function nameFinding(target: AnswerColumn, items: readonly TestItem[], words: Set<string>[]): Finding[] {
  const labels = items.map(({ row }) => plainCell(target.cells[row]).toLowerCase());
  const parts = labels.map((label) => label.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ""));
  const found = ownAnswerAgreement(
    items.length,
    (i, j) => parts[j].length > 0 && parts[j].every((word) => words[i].has(word)),
  );
  if (found.share < ALMOST_ALL || found.beyondChance < ALMOST_ALL - 0.1 || found.bits < ENOUGH_BITS)
    return [];
  const first = items[0].file.path;
  return [
    {
      check: "answers-in-names",
      severity: "leak",
      file: first,
      evidence: {
        what: `the path of ${(found.share * 100).toFixed(1)} % of the files of test items names their own answer ("${target.name}")`,
        figure: found.share,
        measuredOn: found.rows,
      },
      message: `The names of public files give the answers, as in ${first}.`,
      nextStep: "Rename the files of the test set when preparing, so that a name holds the id alone.",
    },
  ];
}
