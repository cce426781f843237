import path from "node:path";
import type { Command } from "commander";
import { writeFileAtomically } from "../../../files/write-file.ts";
import { decide } from "../../../integrity/decisions/decisions.ts";
import { integrityPaths } from "../../../integrity/findings/folder.ts";
import { readIntegrityOverview } from "../../../integrity/findings/overview.ts";
import { integrityPage } from "../../../reporters/integrity/overview-page.ts";
import { plagiarismPage } from "../../../reporters/integrity/plagiarism.ts";
import { overviewLines } from "../../../reporters/text/integrity.ts";
import { checkIntegrity } from "../../../workflows/integrity/integrity.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { interruption } from "../../interruption.ts";
import { modelsFileFrom, modelsFileOption } from "../../model-options.ts";
import { addDataOptions, cutoffOption, type DataOptions } from "../../options.ts";
import { paint, print, printError, printJson, printLines, printProblem } from "../../print.ts";
import { groupFolder, trialFolder } from "../../resolve.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

type ShowOptions = RunsOptions & { json?: boolean };
type CheckOptions = RunsOptions &
  DataOptions & {
    kernels?: string;
    solutions?: string;
    judge?: string;
    modelsFile?: string;
    cutoff?: string;
    json?: boolean;
  };
type DecideOptions = ShowOptions & { disqualify?: boolean; keep?: boolean; why?: string; by?: string };

export const command: CliCommand = {
  define(command: Command) {
    const checked = command
      .command("check", { isDefault: true })
      .description("run all checks that can be run here, and write one page");
    addRunsOption(addDataOptions(checked))
      .argument("<group>", "a run group: its folder, its name or a part of it")
      .option("--kernels <folder>", "public notebooks, a folder for each competition")
      .option("--solutions <folder>", "known solutions, a folder for each competition")
      .option("--judge <model>", "ask this model the original's three questions, too")
      .addOption(modelsFileOption())
      .addOption(cutoffOption())
      .option("--json", "print everything as JSON")
      .action(action(check));
    const shown = command.command("show").description("what was found and decided so far");
    addRunsOption(shown)
      .argument("<group>", "a run group: its folder, its name or a part of it")
      .option("--json", "print it as JSON")
      .addHelpText(
        "after",
        `
Exit code 1: a finding is open, or what was written down is damaged.

Examples:
  $ mlebench integrity show runs/my-group
  $ mlebench integrity show runs/my-group --json`,
      )
      .action(action(show));
    const decided = command.command("decide").description("write down what you decided about a trial");
    addRunsOption(decided)
      .argument("<trial>", "a trial: its folder, its id or a part of it")
      .option("--disqualify", "it counts as a run without a valid submission from now on")
      .option("--keep", "it counts, whatever was found")
      .option("--why <text>", "the reason, for everybody who reads the results")
      .option("--by <name>", "who decided (default: the user of this machine)")
      .option("--json", "print the decision as JSON")
      .addHelpText(
        "after",
        `
Examples:
  $ mlebench integrity decide spooky-author-identification_3f1c --disqualify --why "labels typed by hand"
  $ mlebench integrity decide spooky-author-identification_3f1c --keep --why "the sample file" --by Ada`,
      )
      .action(action(decideTrial));
    for (const one of [checked, shown, decided]) one.exitOverride();
    command.addHelpText(
      "after",
      `
Checks find evidence, people decide: nothing is disqualified by a program.
Decisions are only ever added, and the last one about a trial counts. Every
report says how many trials were disqualified. See docs/integrity.md.

Examples:
  $ mlebench integrity runs/my-group --cutoff 2025-03-31
  $ mlebench integrity show runs/my-group
  $ mlebench integrity decide spooky-author-identification_3f1c --disqualify --why "labels typed by hand"`,
    );
  },
};

async function check(name: string, options: CheckOptions): Promise<ExitCode> {
  const group = groupFolder(name, options, { foreign: true });
  if (group === null) return 2;
  const { dataDir, competitions: competitionsDir, kernels, solutions, judge, cutoff } = options;
  const outcome = await checkIntegrity({
    ...{ group, dataDir, competitionsDir, kernels, solutions, judge, cutoff },
    modelsFile: modelsFileFrom(options.modelsFile),
    signal: interruption(),
  });
  if (outcome.status === "interrupted") return 130;
  if (outcome.status === "refused") {
    printProblem(outcome.problem);
    return 2;
  }
  const { overview, medals, plagiarism } = outcome.result;
  const { page, plagiarism: folder } = integrityPaths(group);
  writeFileAtomically(path.join(folder, "plagiarism.html"), plagiarismPage(plagiarism));
  writeFileAtomically(page, integrityPage(outcome.result));
  if (options.json) printJson({ ...overview, medals, page });
  else printLines([...overviewLines(overview, paint), "", `one page: ${page}`]);
  return overview.open > 0 || overview.problems.length > 0 ? 1 : 0;
}

function show(name: string, options: ShowOptions): ExitCode {
  const group = groupFolder(name, options, { foreign: true });
  if (group === null) return 2;
  const overview = readIntegrityOverview(group);
  if (options.json) printJson(overview);
  else printLines(overviewLines(overview, paint));
  return overview.open > 0 || overview.problems.length > 0 ? 1 : 0;
}

function decideTrial(name: string, options: DecideOptions): ExitCode {
  const { disqualify = false, keep = false, why, by } = options;
  if (disqualify === keep) {
    printError("NO_DECISION", "Say what you decided: either --disqualify or --keep.");
    return 2;
  }
  if (why === undefined || why.trim() === "") {
    printError("NO_REASON", "A decision has a reason.", 'give it: --why "<text>"');
    return 2;
  }
  const folder = trialFolder(name, options, { foreign: true });
  if (folder === null) return 2;
  const made = decide({
    group: path.dirname(folder),
    trial: path.basename(folder),
    decision: disqualify ? "disqualify" : "keep",
    why,
    by,
  });
  if (options.json) printJson(made);
  else print(`${made.trial}: ${disqualify ? "disqualified" : "kept"} by ${made.by}.`);
  return 0;
}
