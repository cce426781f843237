import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { exportViewer } from "../../../viewer/export.ts";
import { startViewer } from "../../../viewer/server.ts";
import { writeTreePage } from "../../../viewer/tree-page.ts";
import { plural } from "../../../wording/counts.ts";
import { sizeText } from "../../../wording/sizes.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { interruption } from "../../interruption.ts";
import { addCompetitionsOption } from "../../options.ts";
import { print, printError, printJson, printNote } from "../../print.ts";
import { trialFolder } from "../../resolve.ts";
import { addRunsOption, type RunsOptions, runsFolder } from "../../runs-folder.ts";

interface Options extends RunsOptions {
  port: string;
  open: boolean;
  export?: string;
  transcripts?: boolean;
  tree?: string;
  output: string;
  competitions?: string;
  json?: boolean;
}

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addCompetitionsOption(command))
      .option("--port <number>", "the port to listen on, on 127.0.0.1 only (0: any that is free)", "0")
      .option("--no-open", "do not open a browser")
      .option("--export <folder>", "write the pages as files that need no server, and end")
      .option("--transcripts", "with --export: whole conversations with models go along")
      .option(
        "--tree <trial>",
        "write the search tree of a trial as one page that needs nothing else, and end",
      )
      .option("-o, --output <file>", "with --tree: where to write it", "tree.html")
      .option("--json", "print the address, or what was exported, as JSON")
      .addHelpText(
        "after",
        `
Pages over the folders on disk: what runs now, every group, trial and model
call. Nothing is written but requests to cancel a trial. Whoever has the printed
address may look; it is valid until the command ends (Ctrl-C).
An export without --transcripts still holds a model's words where the agent kept
them: plans, code, report.md, logs.

Examples:
  $ mlebench view
  $ mlebench view --runs-dir /scratch/runs --port 8123 --no-open
  $ mlebench view --export pages
  $ mlebench view --tree starter-spam -o tree.html
  $ ssh -L 8123:127.0.0.1:8123 cluster mlebench view --port 8123 --no-open`,
      )
      .action(action(run));
  },
};

async function run(options: Options): Promise<ExitCode> {
  if (options.tree !== undefined) return writeTree(options.tree, options);
  const runsDir = runsFolder(options);
  if (!/^\d{1,5}$/.test(options.port) || Number(options.port) > 65_535) {
    printError("WRONG_USAGE", `"${options.port}" is not a port.`, "write a number from 0 to 65535");
    return 2;
  }
  if (!fs.existsSync(runsDir)) {
    printError("NO_RUNS", `There is no folder ${runsDir}.`, "name it: mlebench view --runs-dir <folder>");
    return 2;
  }
  if (options.export !== undefined) return writePages(runsDir, options.export, options);
  const started = await startViewer({
    runsDir,
    port: Number(options.port),
    competitionsDir: options.competitions,
  });
  if (!started.ok) {
    printError(
      started.code,
      started.message,
      "choose another: mlebench view --port 0 takes any that is free",
    );
    return 3;
  }
  const { url, close } = started.viewer;
  if (options.json) printJson({ schema: "mlebench/view", version: 1, url, runsDir });
  else print(`${url}\nPress Ctrl-C to end.`);
  if (options.open && process.stdout.isTTY) openBrowser(url);
  await new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  await close();
  return 0;
}

/** Secrets of this machine's environment must not go along, whatever an agent printed. */
function secretsHere(): string[] {
  return Object.entries(process.env)
    .filter(([name, value]) => /KEY|TOKEN|SECRET|PASSWORD/i.test(name) && (value ?? "").length >= 8)
    .map(([, value]) => value!);
}

async function writeTree(name: string, options: Options): Promise<ExitCode> {
  const folder = trialFolder(name, options);
  if (folder === null) return 2;
  const file = path.resolve(options.output);
  const outcome = await writeTreePage({ folder, file, secrets: secretsHere() });
  if (!outcome.ok) {
    printError("NO_TREE", outcome.message, "see what the trial has: mlebench view");
    return 2;
  }
  const { steps, withoutText, bytes } = outcome;
  if (options.json) printJson({ schema: "mlebench/view-tree", version: 1, file, steps, withoutText, bytes });
  else print(`${file}: ${plural(steps, "step")}, ${sizeText(bytes)}`);
  if (withoutText > 0 && !options.json)
    printNote(`The texts of ${plural(withoutText, "step")} are too long for one file and were left out.`);
  return 0;
}

async function writePages(runsDir: string, folder: string, options: Options): Promise<ExitCode> {
  let told = performance.now();
  const outcome = await exportViewer({
    runsDir,
    folder,
    competitionsDir: options.competitions,
    transcripts: options.transcripts === true,
    secrets: secretsHere(),
    signal: interruption(),
    onProgress(done, of) {
      if (performance.now() - told < 2000) return;
      told = performance.now();
      printNote(`${done} of ${of} trials`);
    },
  });
  if (!outcome.ok) {
    if (outcome.code === "INTERRUPTED") return 130;
    printError(outcome.code, outcome.message, NEXT_STEPS[outcome.code]);
    return 2;
  }
  const { files, bytes } = outcome;
  if (options.json)
    printJson({ schema: "mlebench/view-export", version: 1, folder: path.resolve(folder), files, bytes });
  else print(`${path.join(path.resolve(folder), "index.html")}: ${files} files, ${sizeText(bytes)}`);
  return 0;
}

const NEXT_STEPS = {
  NO_RUNS: "name the folder of your run groups: mlebench view --runs-dir <folder> --export <pages>",
  NOT_EXPORTED: "name a new folder: mlebench view --export <folder>",
  TOO_MANY_TRIALS: "name a folder with fewer run groups: mlebench view --runs-dir <folder> --export <pages>",
};

/** Where there is no browser to open, the printed address has to do. */
function openBrowser(url: string): void {
  const program = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(program, [url], { stdio: "ignore", detached: true });
  child.on("error", () => printNote("No browser was found: open the address above."));
  child.unref();
}
