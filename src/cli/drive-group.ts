import { localExecutor } from "../executors/local.ts";
import { hardwareText, thisMachine } from "../executors/machine.ts";
import { trialEndText, trialProgressText } from "../reporters/text/run.ts";
import { type GroupControl, type GroupOutcome, runGroup } from "../trials/group/run.ts";
import type { RunGroup } from "../trials/group/schema.ts";
import type { ExitCode } from "./command.ts";
import { type LiveLines, liveLines } from "./live-lines.ts";
import { paint, print, printError } from "./print.ts";

type Listeners = Pick<GroupControl, "onProgress" | "onTrialStart" | "onTrialEnd">;

/** Runs what is missing of a group, shows it, and says how to go on. Ctrl-C once stops gently, twice kills. */
export async function driveGroup(
  folder: string,
  { settings }: RunGroup,
  { json, acceptChangedData = false }: { json: boolean; acceptChangedData?: boolean },
): Promise<ExitCode> {
  const machine = thisMachine();
  const live = liveLines();
  const { interrupted, killed } = gentleInterruption((line) => live.keep([line]));
  const outcome = await runGroup(folder, {
    executor: localExecutor(machine, settings.workers),
    hardware: (gpus) => hardwareText(Math.min(machine.cpus, Math.ceil(settings.cpus.value)), gpus),
    acceptChangedData,
    interrupted,
    killed,
    ...groupListeners(json, live),
  });
  return conclude(outcome, folder, json, interrupted.aborted);
}

/** The first Ctrl-C stops gently, the second one kills. */
export function gentleInterruption(say: (line: string) => void): {
  interrupted: AbortSignal;
  killed: AbortSignal;
} {
  const gentle = new AbortController();
  const hard = new AbortController();
  const stop = () => {
    if (gentle.signal.aborted) hard.abort();
    else {
      say("Stopping and collecting; press Ctrl-C again to kill.");
      gentle.abort();
    }
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return { interrupted: gentle.signal, killed: hard.signal };
}

/** How the trials of a group are shown while they run. */
export function groupListeners(json: boolean, live: LiveLines): Listeners {
  return json ? jsonListeners() : textListeners(live);
}

function textListeners(live: LiveLines): Listeners {
  return {
    onTrialStart: ({ id, competitionId, seed }, attempt) =>
      live.show(
        id,
        "start",
        `${competitionId} seed ${seed}: started${attempt > 1 ? ` (attempt ${attempt})` : ""}`,
      ),
    onProgress: (progress) =>
      live.show(progress.trialId, `${progress.submissions}`, trialProgressText(progress)),
    onTrialEnd: ({ trial }) => {
      live.end(trial.id);
      live.keep([trialEndText(trial, paint)]);
    },
  };
}

function jsonListeners(): Listeners {
  const tell = (event: Record<string, unknown>) => print(JSON.stringify(event));
  return {
    onTrialStart: (trial, attempt) => tell({ event: "start", ...trial, attempt }),
    onProgress: (progress) => tell({ event: "progress", ...progress }),
    onTrialEnd: ({ status, trial: { id, outcome, final, measurements } }) =>
      tell({ event: "end", id, status, outcome, final, measurements }),
  };
}

function conclude(outcome: GroupOutcome, folder: string, json: boolean, interrupted: boolean): ExitCode {
  if (outcome.status === "refused") {
    printError(outcome.problem.code, outcome.problem.message, outcome.problem.nextStep);
    return 3;
  }
  const { group, finished, unfinished, refusal } = outcome;
  const code: ExitCode = interrupted ? 130 : unfinished.length === 0 ? 0 : finished.length === 0 ? 3 : 1;
  if (refusal !== null) printError(refusal.code, refusal.message, refusal.nextStep);
  if (json)
    print(
      JSON.stringify({
        event: "summary",
        schema: "mlebench/run-summary",
        version: 1,
        runGroup: group.name,
        folder,
        finished,
        unfinished,
        exitCode: code,
      }),
    );
  else {
    print(`${finished.length} of ${group.trials.length} trials finished`);
    print(
      unfinished.length > 0 ? `go on: mlebench resume ${folder}` : `grade them: mlebench grade ${folder}`,
    );
  }
  return code;
}
