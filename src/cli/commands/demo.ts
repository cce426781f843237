import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "commander";
import { demoRows } from "../../analysis/demo-rows.ts";
import { resolveSplit } from "../../competitions/splits.ts";
import { thisMachine } from "../../executors/machine.ts";
import { htmlReport } from "../../reporters/html/page.ts";
import { demoLines } from "../../reporters/text/demo.ts";
import { outcomeLines, progressText } from "../../reporters/text/prepare.ts";
import { briefVerificationLines } from "../../reporters/text/run.ts";
import { plural } from "../../wording/counts.ts";
import { durationText } from "../../wording/durations.ts";
import {
  type Demo,
  type DemoControl,
  type DemoOutcome,
  type DemoStep,
  runDemo,
} from "../../workflows/demo.ts";
import { action, type CliCommand, type ExitCode } from "../command.ts";
import { runListener } from "../drive-group.ts";
import { gentleInterruption } from "../interruption.ts";
import { type LiveLines, liveLines } from "../live-lines.ts";
import { parseCount } from "../options.ts";
import { paint, print, printError } from "../print.ts";

interface Options {
  competition?: string[];
  quick?: boolean;
  dir: string;
  workers?: number;
  json?: boolean;
}

const SECONDS = 60;
const QUICK_SECONDS = 7;
const MAX_WORKERS = 4;

export const command: CliCommand = {
  define(command: Command) {
    command
      .option("--quick", `give each trial ${QUICK_SECONDS} s instead of ${SECONDS} s`)
      .option("-c, --competition <id...>", "only these of the starter competitions")
      .option("--dir <folder>", "where everything goes", "mlebench-demo")
      .option(
        "--workers <n>",
        `trials to run at a time (default: one for each processor, at most ${MAX_WORKERS})`,
        parseCount,
      )
      .option("--json", "print events as JSON, one a line; the last one is the summary")
      .addHelpText("after", HELP)
      .action(action(run));
  },
};

const HELP = `
Prepares the starter competitions (their data comes with the package), runs the agents sample and baseline on them,
grades and verifies what they left, and writes report.html. No account and no network are needed. Where there is no
sandbox, these two agents run as plain processes.
Safe to interrupt and to repeat: data that is ready is kept; the agents always run anew, in run groups of their own.
Exit code 0: every trial was graded; 1: some were not; 3: none could be; 130: interrupted.

Examples:
  $ mlebench demo
  $ mlebench demo --quick
  $ mlebench demo --quick -c starter-spam starter-births --dir /tmp/demo`;

async function run(options: Options): Promise<ExitCode> {
  const ids = chosenIds(options.competition);
  if (typeof ids === "string") {
    printError("UNKNOWN_COMPETITION", ids, "list them: mlebench list --split starter");
    return 2;
  }
  const start = Date.now();
  const folder = path.resolve(options.dir);
  const live = liveLines();
  const signals = gentleInterruption((line) => live.keep([line]));
  const display = options.json ? jsonDisplay(live) : textDisplay(live);
  const outcome = await runDemo(
    {
      folder,
      competitionIds: ids,
      workers: options.workers ?? Math.min(MAX_WORKERS, thisMachine().cpus),
      timeSeconds: options.quick ? QUICK_SECONDS : SECONDS,
      page: htmlReport,
    },
    { ...signals, ...display.listeners },
  );
  const code = exitCode(outcome);
  if (outcome.status === "refused") {
    const { code: name, message, nextStep } = outcome.problem;
    printError(name, message, nextStep);
  } else if (outcome.status === "interrupted")
    printError(
      "INTERRUPTED",
      "The demo was stopped before its end.",
      `repeat the same command: the data is kept, the agents run anew (what they did is in ${nearby(path.join(folder, "runs"))})`,
    );
  display.summary(outcome, { folder, seconds: (Date.now() - start) / 1000, exitCode: code });
  return code;
}

function chosenIds(wanted: readonly string[] | undefined): string[] | string {
  const starter = resolveSplit("starter");
  if (!starter.ok) return starter.message;
  const unknown = wanted?.find((id) => !starter.ids.includes(id));
  if (unknown !== undefined) return `"${unknown}" is not a starter competition.`;
  return wanted === undefined ? [...starter.ids] : [...new Set(wanted)];
}

function exitCode(outcome: DemoOutcome): ExitCode {
  if (outcome.status === "interrupted") return 130;
  if (outcome.status === "refused") return 3;
  const { ungraded, verifications } = outcome.demo;
  return ungraded.length > 0 || verifications.some(({ verdict }) => verdict === "broken") ? 1 : 0;
}

