import path from "node:path";
import { type Command, Option } from "commander";
import { findInstalled, installProgram, readProgramName } from "../../../agents/coding/installed.ts";
import { CODING_PROGRAM_IDS } from "../../../agents/coding/programs.ts";
import type { AgentDefinition } from "../../../agents/definition/agent.ts";
import { isBuiltIn } from "../../../agents/definition/built-in.ts";
import { type ListedAgent, loadAgents, resolveAgent } from "../../../agents/definition/load-definitions.ts";
import { maskSecrets, recordAgent } from "../../../trials/trial/record-agent.ts";
import { safeText } from "../../../wording/safe-text.ts";
import { checkAgent } from "../../../workflows/check-agent.ts";
import { AGENT_TEMPLATES, type AgentTemplate, initAgent } from "../../../workflows/init-agent.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { interruption } from "../../interruption.ts";
import { modelsFileFrom } from "../../model-options.ts";
import { agentsOption } from "../../options.ts";
import { paint, print, printError, printJson } from "../../print.ts";

interface Options {
  agentsDir: string;
  json?: boolean;
}

export const command: CliCommand = {
  define(command: Command) {
    command.addHelpText(
      "after",
      `
Agents are entries of config.yaml files below a folder (docs/agents.md); some
come with mlebench.

Examples:
  $ mlebench agents list
  $ mlebench agents show sample
  $ mlebench agents check --agents-dir my-agents
  $ mlebench agents init my-agent --from python
  $ mlebench agents install claude-code`,
    );
    const place = (sub: Command) =>
      sub.addOption(agentsOption()).option("--json", "print the result as JSON").exitOverride();
    place(command.command("list").description("list the agents there are"))
      .addHelpText("after", "\nExample:\n  $ mlebench agents list --json")
      .action(action(list));
    place(command.command("show <id>").description("show how an agent would be started, secrets masked"))
      .addHelpText("after", "\nExample:\n  $ mlebench agents show dummy")
      .action(action(show));
    place(
      command.command("check [id...]").description("say what keeps agents from running here (default: all)"),
    )
      .addHelpText(
        "after",
        "\nExit code 1: some cannot run; coding agents that are not installed count only when named.\n\nExample:\n  $ mlebench agents check sample dummy",
      )
      .action(action(check));
    command
      .command("init <folder>")
      .description("write a working agent of your own, with a README")
      .addOption(
        new Option("--from <kind>", "what to begin with").choices(AGENT_TEMPLATES).default("command"),
      )
      .option("--json", "print the result as JSON")
      .exitOverride()
      .addHelpText(
        "after",
        "\nIts id is the folder's name. It runs as it is; README.md says what to change first.\n\nExamples:\n  $ mlebench agents init my-agent --from python\n  $ mlebench agents init my-cli --from coding-cli",
      )
      .action(action(init));
    command
      .command("install <id>")
      .description("put a coding agent into the user's cache, by exact version, from npm")
      .option("--json", "print the result as JSON")
      .exitOverride()
      .addHelpText(
        "after",
        `\nThere are: ${CODING_PROGRAM_IDS.join(", ")}. Their licences are their makers'.\n\nExamples:\n  $ mlebench agents install codex\n  $ mlebench agents install codex@0.169.0`,
      )
      .action(action(install));
  },
};

function list(options: Options): ExitCode {
  const { agents, problems } = loadAgents(folders(options));
  const rows = agents.map(({ id, file, entry }) => ({
    id,
    kind: "image" in entry || "dockerfile" in entry ? "image" : "command",
    builtIn: isBuiltIn(file),
    file,
    description: typeof entry.description === "string" ? entry.description : "",
  }));
  if (options.json) printJson({ agents: rows, problems });
  else {
    const width = Math.max(...rows.map(({ id }) => id.length));
    for (const { id, builtIn, file, description } of rows)
      print(
        `${paint("bold", safeText(id).padEnd(width))}  ${safeText(description) || paint("dim", builtIn ? "built-in" : safeText(file))}`,
      );
  }
  if (!options.json)
    for (const message of problems) printError("BAD_DEFINITION", message, "see docs/agents.md");
  return problems.length > 0 ? 1 : 0;
}

async function show(id: string, options: Options): Promise<ExitCode> {
  const resolved = resolveAgent(id, folders(options));
  if (resolved.status !== "found") {
    printError(resolved.status === "unknown" ? "NO_AGENT" : "BAD_AGENT", resolved.message, resolved.nextStep);
    return 2;
  }
  const { agent, file } = resolved;
  const notes = agent.sandbox === "process" ? resolved.notes : [...resolved.notes, ...resolved.mountNotes];
  const { secrets, secretFiles: _, ...visible } = agent;
  const { definitionDigest, codeDigest } = await recordAgent(agent, {
    sandbox: agent.sandbox ?? "bubblewrap",
    image: agent.image,
  });
  const shown = { ...maskSecrets(visible, secrets), file, notes, definitionDigest, codeDigest };
  if (options.json) printJson(shown);
  else printAgent(shown);
  return 0;
}

