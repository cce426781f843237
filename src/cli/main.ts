#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { systemRefusal } from "../files/system-error.ts";
import { VERSION } from "../grading/version.ts";
import { isBadCompetition } from "../wording/bad-competition.ts";
import { exitWith } from "./command.ts";
import { COMMANDS } from "./command-list.ts";
import { printError } from "./print.ts";

const EXAMPLES = `
Examples:
  $ mlebench demo --quick
  $ mlebench list --split lite
  $ mlebench show spooky-author-identification
  $ mlebench grade-sample submission.csv spooky-author-identification
  $ mlebench grade --submission submissions.jsonl --output-dir reports`;

async function main(argv: readonly string[]): Promise<void> {
  const program = new Command("mlebench")
    .description("Prepare, run and grade machine-learning-engineering competitions.")
    .version(VERSION)
    .addHelpText("after", EXAMPLES)
    .exitOverride();
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = program.command(name).description(summary).exitOverride();
    if (argv[0] === name || (argv[0] === "help" && argv[1] === name)) (await load()).command.define(command);
  }
  await program.parseAsync(argv, { from: "user" });
}

// A reader that has seen enough (`mlebench list | head`) closes the pipe; that is not an error of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 3));

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof CommanderError) {
    // Commander has printed its message; help and version leave with 0, wrong usage with 2.
    exitWith(error.exitCode === 0 ? 0 : 2);
    return;
  }
  if (isBadCompetition(error)) {
    printError("BAD_COMPETITION", error.message, "how to write one: docs/add-a-competition.md");
    exitWith(2);
    return;
  }
  const refusal = process.env.MLEBENCH_DEBUG ? null : systemRefusal(error);
  if (refusal !== null) {
    printError(refusal.code, refusal.message, refusal.nextStep);
    exitWith(refusal.blame === "user" ? 2 : 3);
    return;
  }
  const cause = error instanceof Error ? error : new Error(String(error));
  printError(
    "INTERNAL",
    `${cause.message} (this is a bug of mlebench)`,
    process.env.MLEBENCH_DEBUG ? cause.stack : "see where: MLEBENCH_DEBUG=1",
  );
  exitWith(3);
});
