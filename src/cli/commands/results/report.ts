import fs from "node:fs";
import path from "node:path";
import { type Command, Option } from "commander";
import { writeFileAtomically } from "../../../files/write-file.ts";
import { REPORT_FORMATS, type ReportFormat, report } from "../../../reporters/report.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { addCompetitionsOption } from "../../options.ts";
import { print, printError, writeOut } from "../../print.ts";
import { placesOf } from "../../resolve.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

interface Options extends RunsOptions {
  format: ReportFormat;
  output?: string;
  verify: boolean;
  title?: string;
  compare?: string[];
  competitions?: string;
  json?: boolean;
}

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addCompetitionsOption(command))
      .argument("<groups...>", "run groups or grading reports; name=path gives an agent a name")
      .addOption(new Option("--format <format>", "what to write").choices(REPORT_FORMATS).default("html"))
      .option(
        "-o, --output <file>",
        "where to write it (default: report.html for html, else standard output)",
      )
      .option("--json", "the same as --format json")
      .option("--no-verify", 'leave the certificates unread; every trial is then "not verified"')
      .option("--title <text>", "the report's title")
      .option("--compare <agents...>", "the two agents to compare (default: the first two)")
      .addHelpText(
        "after",
        `
Exit code 1: some trials are missing or not graded; the error output says which.
Groups of the same agent are taken together. The HTML is one file that needs nothing else; github appends to
$GITHUB_STEP_SUMMARY when that is set.

Examples:
  $ mlebench report runs/*_run-group_my-agent -o report.html
  $ mlebench report tree=runs/a tree=runs/b baseline=runs/c --format markdown
  $ mlebench report runs/nightly --format junit -o junit.xml`,
      )
      .action(action(run));
  },
};

async function run(places: string[], options: Options): Promise<ExitCode> {
  const groups = placesOf(places, options);
  if (groups === null) return 2;
  const { title, compare, competitions: competitionsDir, verify } = options;
  const format = options.json ? "json" : options.format;
  const outcome = await report({ groups, format, title, compare, competitionsDir, verify });
  if (outcome.status === "refused") {
    const { code, message, nextStep } = outcome.problem;
    printError(code, message, nextStep);
    return 2;
  }
  const { text, results } = outcome;
  write(text, { ...options, format });
  // What a reader should know is in the report; only trials without a grade make it a report of less than was asked.
  const incomplete = results.agents.some(({ rows }) => rows.flat().some((trial) => !trial?.grade));
  if (!incomplete) return 0;
  for (const message of results.missing) printError("INCOMPLETE", message);
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
