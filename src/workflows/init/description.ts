import { timesOf } from "../../competitions/preparing/splits/own-split.ts";
import { type Column, cellText, isMissing } from "../../table/columns/column.ts";
import { csvField, csvRow } from "../../table/csv/writer.ts";
import type { Table } from "../../table/table.ts";
import { ownTarget, submissionColumns } from "./files.ts";
import { OWN_METRICS, type OwnMetricName } from "./metric.ts";
import type { Proposal } from "./schema.ts";

const MAX_COLUMNS = 100;
const MAX_VALUES = 8;
const LONGEST_VALUE = 30;

/** `description.md` in the house format: what an agent reads. The author may write better words; every fact is in it. */
export function descriptionText(proposal: Proposal, table: Table): string {
  const { name, metric, rows } = proposal;
  const { title, direction } = OWN_METRICS[metric.metric as OwnMetricName];
  return `# ${name}

## Task

${taskText(proposal)}

The rows come from one table of ${rows.used.toLocaleString("en")} rows with a known answer. ${splitText(proposal)}

## Files

- \`train.csv\`: the rows to learn from, about ${percent(1 - proposal.split.testSize)} of all. Its columns:
${columnLines(proposal, table).join("\n")}
- \`test.csv\`: the rows to predict, without ${codeSpan(proposal.target.column)}${proposal.split.by === "group" ? ` and ${codeSpan(proposal.split.column!)}` : ""}.
- \`sample_submission.csv\`: a constant guess for each row of the test file, in the right format.

## Metric

**${title}, ${direction === "maximize" ? "higher" : "lower"} is better.**

${METRIC_TEXTS[metric.metric as OwnMetricName]}

## Submission format

${formatText(proposal)}

\`\`\`csv
${exampleText(proposal, table)}\`\`\`
`;
}

function taskText(proposal: Proposal): string {
  const { target } = proposal;
  const column = codeSpan(target.column);
  const submitted = ownTarget(proposal);
  switch (submitted.as) {
    case "number":
      return `Predict the number ${column} of each row of the test file from its other columns.`;
    case "probability": {
      const isFlag = target.classes.join() === "0,1";
      const meaning = isFlag
        ? ""
        : ` In ${column}, 1 stands for ${quoted(submitted.positive)} and 0 for ${quoted(target.classes.find((label) => label !== submitted.positive)!)}.`;
      return `Estimate, for each row of the test file, the probability that ${column} is 1.${meaning}`;
    }
    case "probabilities":
      return `Estimate, for each row of the test file, the probability of each class of ${column}: ${some(target.classes)}.`;
    case "label":
      return target.kind === "grades"
        ? `Predict the grade ${column} of each row of the test file, a whole number on the scale ${some(target.classes)}.`
        : `Predict the class ${column} of each row of the test file, one of ${target.classes.length}: ${some(target.classes)}.`;
  }
}

function splitText({ split }: Proposal): string {
  const share = percent(split.testSize);
  switch (split.by) {
    case "rows":
      return `About ${share} of them were drawn at random for the test file.`;
    case "classes":
      return `About ${share} of them were drawn at random for the test file, as many of each class.`;
    case "group":
      return `About ${share} of them are in the test file: all rows of some ${codeSpan(split.column!)}, so that none of these is in the training file.`;
    case "time":
      return `The last ${share} of them, by ${codeSpan(split.column!)}, are in the test file: it comes after the training file.`;
  }
}

function columnLines(proposal: Proposal, table: Table): string[] {
  const { id, dropped } = proposal;
  const shown = table.header.filter((name) => !dropped.includes(name));
  const lines = shown
    .slice(0, MAX_COLUMNS)
    .map((name) => `  - ${codeSpan(name)}: ${columnText(proposal, table.column(name)!)}`);
  if (id.made) lines.unshift(`  - ${codeSpan(id.column)}: the id, a string drawn at random`);
  if (shown.length > MAX_COLUMNS) lines.push(`  - and ${shown.length - MAX_COLUMNS} more`);
  return lines;
}

function columnText({ id, target }: Proposal, column: Column): string {
  if (column.name === id.column)
    return column.kind === "text" ? "the id, a string" : "the id, a whole number";
  if (column.name !== target.column) return `${kindText(column)}${gapText(column)}`;
  if (target.positive !== null) return "the target, 0 or 1";
  return `the target, ${target.kind === "number" ? kindText(column) : `one of ${some(target.classes)}`}`;
}

