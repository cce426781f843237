import path from "node:path";
import { ownAnswerAgreement } from "../agreement.ts";
import type { AnswerColumn } from "../answers.ts";
import { type AuditContext, NO_ANSWERS, type Skipped } from "../audit-context.ts";
import type { Finding } from "../audit-schema.ts";
import { findAnnotations } from "../reading/annotation-files.ts";
import { isTextName, offsetIn, readableText } from "../reading/file-text.ts";
import { findLabelledMatFiles } from "../reading/mat-labels.ts";
import { isDistinctive, plainCell } from "../reading/plain-cell.ts";
import { type PublicFile, spread } from "../reading/public-files.ts";
import { isSampleSubmission } from "../reading/table-view.ts";
import type { TestItem } from "../test-items.ts";

const NEARLY_ALL = 0.9;
const ENOUGH_BITS = 12;
const MAX_LINES = 5000;

/**
 * Answers inside public files that are not tables: in the content or metadata of the file of a test item, in its
 * annotations, in MATLAB files, and beside an id on a line of text.
 */
export function findAnswersInFiles(context: AuditContext): Finding[] | Skipped {
  if (context.answers === null) return NO_ANSWERS;
  const findings = [...findAnnotations(context), ...findLabelledMatFiles(context)];
  for (const family of families(context.items)) findings.push(...itemFindings(family, context));
  const named = new Set(context.items.map(({ file }) => file));
  const texts = context.files.filter(
    (file) =>
      file.location !== null && isTextName(file.path) && !named.has(file) && !/\.(csv|tsv)$/i.test(file.path),
  );
  const chosen = spread(texts, context.limits.filesPerFamily);
  if (chosen.length < texts.length)
    context.omit({
      file: "(text files)",
      reason: `of ${texts.length} texts ${chosen.length} were searched for ids`,
    });
  for (const file of chosen) findings.push(...lineFindings(file, context));
  return findings;
}

/** Items of one kind: `test/*.png`, `test/*-mask.png`. */
function families(items: readonly TestItem[]): TestItem[][] {
  const found = new Map<string, TestItem[]>();
  for (const item of items) {
    if (item.file.location === null) continue;
    const [top] = item.rest.split("/", 1);
    const key = `${top}|${path.basename(item.rest).replace(/\d+/g, "#")}`;
    const family = found.get(key);
    if (family === undefined) found.set(key, [item]);
    else family.push(item);
  }
  return [...found.values()];
}

function itemFindings(family: readonly TestItem[], context: AuditContext): Finding[] {
  const { limits, targets } = context;
  const chosen = spread(family, limits.filesPerFamily);
  if (chosen.length < family.length)
    context.omit({
      file: family[0].rest,
      reason: `of ${family.length} files the content of ${chosen.length} was read`,
    });
  const texts = chosen.map(({ file }) => oneSpaced(readableText(file, limits)));
  return targets.flatMap((target) => {
    const labels = chosen.map(({ row }) => plainCell(target.cells[row]));
    const shows = tellers(labels);
    const found = ownAnswerAgreement(chosen.length, (i, j) => shows[j](texts[i]));
    const certain = labels.filter((label, i) => isDistinctive(label) && shows[i](texts[i])).length;
    const proven =
      certain > 0
        ? certain >= NEARLY_ALL * labels.filter((label) => label !== "").length
        : found.bits >= ENOUGH_BITS;
    if (!proven || found.beyondChance < NEARLY_ALL - 0.1 || (certain === 0 && found.share < NEARLY_ALL))
      return [];
    return [itemFinding(chosen, labels, target, found.share, context)];
  });
}

function itemFinding(
  items: readonly TestItem[],
  labels: readonly string[],
  target: AnswerColumn,
  share: number,
  { limits }: AuditContext,
): Finding {
  const { file, rest } = items[0];
  const offset = offsetIn(file, labels[0], limits);
  return {
    check: "answers-in-files",
    severity: "leak",
    file: file.path,
    evidence: {
      what: `${(share * 100).toFixed(1)} % of the files ${rest} hold the answer ("${target.name}") of their own item`,
      ...(offset === null ? {} : { offset }),
      figure: share,
      measuredOn: items.length,
    },
    message: `Files of the test set contain their answers, in their content or metadata: ${rest}.`,
    nextStep: `Leave the files ${rest} out of public when preparing, or strip what gives the answer.`,
  };
}

/** Lines of a text that name an id of the test set together with its answer. */
function lineFindings(file: PublicFile, context: AuditContext): Finding[] {
  const { answers, targets, limits, loaded } = context;
  if (isSampleSubmission(file.path, loaded.competition)) return [];
  if (file.bytes > limits.textBytes)
    context.omit({
      file: file.path,
      reason: `only its first ${limits.textBytes} bytes were searched for ids`,
    });
  const lines: { text: string; number: number; row: number }[] = [];
  for (const [i, line] of readableText(file, limits).split("\n").entries()) {
    if (lines.length >= MAX_LINES) break;
    for (const word of line.split(/[\s,;:|"'=()[\]{}]+/)) {
      const row = word.length < 3 ? undefined : answers!.find(word);
      if (row === undefined) continue;
      lines.push({ text: oneSpaced(line.replace(word, " ")), number: i + 1, row });
      break;
    }
  }
  return targets.flatMap((target) => {
    const shows = tellers(lines.map(({ row }) => plainCell(target.cells[row])));
    const found = ownAnswerAgreement(lines.length, (i, j) => shows[j](lines[i].text));
    if (found.share < NEARLY_ALL || found.beyondChance < NEARLY_ALL - 0.1 || found.bits < ENOUGH_BITS)
      return [];
    const finding: Finding = {
      check: "answers-in-files",
      severity: "leak",
      file: file.path,
      evidence: {
        what: `${(found.share * 100).toFixed(1)} % of the lines that name an id of the test set name its answer ("${target.name}") too`,
        line: lines[0].number,
        figure: found.share,
        measuredOn: found.rows,
      },
      message: `A public text gives the answers of the test set beside their ids.`,
      nextStep: `Leave ${file.path} out of public when preparing, or strip the lines of the test set.`,
    };
    return [finding];
  });
}

/** For each label, whether a text shows it: as a word of its own when short, anywhere when long. */
function tellers(labels: readonly string[]): ((text: string) => boolean)[] {
  return labels.map((label) => {
    const wanted = oneSpaced(label).trim();
    if (wanted === "") return () => false;
    if (wanted.length >= 8) return (text) => text.includes(wanted);
    const word = new RegExp(
      `(?<![A-Za-z0-9.])${wanted.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}(?![A-Za-z0-9])`,
      "i",
    );
    return (text) => word.test(text);
  });
}

/** A list reads the same whether it is written with blanks, commas or line ends. */
function oneSpaced(text: string): string {
  return text.replace(/[\s,;]+/g, " ");
}
