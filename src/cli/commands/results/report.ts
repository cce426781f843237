import fs from "node:fs";
import path from "node:path";
import { type Command, Option } from "commander";
import { writeFileAtomically } from "../../../files/write-file.ts";
import { REPORT_FORMATS, type ReportFormat, report, USUAL_FOLDERS } from "../../../reporters/report.ts";
import { plural } from "../../../wording/counts.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { addCompetitionsOption, cutoffOption } from "../../options.ts";
import { print, printError, printProblem, writeOut } from "../../print.ts";
import { placesOf } from "../../resolve.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

interface Options extends RunsOptions {
  format: ReportFormat;
  output?: string;
  verify: boolean;
  title?: string;
  compare?: string[];
  competitions?: string;
  cutoff?: string;
  json?: boolean;
}

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addCompetitionsOption(command))
      .argument("<groups...>", "run groups or grading reports; name=path gives an agent a name")
      .addOption(new Option("--format <format>", "what to write").choices(REPORT_FORMATS).default("html"))
      .option(
        "-o, --output <file>",
        "where to write it (default: report.html for html, a folder mlruns or wandb for trackers, else standard output)",
      )
      .option("--json", "the same as --format json")
      .option("--no-verify", 'leave the certificates unread; every trial is then "not verified"')
      .addOption(cutoffOption())
      .option("--title <text>", "the report's title")
      .option("--compare <agents...>", "the two agents to compare (default: the first two)")
      .addHelpText(
        "after",
        `
Exit code 1: some trials are missing or not graded, or decisions about them are
damaged; the error output says which.
Groups of the same agent are taken together. The HTML is one file that needs
nothing else; github appends to $GITHUB_STEP_SUMMARY when that is set.

Examples:
  $ mlebench report runs/*_run-group_my-agent -o report.html
  $ mlebench report tree=runs/a tree=runs/b baseline=runs/c --format markdown
  $ mlebench report runs/nightly --format junit -o junit.xml
  $ mlebench report runs/nightly --format mlflow -o mlruns`,
      )
      .action(action(run));
  },
};

async function run(places: string[], options: Options): Promise<ExitCode> {
  const groups = placesOf(places, options);
  if (groups === null) return 2;
  const { title, compare, competitions: competitionsDir, verify, cutoff } = options;
  const format = options.json ? "json" : options.format;
  const { output } = options;
  const request = { groups, format, title, compare, competitionsDir, verify, cutoff };
  // Texts are written here, where the terminal is known; folders by whoever makes their files.
  const outcome = await report(format in USUAL_FOLDERS ? { ...request, output } : request);
  if (outcome.status === "refused") {
    printProblem(outcome.problem);
    return 2;
  }
  const { results } = outcome;
  if (outcome.status === "written")
    print(`${format}: ${plural(outcome.files, "file")} below ${outcome.folder}`);
  else write(outcome.text, { ...options, format });
  // What a reader should know is in the report; only trials without a grade make it a report of less than was asked.
  const incomplete = results.agents.some(({ rows }) => rows.flat().some((trial) => !trial?.grade));
  const doubtful = results.agents.some(({ rows }) => rows.flat().some((trial) => trial?.integrity?.doubtful));
  if (!incomplete && !doubtful) return 0;
  for (const message of results.missing) printError(incomplete ? "INCOMPLETE" : "DOUBTFUL", message);
  return 1;
}

function write(text: string, { format, output }: Options): void {
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (output === undefined && format === "github" && summary) fs.appendFileSync(summary, text);
  else if (output === undefined && format !== "html") writeOut(text);
  else {
    const file = output ?? "report.html";
    writeFileAtomically(file, text);
    print(`${format} report: ${path.resolve(file)}`);
  }
}
