#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { VERSION } from "../grading/version.ts";
import { refusalOf } from "../workflows/or-refusal.ts";
import { exitWith } from "./command.ts";
import { COMMANDS } from "./command-list.ts";
import { endWhenNobodyReads } from "./interruption.ts";
import { printError, printNote } from "./print.ts";

const EXAMPLES = `
Examples:
  $ mlebench demo --quick
  $ mlebench list --split lite
  $ mlebench show spooky-author-identification
  $ mlebench grade-sample submission.csv spooky-author-identification
  $ mlebench grade --submission submissions.jsonl --output-dir reports`;

const program = new Command("mlebench");

async function main(argv: readonly string[]): Promise<void> {
  program
    .description("Prepare, run and grade machine-learning-engineering competitions.")
    .version(VERSION)
    .addHelpText("after", EXAMPLES)
    .exitOverride();
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = program.command(name).description(summary).exitOverride();
    if (argv[0] === name || (argv[0] === "help" && argv[1] === name)) (await load()).command.define(command);
  }
  program.hook("preAction", (_, command) => refuseOptionsAsValues(command));
  await program.parseAsync(argv, { from: "user" });
}

/** `view --export --help` means help, and no folder of that name: whoever forgets a value is told so. */
function refuseOptionsAsValues(command: Command): void {
  const known = ["--help", ...command.options.flatMap(({ long }) => long ?? [])];
  for (const option of command.options) {
    if (!option.required || command.getOptionValueSource(option.attributeName()) !== "cli") continue;
    const values = [command.getOptionValue(option.attributeName())].flat();
    const taken = values.find((value) => known.includes(value));
    if (taken !== undefined)
      command.error(`error: option '${option.flags}' needs a value, and ${taken} is another option`);
  }
}

/** A name where an option is meant (`mlebench prepare starter-spam`): says which one takes it. */
function hintAtOption(name: string): void {
  const options = program.commands.find((command) => command.name() === name)?.options ?? [];
  const option = options.find(({ long }) => long === "--competition");
  const written = option && `${option.short ?? option.long} <id>`;
  printNote(
    `       ${written ? `write mlebench ${name} ${written}, or see` : "see"}: mlebench ${name} --help`,
  );
}

endWhenNobodyReads();

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof CommanderError) {
    if (error.code === "commander.excessArguments") hintAtOption(process.argv[2]);
    // Commander has printed its message; help and version leave with 0, wrong usage with 2.
    exitWith(error.exitCode === 0 ? 0 : 2);
    return;
  }
  const stack = process.env.MLEBENCH_DEBUG && error instanceof Error ? error.stack : undefined;
  const refusal = refusalOf(error);
  if (refusal !== null) {
    printError(refusal.code, refusal.message, stack ?? refusal.nextStep);
    exitWith(refusal.blame === "user" ? 2 : 3);
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  printError("INTERNAL", `${message} (this is a bug of mlebench)`, stack ?? "see where: MLEBENCH_DEBUG=1");
  exitWith(3);
});