function printAgent(
  shown: Omit<AgentDefinition, "secrets" | "secretFiles"> & {
    file: string;
    notes: readonly string[];
    definitionDigest: string;
    codeDigest: string | null;
  },
): void {
  const row = (name: string, value: string) => print(`${paint("bold", name.padEnd(12))} ${safeText(value)}`);
  row("agent", shown.id);
  row("defined in", shown.file);
  row("command", shown.command.join(" "));
  row("image", shown.image ?? "none");
  row("code", shown.folder ?? "in its image");
  for (const [name, value] of Object.entries(shown.env)) row("variable", `${name}=${value}`);
  for (const { host, inside } of shown.mounts) row("mounted", `${host} at ${inside}, read-only`);
  const { network } = shown;
  row("network", network.mode === "allow-list" ? `only ${network.hosts.join(", ")}` : network.mode);
  row("sandbox", shown.sandbox ?? "whatever the run chooses");
  for (const [name, value] of Object.entries(shown.limits)) row("limit", `${name} ${value}`);
  for (const note of shown.notes) row("note", note);
  row("definition", shown.definitionDigest);
  row("code digest", shown.codeDigest ?? "none");
}

async function check(ids: string[], options: Options): Promise<ExitCode> {
  const { agents, problems } = loadAgents(folders(options));
  const unknown = ids.filter((id) => !agents.some((agent) => agent.id === id));
  if (unknown.length > 0) {
    printError("NO_AGENT", `There is no agent "${unknown[0]}".`, "see all: mlebench agents list");
    return 2;
  }
  const chosen = agents.filter(({ id }) => ids.length === 0 || ids.includes(id));
  const modelsFile = modelsFileFrom(undefined);
  const checks = await Promise.all(chosen.map((agent: ListedAgent) => checkAgent(agent, { modelsFile })));
  if (options.json) printJson({ agents: checks, problems });
  else {
    for (const { id, sandbox, problems: own, notes, notInstalled } of checks) {
      const refusal = notInstalled ? paint("dim", "not installed") : paint("red", "cannot run");
      const verdict = own.length === 0 ? paint("green", `ready, in ${sandbox}`) : refusal;
      print(`${paint("bold", safeText(id))}  ${verdict}`);
      for (const { message, nextStep } of own) print(`  ${safeText(message)}\n    ${safeText(nextStep)}`);
      for (const note of notes) print(paint("dim", `  ${safeText(note)}`));
    }
    for (const message of problems) printError("BAD_DEFINITION", message, "see docs/agents.md");
  }
  // Asked for by name it must be there; in a look at all of them it is only told.
  const failing = checks.filter(
    ({ problems: own, notInstalled }) => own.length > 0 && (ids.length > 0 || !notInstalled),
  );
  return problems.length > 0 || failing.length > 0 ? 1 : 0;
}

function init(folder: string, options: { from: AgentTemplate; json?: boolean }): ExitCode {
  const created = initAgent(folder, options.from);
  if ("code" in created) {
    printError(created.code, created.message, created.nextStep);
    return 2;
  }
  if (options.json) printJson(created);
  else {
    print(`${created.id} is in ${created.folder}: ${created.files.join(", ")}`);
    print("try it:");
    for (const line of created.commands) print(`  ${line}`);
  }
  return 0;
}

async function install(wanted: string, options: { json?: boolean }): Promise<ExitCode> {
  const [id, version] = wanted.split(/@(.*)/);
  const program = readProgramName(id);
  if (program === null) {
    printError(
      "NO_PROGRAM",
      `There is no coding agent "${safeText(id)}" to install.`,
      `one of: ${CODING_PROGRAM_IDS.join(", ")}`,
    );
    return 2;
  }
  if (version && readProgramName(wanted) === null) {
    printError(
      "BAD_VERSION",
      `"${safeText(version)}" is not an exact version.`,
      `name one, such as 1.2.3, or none for the version that was tried: mlebench agents install ${id}`,
    );
    return 2;
  }
  if (!options.json) print(paint("dim", `installing ${wanted} with npm; this can take minutes`));
  const outcome = await installProgram(program.id, version || undefined, interruption());
  if (outcome.status === "interrupted") return 130;
  if (outcome.status === "failed") {
    printError("NOT_INSTALLED", outcome.message, outcome.nextStep);
    return 3;
  }
  const { program: installed, folder, status } = outcome;
  if (options.json) printJson({ status, ...installed, folder });
  else {
    const { packageVersion } = installed;
    print(
      `${id} ${packageVersion} ${status === "installed" ? "is installed" : "was there already"}: ${folder}`,
    );
    const usual = findInstalled(program.id)?.program.packageVersion;
    print(
      usual === packageVersion
        ? `run it: mlebench run --agent ${id} --model <name> -c starter-spam --time-limit 20min --grade`
        : `${id} alone starts ${usual}; this one is an agent of your own: {my-${id}: {extends: ${id}, program: ${id}@${packageVersion}}} in agents/config.yaml`,
    );
  }
  return 0;
}

function folders({ agentsDir }: Options): string[] {
  return [path.resolve(agentsDir)];
}
