import { emitKeypressEvents } from "node:readline";
import { type Command, Option } from "commander";
import { deviationsByAgent } from "../../../analysis/aggregate/group-insights.ts";
import { competitionFacts } from "../../../analysis/competition-facts.ts";
import {
  classifyFailures,
  FAILURE_CLASSES,
  FAILURE_LABELS,
  type FailureClass,
  type Failures,
} from "../../../analysis/failures/failures.ts";
import { readRecords } from "../../../analysis/trial-records.ts";
import {
  deviationLines,
  exampleLines,
  failureCountLines,
  trialsOfClass,
} from "../../../reporters/text/failures.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { addCompetitionsOption } from "../../options.ts";
import { paint, print, printError, printJson, printLines } from "../../print.ts";
import { placesOf } from "../../resolve.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

interface Options extends RunsOptions {
  class?: FailureClass;
  competitions?: string;
  json?: boolean;
}

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addCompetitionsOption(command))
      .argument("<groups...>", "run groups or grading reports; name=path gives an agent a name")
      .addOption(new Option("--class <class>", "print every trial of this class").choices(FAILURE_CLASSES))
      .option("--json", "print all failures with their evidence as JSON")
      .addHelpText(
        "after",
        `
Each trial is classified by rules, with the evidence they saw. On a terminal, a
key shows the examples of a class.

Examples:
  $ mlebench failures runs/2026-01-31T12-00-00-UTC_run-group_my-agent
  $ mlebench failures runs/nightly --class crash`,
      )
      .action(action(run));
  },
};

async function run(given: string[], options: Options): Promise<ExitCode> {
  const places = placesOf(given, options);
  if (places === null) return 2;
  const read = readRecords(places);
  if (!read.ok) {
    printError("NO_TRIALS", read.message, "see: mlebench failures --help");
    return 2;
  }
  const ids = read.agents.flatMap(({ records }) => records.map(({ competitionId }) => competitionId));
  const facts = await competitionFacts([...new Set(ids)], options.competitions);
  const failures = classifyFailures(read.agents, facts);
  const deviations = deviationsByAgent(read.agents);
  if (options.json) printJson({ ...failures, deviations });
  else if (options.class) printLines(examplesOf(failures, options.class));
  else if (process.stdin.isTTY && process.stdout.isTTY && failures.counts.length > 0)
    await browse(failures, deviations);
  else
    printLines([
      ...failureCountLines(failures, paint),
      ...firstExamples(failures),
      "",
      ...deviationLines(deviations),
    ]);
  return failures.failed.length > 0 ? 1 : 0;
}

function examplesOf(failures: Failures, name: FailureClass): string[] {
  const trials = trialsOfClass(failures, name);
  return trials.length === 0 ? [`no trial: ${FAILURE_LABELS[name]}`] : exampleLines(name, trials, paint);
}

/** Where nobody can press a key: one example of each class. */
function firstExamples(failures: Failures): string[] {
  return failures.counts.flatMap(({ class: name }) => [
    "",
    `${paint("bold", FAILURE_LABELS[name])}, for example:`,
    ...exampleLines(name, trialsOfClass(failures, name).slice(0, 1), paint),
  ]);
}

const KEYS = "123456789abcdef";
const EXAMPLES_AT_ONCE = 5;

/** The counts, and on each key the next few examples of a class, until q. */
async function browse(failures: Failures, deviations: Record<string, string[]>): Promise<void> {
  const shown = new Map<FailureClass, number>();
  const { stdin } = process;
  const show = () => {
    printLines([...failureCountLines(failures, paint, KEYS), "", ...deviationLines(deviations)]);
    print(paint("dim", "a key shows examples, again the next ones; q leaves"));
  };
  show();
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  try {
    await new Promise<void>((resolve) => {
      stdin.on("keypress", (text: string | undefined, key: { name?: string; ctrl?: boolean }) => {
        if (text === "q" || key.name === "escape" || (key.ctrl && key.name === "c")) return resolve();
        const count = text === undefined ? undefined : failures.counts[KEYS.indexOf(text)];
        if (count === undefined) return;
        const trials = trialsOfClass(failures, count.class);
        const from = (shown.get(count.class) ?? 0) % trials.length;
        const to = Math.min(trials.length, from + EXAMPLES_AT_ONCE);
        shown.set(count.class, to);
        print(`\n${paint("bold", FAILURE_LABELS[count.class])} ${from + 1} to ${to} of ${trials.length}`);
        printLines(exampleLines(count.class, trials.slice(from, to), paint));
        print("");
        show();
      });
    });
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
}
