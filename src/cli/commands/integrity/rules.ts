import type { Command } from "commander";
import { readIntegrityOverview } from "../../../integrity/findings/overview.ts";
import { overviewLines } from "../../../reporters/text/integrity.ts";
import { checkRules } from "../../../workflows/integrity/rules.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { interruption } from "../../interruption.ts";
import { modelsFileFrom, modelsFileOption } from "../../model-options.ts";
import { addDataOptions, type DataOptions } from "../../options.ts";
import { paint, printJson, printLines, printProblem } from "../../print.ts";
import { lateProgressLine } from "../../progress.ts";
import { groupFolder } from "../../resolve.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

type Options = RunsOptions & DataOptions & { judge?: string; modelsFile?: string; json?: boolean };

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addDataOptions(command))
      .argument("<group>", "a run group: its folder, its name or a part of it")
      .option("--judge <model>", "ask this model the original's three questions, too")
      .addOption(modelsFileOption())
      .option("--json", "print the findings as JSON")
      .addHelpText(
        "after",
        `
Rules look at code, logs, records and submissions: network, private places,
other models, predictions typed or looked up, materials that were not given, the
format check as an oracle. Each finding has its file, line and quotation; a
person decides what it means. A judge's calls are metered and kept in the
group's integrity/rules/judge.
Exit code 1: there is a finding that nothing explains.

Examples:
  $ mlebench rules runs/my-group
  $ mlebench rules runs/my-group --judge anthropic:claude-sonnet-5`,
      )
      .action(action(run));
  },
};

const SHOWN = ["rules", "judge", "provenance"];

async function run(name: string, options: Options): Promise<ExitCode> {
  const group = groupFolder(name, options, { foreign: true });
  if (group === null) return 2;
  const progress = lateProgressLine();
  const outcome = await checkRules({
    group,
    dataDir: options.dataDir,
    competitionsDir: options.competitions,
    judge: options.judge,
    modelsFile: modelsFileFrom(options.modelsFile),
    signal: interruption(),
    onProgress: progress.show,
  });
  progress.end();
  if (outcome.status === "interrupted") return 130;
  if (outcome.status === "refused") {
    printProblem(outcome.problem);
    return 2;
  }
  const overview = readIntegrityOverview(group);
  const shown = {
    ...overview,
    findings: overview.findings.filter(({ check }) => SHOWN.includes(check)),
  };
  if (options.json) printJson({ ...shown, judgement: outcome.judgement });
  else printLines(overviewLines(shown, paint));
  return overview.open > 0 || overview.problems.length > 0 ? 1 : 0;
}
