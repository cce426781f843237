import path from "node:path";
import type { Command } from "commander";
import { userCacheFolder } from "../../../data/place/data-folder.ts";
import { type AddOutcome, addRepository } from "../../../repositories/index/add-repository.ts";
import { GITHUB_API, searchGithub } from "../../../repositories/index/github.ts";
import { readIndex } from "../../../repositories/index/index-folder.ts";
import type { IndexEntry } from "../../../repositories/index/schema.ts";
import { searchIndex } from "../../../repositories/index/search-index.ts";
import { plural } from "../../../wording/counts.ts";
import { action, type ExitCode } from "../../command.ts";
import { interruption } from "../../interruption.ts";
import { parseCount } from "../../options.ts";
import { paint, print, printError, printJson, printNote, printProblem } from "../../print.ts";

interface Options {
  index?: string;
  json?: boolean;
  limit: number;
  openNetwork?: boolean;
  github?: boolean;
}

export function defineIndex(command: Command): void {
  const group = command
    .command("index")
    .description("a collection of repositories, searched without a network");
  const place = (sub: Command) =>
    sub
      .option("--index <dir>", "where it is kept (default: $MLEBENCH_REPOSITORY_INDEX, or the user's cache)")
      .option("--json", "print the result as JSON")
      .exitOverride();
  place(group.command("add <source...>").description("put folders, bare mirrors or https addresses into it"))
    .option("--open-network", "let addresses be fetched")
    .addHelpText(
      "after",
      "\nExit code 1: some could not be added.\n\nExample:\n  $ mlebench repo index add ~/code/*",
    )
    .action(action(add));
  place(group.command("list").description("list what is in it"))
    .addHelpText("after", "\nExample:\n  $ mlebench repo index list")
    .action(action(list));
  place(group.command("search <query>").description("which repository solves this? ranked, with reasons"))
    .option("--limit <n>", "how many", parseCount, 5)
    .option("--github", "ask GitHub's search instead; needs --open-network")
    .option("--open-network", "let GitHub be asked")
    .addHelpText(
      "after",
      `
$GITHUB_TOKEN is sent where it is set; $MLEBENCH_GITHUB_API names another server. What is found is not fetched.
Exit code 1: nothing was found; 3: GitHub did not answer.

Examples:
  $ mlebench repo index search "classify audio"
  $ mlebench repo index search "classify audio language:python" --github --open-network`,
    )
    .action(action(search));
}

const folderOf = (options: Options) =>
  path.resolve(
    options.index ??
      process.env.MLEBENCH_REPOSITORY_INDEX ??
      path.join(userCacheFolder(), "mle-bench", "repositories"),
  );

async function add(sources: string[], options: Options): Promise<ExitCode> {
  const signal = interruption();
  const outcomes: { source: string; outcome: AddOutcome }[] = [];
  for (const source of sources) {
    try {
      const outcome = await addRepository(folderOf(options), source, {
        signal,
        openNetwork: options.openNetwork,
      });
      outcomes.push({ source, outcome });
      if (outcome.status === "refused") {
        printProblem(outcome.problem);
      } else if (!options.json) print(`${outcome.status}  ${line(outcome.entry)}`);
    } catch (error) {
      if (signal.aborted) return 130;
      throw error;
    }
  }
  if (options.json)
    printJson({
      schema: "mlebench/repository-index",
      version: 1,
      results: outcomes.map(({ source, outcome }) => ({
        source,
        status: outcome.status,
        ...(outcome.status === "refused"
          ? { problem: outcome.problem }
          : { repository: brief(outcome.entry) }),
      })),
    });
  const refused = outcomes.filter(({ outcome }) => outcome.status === "refused").length;
  return refused === 0 ? 0 : refused === outcomes.length ? 3 : 1;
}