interface End {
  folder: string;
  seconds: number;
  exitCode: ExitCode;
}

interface Display {
  listeners: Pick<DemoControl, "onStep" | "prepare" | "onRunEvent">;
  summary(outcome: DemoOutcome, end: End): void;
}

function textDisplay(live: LiveLines): Display {
  return {
    listeners: {
      onStep: (step) => live.keep(stepLines(step)),
      prepare: {
        onProgress: (progress) => live.show(progress.competitionId, progress.stage, progressText(progress)),
        onNote: (id, message) => live.keep([`${id}: ${message}`]),
        onOutcome(outcome) {
          live.end(outcome.competitionId);
          if (outcome.status === "failed") live.keep(outcomeLines(outcome, paint));
        },
      },
      onRunEvent: runListener(false, live),
    },
    summary(outcome, end) {
      if (outcome.status === "shown") for (const line of endLines(outcome.demo, end)) print(line);
    },
  };
}

function stepLines(step: DemoStep): string[] {
  switch (step.step) {
    case "prepare":
      return [`Preparing ${plural(step.competitions, "competition")} in ${nearby(step.dataDir)}`];
    case "sandbox": {
      const { kind, missing } = step.sandbox;
      if (missing === null) return [`Sandbox: ${kind}; a trial sees the public files only, and no network`];
      return [
        `${paint("yellow", "No sandbox:")} ${missing.message}. Both agents are ours, so they run as plain processes.`,
        `  to have one, ${missing.nextStep}`,
      ];
    }
    case "run": {
      const { timeSeconds, workers, cpus } = step.settings;
      return [
        `Running ${paint("bold", step.agent)}: ${plural(step.trials, "trial")}, ${workers} at a time, each ${durationText(timeSeconds)} at most, ${cpus.value} vCPU`,
      ];
    }
    case "grade":
      return ["Grading every submission"];
    case "verify":
      return ["Verifying the records"];
    case "report":
      return [];
  }
}

function endLines(demo: Demo, { folder, seconds }: End): string[] {
  const { results, verifications, ungraded, reportFile, groups } = demo;
  const broken = verifications.filter(({ verdict }) => verdict === "broken");
  const opener = { darwin: "open", win32: "start" }[process.platform as string] ?? "xdg-open";
  const lines = ["", ...demoLines(results, demoRows(results), paint), ""];
  for (const { trial, why } of ungraded) lines.push(`${paint("red", "not graded")}  ${trial}: ${why}`);
  for (const verification of broken) lines.push(...briefVerificationLines(verification, paint));
  if (broken.length === 0)
    lines.push(`${verifications.length} records recomputed: consistent, but unsigned (docs/trust.md)`);
  lines.push(
    `Done after ${durationText(seconds)}; everything lies in ${nearby(folder)}`,
    ...groups.map(({ agent, folder: group }) => `  ${agent.padEnd(9)} ${nearby(group)}`),
    `  report    ${nearby(reportFile)}`,
    `open it:  ${opener} ${nearby(reportFile)}`,
    `     or:  ${pathToFileURL(reportFile).href}`,
  );
  return lines;
}

/** Short where the place is below this folder, whole where it is elsewhere. */
function nearby(place: string): string {
  const relative = path.relative(process.cwd(), place);
  return relative === "" || relative.startsWith("..") ? place : relative;
}

function jsonDisplay(live: LiveLines): Display {
  const tell = (event: Record<string, unknown>) => print(JSON.stringify(event));
  return {
    listeners: {
      onStep: (step) => tell({ event: "step", ...step }),
      prepare: {
        onProgress: (progress) => tell({ event: "prepare-progress", ...progress }),
        onNote: (competitionId, message) => tell({ event: "note", competitionId, message }),
        onOutcome: (outcome) => tell({ event: "prepared", ...outcome }),
      },
      onRunEvent: runListener(true, live),
    },
    summary(outcome, end) {
      const demo = outcome.status === "shown" ? jsonOf(outcome.demo) : null;
      tell({
        event: "summary",
        schema: "mlebench/demo",
        version: 1,
        status: outcome.status,
        ...end,
        ...demo,
      });
    },
  };
}

function jsonOf({ reportFile, groups, sandbox, results, verifications, ungraded }: Demo) {
  return {
    report: reportFile,
    groups,
    sandbox,
    competitions: demoRows(results),
    deviations: Object.fromEntries(results.agents.map(({ name, deviations }) => [name, deviations])),
    ungraded,
    verified: verifications.map(({ subject, verdict }) => ({ subject, verdict })),
  };
}
