import { summarise } from "../analysis/circumstances.ts";
import { FAILURE_LABELS, type FailedTrial } from "../analysis/failures/failures.ts";
import type { AgentResults, Results } from "../analysis/results.ts";
import type { TrialRecord } from "../analysis/trial-records.ts";
import { stateOf } from "../analysis/trial-summary.ts";
import { html, type Markup, NOTHING } from "./html/markup.ts";
import { circumstanceText } from "./text/circumstances.ts";

/**
 * The results as JUnit XML: a suite for each agent, a case for each trial. A trial without a score is a failure, one
 * that failed through no fault of the agent an error, one that is missing or not graded skipped.
 */
export function junitReport(results: Results): string {
  const failed = new Map(results.failures.failed.map((trial) => [`${trial.agent}\n${trial.id}`, trial]));
  const suites = results.agents.map((agent) => suite(agent, failed, results));
  const document = html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${results.title}">
${suites}</testsuites>
`;
  // XML knows two more characters that nobody may write.
  return document.markup.replace(/[\uFFFE\uFFFF]/g, "");
}

interface Case {
  kind: "passed" | "failure" | "error" | "skipped";
  seconds: number;
  markup: Markup;
}

function suite(
  { name, rows }: AgentResults,
  failed: ReadonlyMap<string, FailedTrial>,
  results: Results,
): Markup {
  const cases = rows.flatMap((row, i) =>
    row.map((record, column) => {
      const trial = record === null ? undefined : failed.get(`${record.agent}\n${record.id}`);
      return trialCase(name, results.competitions[i].id, column, record, trial);
    }),
  );
  const count = (kind: Case["kind"]) => cases.filter((one) => one.kind === kind).length;
  const seconds = cases.reduce((sum, one) => sum + one.seconds, 0);
  return html`<testsuite name="${name}" tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}" time="${seconds.toFixed(3)}" timestamp="${results.createdAt.slice(0, 19)}">
${cases.map(({ markup }) => markup)}</testsuite>
`;
}

function trialCase(
  agent: string,
  competitionId: string,
  column: number,
  record: TrialRecord | null,
  failed: FailedTrial | undefined,
): Case {
  const seconds = record?.trial?.measurements?.wallSeconds ?? 0;
  const name = record === null ? `missing trial ${column + 1}` : `seed ${record.seed}`;
  const harness = failed?.findings.some((finding) => finding.class === "harness-fault") ?? false;
  const kind = harness
    ? "error"
    : record === null || record.grade === null
      ? "skipped"
      : record.grade.valid_submission
        ? "passed"
        : "failure";
  return {
    kind,
    seconds,
    markup: html`<testcase classname="${agent}.${competitionId}" name="${name}" time="${seconds.toFixed(3)}">${body(kind, failed)}<system-out>${record === null ? "missing" : stateOf(record)}${record?.grade?.score == null ? "" : `, score ${record.grade.score}`}${record === null ? "" : `; ${circumstanceText(summarise([record]))}`}</system-out></testcase>
`,
  };
}

function body(kind: Case["kind"], failed: FailedTrial | undefined): Markup {
  if (kind === "passed") return NOTHING;
  if (kind === "skipped") return html`<skipped/>`;
  const [cause] = failed?.findings ?? [];
  const message = cause === undefined ? "no valid submission" : FAILURE_LABELS[cause.class];
  const evidence = failed?.findings.flatMap((finding) =>
    finding.evidence.map(({ where, text }) => `${FAILURE_LABELS[finding.class]}: ${where}: ${text}`),
  );
  const text = (evidence ?? []).join("\n");
  return kind === "error"
    ? html`<error message="${message}">${text}</error>`
    : html`<failure message="${message}">${text}</failure>`;
}
