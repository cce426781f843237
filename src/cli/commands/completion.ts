import { Command, type Option } from "commander";
import { loadAgents } from "../../agents/definition/load-definitions.ts";
import { catalogue } from "../../competitions/catalogue.ts";
import { SPLIT_NAMES } from "../../competitions/splits.ts";
import { listGroups, readGroup } from "../../trials/group/folder.ts";
import { action, type CliCommand, type ExitCode } from "../command.ts";
import { COMMANDS } from "../command-list.ts";
import { print, printError } from "../print.ts";

const SHELLS = {
  bash: `_mlebench() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(mlebench completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _mlebench mlebench`,
  zsh: `#compdef mlebench
_mlebench() {
  local -a found
  found=("\${(@f)$(mlebench completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "\${found[1]}" ]] && compadd -a found || _files
}
compdef _mlebench mlebench`,
  fish: `complete -c mlebench -f -a '(mlebench completion words -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
} as const;

export const command: CliCommand = {
  define(command: Command) {
    command
      .argument("<shell>", `${Object.keys(SHELLS).join(", ")}; or words, which the scripts call`)
      .argument("[words...]", "what stands on the line so far, the word to complete last")
      .addHelpText(
        "after",
        `
Prints a script that completes commands, options, competitions, agents, run
groups and trials.

Examples:
  $ source <(mlebench completion bash)                                          in ~/.bashrc
  $ source <(mlebench completion zsh)                                           in ~/.zshrc
  $ mlebench completion fish > ~/.config/fish/completions/mlebench.fish`,
      )
      .action(action(run));
  },
};

async function run(shell: string, words: string[]): Promise<ExitCode> {
  if (shell === "words") {
    // Shells expand what they are given, and anybody may have named a folder.
    for (const word of await wordsFor(words)) if (/^[\w@%+=:,./-]+$/.test(word)) print(word);
    return 0;
  }
  if (!Object.hasOwn(SHELLS, shell)) {
    const known = Object.keys(SHELLS).join(", ");
    printError("UNKNOWN_SHELL", `"${shell}" is not a shell that is known here.`, `one of ${known}`);
    return 2;
  }
  print(SHELLS[shell as keyof typeof SHELLS]);
  return 0;
}

/** What may stand in the last place of the line; all of it, for the shell picks what begins as typed. */
async function wordsFor(line: readonly string[]): Promise<string[]> {
  const [name, ...rest] = line;
  const last = line.at(-1) ?? "";
  if (line.length <= 1) return Object.keys(COMMANDS);
  if (!Object.hasOwn(COMMANDS, name)) return [];
  const command = new Command(name);
  (await COMMANDS[name].load()).command.define(command);
  const sub = command.commands.find((one) => one.name() === rest[0]);
  const active = rest.length > 1 && sub !== undefined ? sub : command;
  if (last.startsWith("-"))
    return active.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
  const before = rest.at(-2) ?? "";
  const option = active.options.find(
    ({ short, long }) => before !== "" && (short === before || long === before),
  );
  if (option !== undefined && (option.required || option.optional)) return valuesOf(option, line);
  if (command.commands.length > 0 && rest.length === 1) return command.commands.map((one) => one.name());
  return argumentsOf(name, line);
}

async function valuesOf(option: Option, line: readonly string[]): Promise<string[]> {
  if (option.argChoices !== undefined) return option.argChoices;
  switch (option.long) {
    case "--competition":
      return competitionIds(line);
    case "--agent":
      return loadAgents([
        given(line, "--agents-dir") ?? process.env.MLEBENCH_AGENTS_DIR ?? "agents",
      ]).agents.map(({ id }) => id);
    case "--split":
      return [...SPLIT_NAMES];
    case "--runs":
      return groupNames(line);
    default:
      return [];
  }
}

const TAKES_GROUPS = new Set([
  ...["status", "resume", "grade", "verify", "make-submission", "trial"],
  ...["compare", "report", "failures", "scorecard", "standings", "leaderboard"],
]);
const TAKES_TRIALS = new Set(["logs", "cancel", "verify", "trial"]);
const TAKES_COMPETITIONS = new Set(["show", "grade-sample", "validate"]);

async function argumentsOf(name: string, line: readonly string[]): Promise<string[]> {
  if (name === "completion") return Object.keys(SHELLS);
  if (name === "agents")
    return loadAgents([given(line, "--agents-dir") ?? "agents"]).agents.map(({ id }) => id);
  return [
    ...(TAKES_GROUPS.has(name) ? groupNames(line) : []),
    ...(TAKES_TRIALS.has(name) ? trialIds(line) : []),
    ...(TAKES_COMPETITIONS.has(name) ? await competitionIds(line) : []),
  ];
}

async function competitionIds(line: readonly string[]): Promise<string[]> {
  const own = given(line, "--competitions") ?? process.env.MLEBENCH_COMPETITIONS_DIR;
  return (await catalogue(own)).map(({ id }) => id);
}

function groupNames(line: readonly string[]): string[] {
  const runsDir = runsOf(line);
  return listGroups(runsDir).map((folder) => folder.slice(runsDir.length).replace(/^[\\/]/, ""));
}

function trialIds(line: readonly string[]): string[] {
  return listGroups(runsOf(line)).flatMap((folder) => (readGroup(folder)?.trials ?? []).map(({ id }) => id));
}

function runsOf(line: readonly string[]): string {
  return given(line, "--runs-dir") ?? process.env.MLEBENCH_RUNS_DIR ?? "runs";
}

/** The value an option has on the line. */
function given(line: readonly string[], option: string): string | undefined {
  const at = line.indexOf(option);
  return at === -1 ? undefined : line[at + 1];
}
