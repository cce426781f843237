import type { Results } from "../analysis/results.ts";
import { plural } from "../wording/counts.ts";
import { circumstanceLines, deviationLines, failureLines, rateTable } from "./markdown/markdown.ts";
import { plainMarkdown } from "./markdown/text.ts";
import { fieldSentence } from "./text/method-notes.ts";

/** What GitHub takes for a step's summary at most. */
const MAX_BYTES = 1024 * 1024 - 1024;

/** A short summary for `$GITHUB_STEP_SUMMARY`: the rates, the failures, what is missing. */
export function githubSummary(results: Results): string {
  const { title, missing, competitions, failures } = results;
  const lines = [
    `## ${plainMarkdown(title)}`,
    "",
    `${plural(competitions.length, "competition")}, ${plural(failures.trials, "trial")}. ${plainMarkdown(fieldSentence(results))}`,
    "",
    ...rateTable(results),
    "",
    ...circumstanceLines(results),
    ...[...failureLines(results), ...deviationLines(results)].map((line) => line.replace(/^## /, "### ")),
    ...(missing.length === 0
      ? []
      : ["### Missing", "", ...missing.map((note) => `- ${plainMarkdown(note)}`), ""]),
  ];
  const text = `${lines.join("\n")}\n`;
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  return `${Buffer.from(text)
    .subarray(0, MAX_BYTES)
    .toString("utf8")
    .replace(/\n[^\n]*$/, "")}\n\n…cut: the summary was too long.\n`;
}
