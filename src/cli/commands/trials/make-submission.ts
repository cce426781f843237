import path from "node:path";
import type { Command } from "commander";
import { writeFileAtomically } from "../../../files/write-file.ts";
import { textTable } from "../../../reporters/text/table.ts";
import { groupPaths, readMetadata } from "../../../trials/group/folder.ts";
import { submissionLines, submissionLinesText } from "../../../trials/group/make-submission.ts";
import { plural } from "../../../wording/counts.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { paint, print, printError, printJson } from "../../print.ts";
import { groupFolder } from "../../resolve.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

type Options = RunsOptions & {
  metadata?: string;
  output: string;
  relLogPath?: string;
  relCodePath?: string;
  json?: boolean;
};

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(command)
      .argument("[group]", "a run group: its folder or its name")
      .option("--metadata <file>", "metadata.json of a run group, of the original's groups too")
      .requiredOption("--output <file>", "the submissions file to write, one JSON object a line")
      .option(
        "--rel-log-path <path>",
        "an agent's log, relative to a trial's folder (default: what there is)",
      )
      .option("--rel-code-path <path>", "its code, relative to a trial's folder (default: what there is)")
      .option("--json", "print the lines as JSON")
      .addHelpText(
        "after",
        `
Examples:
  $ mlebench make-submission my-group --output submission.jsonl
  $ mlebench make-submission --metadata runs/my-group/metadata.json --output submission.jsonl`,
      )
      .action(action(run));
  },
};

function run(group: string | undefined, options: Options): ExitCode {
  if ((group === undefined) === (options.metadata === undefined)) {
    printError(
      "WRONG_USAGE",
      "Name either a run group or --metadata.",
      "see mlebench make-submission --help",
    );
    return 2;
  }
  const folder = group === undefined ? null : groupFolder(group, options);
  const file = folder === null ? options.metadata : groupPaths(folder).metadata;
  if (file === undefined) return 2;
  const metadata = readMetadata(file);
  if (metadata === null) {
    printError("NO_METADATA", `${file} is not the metadata file of a run group.`, "see mlebench status");
    return 2;
  }
  const lines = submissionLines(path.dirname(path.resolve(file)), metadata, options);
  writeFileAtomically(options.output, submissionLinesText(lines));
  if (options.json) {
    printJson({ schema: "mlebench/submissions", version: 1, output: path.resolve(options.output), lines });
    return 0;
  }
  const mark = (place: string | null) => (place === null ? paint("red", "missing") : paint("green", "found"));
  const rows = lines.map((line) => [
    line.competition_id,
    mark(line.submission_path),
    mark(line.logs_path),
    mark(line.code_path),
  ]);
  const header = ["competition", "submission", "logs", "code"].map((title) => paint("dim", title));
  for (const line of textTable([header, ...rows])) print(line);
  print(`${plural(lines.length, "submission")} in ${options.output}`);
  return 0;
}