function list(options: Options): ExitCode {
  const { entries, unreadable } = readIndex(folderOf(options));
  for (const { file, why } of unreadable) printNote(`${file} is left out: ${why}`);
  if (options.json)
    printJson({
      schema: "mlebench/repository-index",
      version: 1,
      repositories: entries.map(brief),
      unreadable,
    });
  else if (entries.length === 0) print("The index is empty; add something: mlebench repo index add <folder>");
  else for (const entry of entries) print(line(entry));
  return 0;
}

async function search(query: string, options: Options): Promise<ExitCode> {
  if (options.github) return askGithub(query, options);
  const { entries, unreadable } = readIndex(folderOf(options));
  for (const { file, why } of unreadable) printNote(`${file} is left out: ${why}`);
  const hits = searchIndex(entries, query, options.limit);
  if (options.json)
    printJson({
      schema: "mlebench/repository-answer",
      version: 1,
      query,
      repositories: hits.map(({ entry, score, reasons }) => ({
        ...brief(entry),
        score: Math.round(score * 1000) / 1000,
        reasons,
      })),
    });
  else if (hits.length === 0)
    print("Nothing found; try other words, or add more: mlebench repo index add <folder>");
  else
    for (const { entry, reasons } of hits) {
      print(`${paint("bold", entry.name)}  ${entry.about}`);
      const why = Object.entries(reasons).map(([field, words]) => `${field}: ${words.join(", ")}`);
      print(`  because of ${why.join("; ")}`);
      print(`  ${entry.folder}  licence ${entry.licence.name}`);
    }
  return hits.length === 0 ? 1 : 0;
}

async function askGithub(query: string, { openNetwork, limit, json }: Options): Promise<ExitCode> {
  if (!openNetwork) {
    printError(
      "NETWORK_CLOSED",
      "GitHub's search needs an open network, and none was asked for.",
      "say so: --open-network; or search the index: leave out --github",
    );
    return 2;
  }
  const baseUrl = process.env.MLEBENCH_GITHUB_API || GITHUB_API;
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? "")) {
    printError("BAD_ADDRESS", `$MLEBENCH_GITHUB_API is not an address (${baseUrl}).`, "write https://…");
    return 2;
  }
  const signal = interruption();
  const found = await searchGithub(query, {
    limit,
    baseUrl,
    token: process.env.GITHUB_TOKEN || undefined,
    signal,
  }).catch((error: Error) => {
    if (signal.aborted) return null;
    throw error;
  });
  if (found === null || signal.aborted) return 130;
  if (found.status !== "found") {
    const when =
      found.status === "limited" && found.until ? `try again after ${found.until.toISOString()}` : null;
    const steps = {
      limited: `${when ?? "try again in a minute"}; more is allowed with $GITHUB_TOKEN`,
      refused: "look at the question: mlebench repo index search --help",
      unreachable: "look at the network; the index needs none: leave out --github",
    };
    printError(`GITHUB_${found.status.toUpperCase()}`, `GitHub: ${found.message}.`, steps[found.status]);
    return 3;
  }
  for (const note of found.notes) printNote(note);
  if (json)
    printJson({
      schema: "mlebench/repository-answer",
      version: 1,
      query,
      source: "github",
      total: found.total,
      notes: found.notes,
      repositories: found.hits,
    });
  else if (found.hits.length === 0) print("Nothing found; try other words.");
  else
    for (const { name, about, reasons, stars, licence, cloneAddress, archived } of found.hits) {
      print(`${paint("bold", name)}  ${about}`);
      const why = Object.entries(reasons).map(([field, words]) => `${field}: ${words.join(", ")}`);
      print(`  because of ${why.join("; ") || "GitHub's own ranking"}`);
      print(`  ${cloneAddress}  ${plural(stars, "star")}, licence ${licence}${archived ? ", archived" : ""}`);
    }
  return found.hits.length === 0 ? 1 : 0;
}

function brief({ words: _, ...rest }: IndexEntry) {
  return rest;
}

const line = ({ name, modules, lines, licence, commit, source }: IndexEntry) =>
  `${name}  ${plural(modules, "module")}, ${plural(lines, "line")}, licence ${licence.name}${commit ? `, ${commit.slice(0, 10)}` : ""}  ${source}`;