function kindText(column: Column): string {
  switch (column.kind) {
    case "bool":
    case "bool+missing":
      return "true or false";
    case "int":
    case "uint":
      return "whole numbers";
    case "float":
      return column.numbers.every((value) => Number.isNaN(value) || Number.isInteger(value))
        ? "whole numbers"
        : "numbers";
    default:
      return textKind(column);
  }
}

function textKind(column: Column): string {
  const values = new Set<string>();
  let length = 0;
  for (let row = 0; row < column.length; row++) {
    if (isMissing(column, row)) continue;
    const text = cellText(column, row);
    values.add(text);
    length += text.length;
  }
  const known = column.length - column.missingCount;
  if (known > 0 && timesOf(column) !== null) return "dates";
  if (values.size <= MAX_VALUES && values.size < known) return `one of ${some([...values].sort())}`;
  if (length > 40 * known) return "texts";
  return values.size < known / 2 ? `one of ${values.size} strings` : "text, mostly different";
}

function gapText({ missingCount, length }: Column): string {
  return missingCount === 0 ? "" : `; ${percent(missingCount / length)} empty`;
}

const METRIC_TEXTS: Record<OwnMetricName, string> = {
  auc: "The share of pairs of a 1 and a 0 in which the 1 got the higher value; ties count one half. Only the order of the values matters.",
  "log-loss":
    "The mean of the negative natural logarithm of the probability that was given to what is true. Being sure and wrong costs most.",
  accuracy: "The share of the rows whose class is right.",
  "quadratic-kappa":
    "Agreement with the true grades beyond chance; a miss costs the square of its distance on the scale. 1 is perfect, 0 is chance.",
  rmse: "The root of the mean squared difference between prediction and truth.",
  mae: "The mean distance between prediction and truth.",
  rmsle:
    "The root of the mean squared difference between ln(1 + prediction) and ln(1 + truth): errors count in proportion.",
};

function formatText(proposal: Proposal): string {
  const { id, target } = proposal;
  const submitted = ownTarget(proposal);
  const each = `One row for each row of the test file, in any order, each ${codeSpan(id.column)} once.`;
  switch (submitted.as) {
    case "number":
      return `${each} ${codeSpan(target.column)} is a number${proposal.metric.metric === "rmsle" ? " from 0" : ""}; none may be missing.`;
    case "probability":
      return `${each} ${codeSpan(target.column)} is a number from 0 to 1; none may be missing.`;
    case "probabilities":
      return `${each} Each class has a column with a number from 0 to 1; those of a row add up to 1.`;
    case "label":
      return `${each} ${codeSpan(target.column)} is a class as it is spelled in the training file; none may be missing.`;
  }
}

function exampleText(proposal: Proposal, table: Table): string {
  const { id, target } = proposal;
  const submitted = ownTarget(proposal);
  const ids = id.made
    ? [1, 2].map((number) => `r${String(number).padStart(String(table.rowCount).length, "0")}`)
    : [0, 1].map((row) => cellText(table.column(id.column)!, row));
  const values = {
    number: [target.sample],
    label: [target.sample],
    probability: ["0.5"],
    probabilities: target.classes.map(() => String(Number((1 / target.classes.length).toPrecision(6)))),
  }[submitted.as];
  const rows = [[id.column, ...submissionColumns(proposal)], ...ids.map((one) => [one, ...values])];
  return rows.map((row) => csvRow(row.map((cell) => csvField(cell)))).join("");
}

function percent(share: number): string {
  const figure = share * 100;
  return `${figure > 0 && figure < 1 ? "under 1" : Math.round(figure)} %`;
}

function some(values: readonly string[]): string {
  const shown = values.slice(0, MAX_VALUES).map(quoted).join(", ");
  return values.length > MAX_VALUES ? `${shown}, …` : shown;
}

/** Cells and names may hold anything: one short line of it, which Markdown leaves as it is. */
function quoted(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, " ").replace(/([\\`*<])/g, "\\$1");
  return `"${line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE)}…` : line}"`;
}

/** A name in backticks; the fence is longer than any run of backticks in it. */
function codeSpan(name: string): string {
  const line = name.replace(/[\p{C}]+/gu, " ");
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}
