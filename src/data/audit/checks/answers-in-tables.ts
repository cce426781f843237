import { type Agreement, agreement } from "../agreement.ts";
import type { AnswerColumn } from "../answers.ts";
import { type AuditContext, NO_ANSWERS, type Skipped } from "../audit-context.ts";
import type { Finding } from "../audit-schema.ts";
import { clipCell, isDistinctive, plainCell } from "../reading/plain-cell.ts";
import type { TableView } from "../reading/table-view.ts";

const ALMOST_ALL = 0.98;
const ENOUGH_BITS = 12;
/** For a column that bears the target's own name less proof is needed. */
const BITS_UNDER_ITS_NAME = 2;
const MAX_OF_A_COLUMN = 0.9;

/**
 * Answers in a public table: beside the ids of the test set, or as a column of long texts that are answers. The
 * sample submission is looked at by its own check.
 */
export function findAnswersInTables({ tables, answers, targets }: AuditContext): Finding[] | Skipped {
  if (answers === null) return NO_ANSWERS;
  const findings: Finding[] = [];
  for (const view of tables) {
    if (view.role === "sample") continue;
    const joined = targets.flatMap((target) => joinedAnswers(view, target));
    findings.push(...(joined.length > 0 || view.role === "train" ? joined : looseAnswers(view, targets)));
  }
  return findings;
}

function joinedAnswers(view: TableView, target: AnswerColumn): Finding[] {
  return [...view.columns.entries()].flatMap(([at, column]) => {
    if (view.idPositions.includes(at) || view.joined.length === 0) return [];
    const cells = view.joined.map((row) => row.cells[at]);
    const found = agreement(
      cells,
      view.joined.map(({ answer }) => target.cells[answer]),
    );
    const needed = column === target.name ? BITS_UNDER_ITS_NAME : ENOUGH_BITS;
    if (found.beyondChance < ALMOST_ALL || found.bits < needed) return [];
    return [joinedFinding(view, column, target.name, found)];
  });
}

function joinedFinding(view: TableView, column: string, target: string, found: Agreement): Finding {
  const part = view.part === "" ? "" : ` (list "${view.part}")`;
  return {
    check: "answers-in-tables",
    severity: "leak",
    file: view.file.path,
    evidence: {
      what: `column "${column}"${part} equals the answer "${target}" in ${(found.share * 100).toFixed(1)} % of the rows that carry an id of the test set`,
      column,
      row: view.joined[0].number,
      figure: found.share,
      measuredOn: found.rows,
    },
    message: `A public table gives the answers: column "${column}" beside the ids of the test set.`,
    nextStep: `Remove the rows of the test set, or the column, from ${view.file.path} when preparing.`,
  };
}

function looseAnswers(view: TableView, targets: readonly AnswerColumn[]): Finding[] {
  return targets.flatMap((target) => {
    const secrets = new Set(target.cells.map(plainCell).filter(isDistinctive));
    // Answers that repeat are labels, which a table may well name.
    if (secrets.size < 2 || secrets.size < MAX_OF_A_COLUMN * target.cells.length) return [];
    return [...view.columns.entries()].flatMap(([at, column]) => {
      const long = view.sample.filter(({ cells }) => isDistinctive(cells[at]));
      const hits = long.filter(({ cells }) => secrets.has(clipCell(plainCell(cells[at]))));
      if (hits.length < 2 || hits.length < MAX_OF_A_COLUMN * long.length) return [];
      const finding: Finding = {
        check: "answers-in-tables",
        severity: "leak",
        file: view.file.path,
        evidence: {
          what: `${hits.length} of ${long.length} long texts in column "${column}" are answers ("${target.name}")`,
          column,
          row: hits[0].number,
          figure: hits.length / long.length,
          measuredOn: long.length,
        },
        message: `A public table holds answers of the test set, though not beside their ids.`,
        nextStep: `Remove column "${column}" from ${view.file.path} when preparing.`,
      };
      return [finding];
    });
  });
}
