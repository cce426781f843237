import { CANONICAL_TEXT } from "../../analysis/aggregate/canonical-setup.ts";
import { summarise } from "../../analysis/circumstances.ts";
import { FAILURE_LABELS } from "../../analysis/failures/failures.ts";
import { modelSpending, spendingText } from "../../analysis/model-spending.ts";
import type { ResultState } from "../../analysis/result-states.ts";
import type { Results } from "../../analysis/results.ts";
import type { TrialRecord } from "../../analysis/trial-records.ts";
import { stateOf, trialSummary } from "../../analysis/trial-summary.ts";
import { plural } from "../../wording/counts.ts";
import { intervalText, spreadText } from "../text/aggregate.ts";
import {
  circumstanceText,
  contaminationText,
  isolationMark,
  isolationNotes,
  MEDAL_COLUMNS,
  medalCells,
  timingText,
} from "../text/circumstances.ts";
import { asFailedText, countsText } from "../text/compare.ts";
import { fieldSentence, methodNotes } from "../text/method-notes.ts";
import { codeSpan, deviationItem, markdownTable, plainMarkdown } from "./text.ts";

/** Letters, so that a column of seeds lines up in any font. */
const SIGNS: Record<ResultState, string> = {
  gold: "🥇",
  silver: "🥈",
  bronze: "🥉",
  disqualified: "🚫",
  "above-median": "▲",
  valid: "·",
  invalid: "✗",
  "no-submission": "∅",
  ungraded: "?",
  missing: "–",
};
const MAX_SIGNS = 12;

/** The results as Markdown: every number with what it was measured on. */
export function markdownReport(results: Results): string {
  const { title, agents, competitions, failures, missing } = results;
  const lines = [
    `# ${plainMarkdown(title)}`,
    "",
    `${plural(agents.length, "agent")}, ${plural(competitions.length, "competition")}, ${plural(failures.trials, "trial")}. ${plainMarkdown(fieldSentence(results))}`,
    "",
    ...rateTable(results),
    "",
    ...circumstanceLines(results),
    ...contaminationLines(results),
    ...comparisonLines(results),
    "## Competitions",
    "",
    `${Object.entries(SIGNS)
      .map(([state, sign]) => `${sign} ${state}`)
      .join("  ")}`,
    "",
    ...gridTable(results),
    "",
    ...medalLines(results),
    ...modelLines(results),
    ...failureLines(results),
    "## Method",
    "",
    ...methodNotes(results).map((note) => `- ${plainMarkdown(note)}`),
    "",
    ...deviationLines(results),
    "## Missing",
    "",
    ...(missing.length === 0
      ? ["Nothing: every trial is there, graded and measured."]
      : missing.map((note) => `- ${plainMarkdown(note)}`)),
    "",
    `mlebench ${results.mlebenchVersion}, ${results.createdAt}`,
  ];
  return `${lines.join("\n")}\n`;
}

/** What the agents asked of models; nothing where no run named any. */
function modelLines({ agents }: Results): string[] {
  const lines = agents.flatMap(({ name, rows }) => {
    const spending = modelSpending(rows.flat().filter((record) => record !== null));
    return spending === null ? [] : [`- ${plainMarkdown(name)}: ${plainMarkdown(spendingText(spending))}`];
  });
  return lines.length === 0 ? [] : ["## Models", "", ...lines, ""];
}

/** The number people quote, with its uncertainty, for each agent. */
export function rateTable({ agents }: Results): string[] {
  const rows = agents.map(({ name, aggregate, columns, circumstances }) => {
    const { metrics } = aggregate.original;
    const [mean, error] = spreadText(aggregate, "any_medal_percentage").split(" ± ");
    const { overSeeds, overBoth } = aggregate.rates.any_medal_percentage;
    return [
      plainMarkdown(`${name}${isolationMark(circumstances)}`),
      String(columns),
      `**${mean}**${error === undefined ? "" : ` ± ${error}`}`,
      intervalText(overSeeds),
      intervalText(overBoth),
      metrics.valid_submissions_percentage.mean.toFixed(2),
      metrics.gold_medal_percentage.mean.toFixed(2),
    ];
  });
  const header = [
    "agent",
    "seeds",
    "any medal % ± SEM",
    "95 % over seeds",
    "95 % over competitions",
    "valid %",
    "gold %",
  ];
  return markdownTable(header, rows, [1, 2, 3, 4, 5, 6]);
}

function comparisonLines({ comparison }: Results): string[] {
  if (comparison === null) return [];
  const { a, b, result } = comparison;
  const differences = [
    ["medal rate", "points", result.medalRate],
    ["percentile", "points", result.percentile],
    ["pairs won minus lost by score", "%", result.score],
  ] as const;
  const sentences = differences.flatMap(([name, unit, one]) =>
    one === null
      ? []
      : [
          `${name} ${one.mean.toFixed(2)} ${unit} (95 % over seeds ${intervalText(one.overSeeds)}, over competitions ${intervalText(one.overBoth)}, p = ${one.pValue.toFixed(4)}, after Holm for ${one.tests} ${one.pHolm.toFixed(4)}: ${one.verdict})`,
        ],
  );
  return [
    "## Comparison",
    "",
    `${plainMarkdown(a)} minus ${plainMarkdown(b)}, ${countsText(result)}: ${[...sentences, ""].join("; ")}better on ${result.wins}, equal on ${result.ties}, worse on ${result.losses} of ${result.competitions} competitions.`,
    ...asFailedText(result).flatMap((text) => ["", text]),
    "",
  ];
}

