import type { Command } from "commander";
import type { CliCommand } from "../../command.ts";
import { defineAsk } from "./ask.ts";
import { defineIndex } from "./index-command.ts";
import { defineMap } from "./map.ts";

export const command: CliCommand = {
  define(command: Command) {
    command.addHelpText(
      "after",
      `
Repositories are data here: nothing of them is run, no link is followed, no
setting of their git is read. See docs/repo.md.

Examples:
  $ mlebench repo map ~/code/project --tokens 4000
  $ mlebench repo ask ~/code/project "how are folds made?"
  $ mlebench repo index add ~/code/project
  $ mlebench repo index search "stratified folds for images"`,
    );
    defineMap(command);
    defineAsk(command);
    defineIndex(command);
  },
};
