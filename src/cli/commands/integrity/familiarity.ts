import path from "node:path";
import { type Command, Option } from "commander";
import { writeFileAtomically } from "../../../files/write-file.ts";
import { familiaritySvg } from "../../../reporters/integrity/familiarity-svg.ts";
import { familiarityLines } from "../../../reporters/text/familiarity.ts";
import { type FamiliarityRequest, measureFamiliarity } from "../../../workflows/integrity/familiarity.ts";
import { addChoiceOptions, type ChoiceOptions, chosenIds } from "../../choose-competitions.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { interruption } from "../../interruption.ts";
import { modelsFileFrom, modelsFileOption } from "../../model-options.ts";
import { addDataOptions, type DataOptions, parseCount } from "../../options.ts";
import { paint, printError, printJson, printLines } from "../../print.ts";
import { progressLine } from "../../progress.ts";
import { placesOf } from "../../resolve.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

type Options = RunsOptions &
  DataOptions &
  ChoiceOptions & {
    model?: string;
    modelsFile?: string;
    check: FamiliarityRequest["check"];
    documents?: string;
    reports?: string[];
    positions?: number;
    outputDir: string;
    json?: boolean;
  };

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addDataOptions(addChoiceOptions(command)))
      .option("--model <name>", "the model, such as compatible:base@http://127.0.0.1:8000/v1")
      .addOption(modelsFileOption())
      .addOption(
        new Option("--check <kind>", "token probabilities, naming the competition, or completing rows")
          .choices(["texts", "names", "rows"])
          .default("texts"),
      )
      .option("--documents <folder>", "texts of competitions: <id>.md, or files in <id>/")
      .option("--reports <groups...>", "run groups or grading reports to correlate with")
      .option("--positions <n>", "tokens of a text, or rows of a table (default: 1000, or 20)", parseCount)
      .option("--output-dir <dir>", "where familiarity.json and familiarity.svg go", "familiarity")
      .option("--json", "print the result as JSON")
      .addHelpText(
        "after",
        `
How probable a model finds the true next token of a competition's texts says how
well it remembers them. With --reports that is held against how far agents came
from the sample submission to gold. See docs/integrity.md.

Examples:
  $ mlebench familiarity --model compatible:base@http://127.0.0.1:8000/v1 --documents texts --split lite
  $ mlebench familiarity --model anthropic:claude-sonnet-5 --check names --split lite`,
      )
      .action(action(run));
  },
};

async function run(options: Options): Promise<ExitCode> {
  const { model, reports } = options;
  if (model === undefined) return fail("NO_MODEL", "No model was named.", "name one: --model <name>");
  const chosen = chosenIds(options);
  if ("message" in chosen)
    return fail("NO_COMPETITION", chosen.message, "name some: -c <id> or --split <name>");
  const places = reports === undefined ? undefined : placesOf(reports, options);
  if (places === null) return 2;
  const progress = progressLine(chosen.ids.length);
  const outputDir = path.resolve(options.outputDir);
  const outcome = await measureFamiliarity({
    model,
    modelsFile: modelsFileFrom(options.modelsFile),
    check: options.check,
    competitions: chosen.ids,
    documents: options.documents,
    reports: places,
    positions: options.positions,
    dataDir: options.dataDir,
    competitionsDir: options.competitions,
    outputDir,
    signal: interruption(),
    onProgress: (done, _, what) => progress.show(done, what),
  });
  progress.end();
  if (outcome.status === "interrupted") return 130;
  if (outcome.status === "refused") {
    const { code, message, nextStep } = outcome.problem;
    return fail(code, message, nextStep);
  }
  const { result, file } = outcome;
  writeFileAtomically(path.join(outputDir, "familiarity.svg"), familiaritySvg(result));
  if (options.json) printJson(result);
  else printLines([...familiarityLines(result, paint), "", `written: ${file}`]);
  if (result.competitions.some((one) => (one.familiarity ?? one.naming ?? one.rows) !== null)) return 0;
  printError("NOTHING_MEASURED", NOTHING[result.check].message, NOTHING[result.check].nextStep);
  return 3;
}

const NOTHING = {
  texts: { message: "There is no text of any of them.", nextStep: "give some: --documents <folder>" },
  names: { message: "There is no text of any of them.", nextStep: "give some: --documents <folder>" },
  rows: {
    message: "None of them has a train.csv of more than a few rows here.",
    nextStep: "prepare one: mlebench prepare -c <id>",
  },
} as const;

function fail(code: string, message: string, nextStep: string): ExitCode {
  printError(code, message, nextStep);
  return 2;
}
