import path from "node:path";
import { type Finding, isGrave } from "../../data/audit/audit-schema.ts";
import type { MadeCompetition, Proposal, Score } from "../../workflows/init/schema.ts";
import type { Paint } from "./grade.ts";
import { textTable } from "./table.ts";

/** A competition that was made, for a person: what was decided by which rule, the scores, and whether it is ready. */
export function initLines(made: MadeCompetition, paint: Paint): string[] {
  const { proposal, folder, scores, audit, warnings, nextCommands } = made;
  const grave = audit.findings.filter(isGrave);
  const mild = audit.findings.filter((finding) => !isGrave(finding));
  const note = (text: string) => `  ${paint("yellow", "note")}      ${text}`;
  return [
    `${paint("bold", proposal.name)} (${proposal.competitionId}) in ${path.relative("", folder)}`,
    ...decisionLines(proposal, paint),
    ...proposal.notes.map(note),
    "",
    ...scoreLines(proposal, scores),
    ...[...warnings, ...mild.map(({ message }) => message)].map(note),
    ...grave.flatMap((finding) => findingLines(finding, paint)),
    "",
    ...verdictLines(made, paint),
    ...nextCommands.map((command) => `  $ ${command}`),
  ];
}

function decisionLines(
  { rows, columns, dropped, id, target, metric, split }: Proposal,
  paint: Paint,
): string[] {
  const field = (title: string, value: string, why: string) =>
    `  ${paint("dim", title.padEnd(8))}  ${value} ${paint("dim", `(${why})`)}`;
  const left = dropped.length === 0 ? "nothing dropped" : `dropped: ${dropped.join(", ")}`;
  const classes = target.classes.length > 2 ? `${target.classes.length} ` : "";
  const by = split.column === null ? split.by : `${split.by} "${split.column}"`;
  return [
    field("table", `${rows.used} rows, ${columns} columns to predict from`, left),
    field("target", `${target.column}: ${classes}${target.kind}`, target.why),
    field(
      "metric",
      `${metric.metric}, ${metric.direction === "maximize" ? "higher" : "lower"} is better`,
      metric.why,
    ),
    field("split", `${Math.round(split.testSize * 100)} % for test, by ${by}, seed ${split.seed}`, split.why),
    field("id", id.made ? `${id.column}, made` : id.column, id.why),
  ];
}

function scoreLines(
  { metric }: Proposal,
  { sample, baseline, perfect }: MadeCompetition["scores"],
): string[] {
  const rows = [
    ["", "constant guess", "baseline", "perfect answers"],
    [metric.metric, ...[sample, baseline, perfect].map(scoreText)],
  ];
  return textTable(rows, [1, 2, 3]).map((line) => `  ${line}`);
}

function scoreText(score: Score): string {
  return score.status === "scored" ? String(score.score) : "none";
}

function findingLines({ severity, check, evidence, message }: Finding, paint: Paint): string[] {
  return [
    "",
    `  ${paint(["red", "bold"], severity)}  ${message} ${paint("dim", `[${check}]`)}`,
    `    seen:  ${evidence.what}`,
  ];
}

function verdictLines(made: MadeCompetition, paint: Paint): string[] {
  if (made.status === "ready") return [`  ${paint(["green", "bold"], "ready")}     go on:`];
  const lines = made.reasons.map((reason) => `  ${paint(["red", "bold"], "not ready")}  ${reason}`);
  return [...lines, "  mend it with an option, or in its prepare.mjs, and look again:"];
}
