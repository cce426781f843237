import type { Command } from "commander";

/** 0 all done · 1 done, but some entries failed · 2 wrong usage or input · 3 nothing could be done · 130 interrupted */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

/** What a command's file exports as `command`: its options on the given commander command, and what it does. */
export interface CliCommand {
  define(command: Command): void;
}

/** Ends a command with an exit code once its output is flushed. */
export function exitWith(code: ExitCode): void {
  process.exitCode = code;
}

/** Wraps an action so that its returned exit code is used. */
export function action<Args extends unknown[]>(run: (...args: Args) => Promise<ExitCode> | ExitCode) {
  return async (...args: Args): Promise<void> => exitWith(await run(...args));
}
