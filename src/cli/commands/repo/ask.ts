import type { Command } from "commander";
import { moduleSearch } from "../../../repositories/rank/search.ts";
import { REPOSITORY_TOOLS, repositoryTools } from "../../../repositories/tools/repository-tools.ts";
import { action, type ExitCode } from "../../command.ts";
import { parseCount } from "../../options.ts";
import { paint, print, printError, printJson } from "../../print.ts";
import { openMap } from "./open-map.ts";

interface Options {
  tool?: string;
  limit: number;
  json?: boolean;
}

export function defineAsk(command: Command): void {
  const names = REPOSITORY_TOOLS.map(({ name }) => name.replace("repo_", ""));
  command
    .command("ask <folder> <query>")
    .description("find the module that answers a question, or look closer with one of the tools")
    .option("--tool <name>", `${names.join(", ")} (default: a ranked answer)`)
    .option("--limit <n>", "how many modules", parseCount, 5)
    .option("--json", "print the answer as JSON")
    .exitOverride()
    .addHelpText(
      "after",
      `
Exit code 1: nothing was found.

Examples:
  $ mlebench repo ask ~/code/project "where are folds made?"
  $ mlebench repo ask ~/code/project Trainer.fit --tool references`,
    )
    .action(action(run));
}

async function run(folder: string, query: string, options: Options): Promise<ExitCode> {
  const tool = REPOSITORY_TOOLS.find(({ name }) => name === `repo_${options.tool}`);
  if (options.tool !== undefined && !tool) {
    printError("NO_SUCH_TOOL", `There is no tool "${options.tool}".`, "see them: mlebench repo ask --help");
    return 2;
  }
  if (!tool && !/[\p{L}\p{N}]/u.test(query)) {
    printError(
      "NO_QUESTION",
      "The question has no word in it.",
      'ask for something: "where are folds made?"',
    );
    return 2;
  }
  const map = await openMap(folder);
  if (typeof map === "number") return map;
  if (tool) {
    const { text, found } = repositoryTools(map)(tool.name, query);
    if (options.json)
      printJson({ schema: "mlebench/repository-answer", version: 1, tool: options.tool, query, found, text });
    else print(text);
    return found ? 0 : 1;
  }
  const hits = moduleSearch(map)(query, options.limit).map(({ module, score, definitions, words }) => ({
    path: map.modules[module].path,
    score: Math.round(score * 1000) / 1000,
    about: map.modules[module].outline.doc,
    words,
    definitions: definitions.map((at) => {
      const { qualified, line, signature, doc } = map.modules[module].outline.definitions[at];
      return { name: qualified, line, signature, doc };
    }),
  }));
  if (options.json) printJson({ schema: "mlebench/repository-answer", version: 1, query, modules: hits });
  else if (hits.length === 0) print("Nothing found; try other words.");
  else
    for (const hit of hits) {
      print(`${paint("bold", hit.path)}  ${hit.about}`);
      for (const { signature, line } of hit.definitions) print(`  ${line}  ${signature}`);
    }
  return hits.length === 0 ? 1 : 0;
}
