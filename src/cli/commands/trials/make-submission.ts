import path from "node:path";
import type { Command } from "commander";
import { writeFileAtomically } from "../../../files/write-file.ts";
import { textTable } from "../../../reporters/text/table.ts";
import { readMetadata } from "../../../trials/group/folder.ts";
import { submissionLines, submissionLinesText } from "../../../trials/group/make-submission.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { paint, print, printError } from "../../print.ts";

type Options = { metadata: string; output: string; relLogPath?: string; relCodePath?: string };

export const command: CliCommand = {
  define(command: Command) {
    command
      .requiredOption("--metadata <file>", "metadata.json of a run group, of the original's groups too")
      .requiredOption("--output <file>", "the submissions file to write, one JSON object a line")
      .option(
        "--rel-log-path <path>",
        "an agent's log, relative to a trial's folder (default: what there is)",
      )
      .option("--rel-code-path <path>", "its code, relative to a trial's folder (default: what there is)")
      .addHelpText(
        "after",
        `
Example:
  $ mlebench make-submission --metadata runs/my-group/metadata.json --output submission.jsonl`,
      )
      .action(action(run));
  },
};

function run(options: Options): ExitCode {
  const metadata = readMetadata(options.metadata);
  if (metadata === null) {
    printError(
      "NO_METADATA",
      `${options.metadata} is no metadata file of a run group.`,
      "see mlebench status",
    );
    return 2;
  }
  const lines = submissionLines(path.dirname(path.resolve(options.metadata)), metadata, options);
  writeFileAtomically(options.output, submissionLinesText(lines));
  const mark = (place: string | null) => (place === null ? paint("red", "missing") : paint("green", "found"));
  const rows = lines.map((line) => [
    line.competition_id,
    mark(line.submission_path),
    mark(line.logs_path),
    mark(line.code_path),
  ]);
  const header = ["competition", "submission", "logs", "code"].map((title) => paint("dim", title));
  for (const line of textTable([header, ...rows])) print(line);
  print(`${lines.length} submissions in ${options.output}`);
  return 0;
}