/** Medals split by the end of each model's training data; nothing where no end is known. */
function contaminationLines({ agents }: Results): string[] {
  const lines = agents.flatMap(({ name, aggregate: { contamination } }) =>
    contamination === null ? [] : [`- ${plainMarkdown(`${name}: ${contaminationText(contamination)}`)}`],
  );
  return lines.length === 0 ? [] : [...lines, ""];
}

const MAX_MEDALS = 200;

/** What was found and decided beside every medal. */
function medalLines({ agents }: Results): string[] {
  const medals = agents.flatMap(({ name, rows }) =>
    rows.flat().flatMap((record) => {
      const state = stateOf(record);
      return record !== null && /^(gold|silver|bronze)$/.test(state)
        ? [[name, ...medalCells(trialSummary(record))]]
        : [];
    }),
  );
  if (medals.length === 0) return [];
  const rows = medals.slice(0, MAX_MEDALS).map((cells) => cells.map(plainMarkdown));
  const more =
    medals.length > MAX_MEDALS ? [`And ${medals.length - MAX_MEDALS} more: --format json`, ""] : [];
  return ["## Medals", "", ...markdownTable(["agent", ...MEDAL_COLUMNS], rows), "", ...more];
}

function gridTable({ agents, competitions }: Results): string[] {
  const dated = agents.some(({ aggregate }) => aggregate.contamination !== null);
  const rows = competitions.map(({ id }, row) => [
    plainMarkdown(id),
    ...(dated ? [plainMarkdown(timingText(agents, row))] : []),
    ...agents.map(({ rows: cells, circumstances }) => {
      return `${signs(cells[row].map(stateOf))}${circumstances.unisolated > 0 ? markOf(cells[row]) : ""}`;
    }),
  ]);
  const names = agents.map(({ name, circumstances }) => `${name}${isolationMark(circumstances)}`);
  return markdownTable(["competition", ...(dated ? ["released"] : []), ...names.map(plainMarkdown)], rows);
}

/** How many of a row's trials could have read the answers. */
function markOf(row: readonly (TrialRecord | null)[]): string {
  const count = summarise(row).unisolated;
  return count === 0 ? "" : ` (${count} NOT isolated)`;
}

/** Each agent's own, right below the medals. */
export function circumstanceLines({ agents }: Results): string[] {
  const items = agents.map(
    ({ name, circumstances }) => `- ${plainMarkdown(`${name}: ${circumstanceText(circumstances)}`)}`,
  );
  const notes = isolationNotes(agents.map(({ circumstances }) => circumstances));
  return [...items, "", ...notes.flatMap((note) => [plainMarkdown(note), ""])];
}

/** Many seeds are counted instead. */
function signs(states: readonly ResultState[]): string {
  if (states.length <= MAX_SIGNS) return states.map((state) => SIGNS[state]).join(" ");
  const present = (Object.keys(SIGNS) as ResultState[]).filter((state) => states.includes(state));
  return present.map((state) => `${SIGNS[state]} ${states.filter((one) => one === state).length}`).join(", ");
}

/** Each agent's own: a table of results made in different ways must not hide it. */
export function deviationLines({ agents }: Results): string[] {
  const lines = agents.map(({ name, deviations }) => deviationItem(name, deviations));
  return ["## Deviations from the canonical set-up", "", `${CANONICAL_TEXT}.`, "", ...lines, ""];
}

/** Counts by class and agent, and the first evidence of each class. */
export function failureLines({ failures, agents }: Results): string[] {
  if (failures.counts.length === 0)
    return ["## Failures", "", `None in ${plural(failures.trials, "trial")}.`, ""];
  const rows = failures.counts.map((count) => {
    const example = failures.failed
      .flatMap(({ findings }) => findings)
      .find((finding) => finding.class === count.class)!.evidence[0];
    return [
      FAILURE_LABELS[count.class],
      ...agents.map(({ name }) => String(Object.hasOwn(count.byAgent, name) ? count.byAgent[name] : 0)),
      String(count.trials),
      `${plainMarkdown(example.where)}: ${codeSpan(example.text)}`,
    ];
  });
  const header = ["failure", ...agents.map(({ name }) => plainMarkdown(name)), "all", "for example"];
  return [
    "## Failures",
    "",
    `${failures.failed.length} of ${failures.trials} trials show a failure; a trial counts in every class it shows.`,
    "",
    ...markdownTable(header, rows, [...agents.map((_, i) => i + 1), agents.length + 1]),
    "",
  ];
}
