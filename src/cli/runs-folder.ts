import path from "node:path";
import { type Command, Option } from "commander";

/** Where run groups are kept: the given folder, the environment's, or `runs` here, as the original has it. */
export function addRunsOption(command: Command): Command {
  return command.addOption(
    new Option("--runs-dir <dir>", "folder of the run groups").env("MLEBENCH_RUNS_DIR").default("runs"),
  );
}

export interface RunsOptions {
  runsDir: string;
}

export function runsFolder({ runsDir }: RunsOptions): string {
  return path.resolve(runsDir);
}
