import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { makeFolder } from "../../../files/make-folder.ts";
import { readSample } from "../../baseline/reading/public-files.ts";
import type { AgentContract } from "../../kit/contract.ts";
import { submitSample } from "../../sample/submit-sample.ts";
import { type CarveOutcome, carve } from "../evaluation/carve.ts";
import { largestTable, type Rows } from "../evaluation/table.ts";
import { readTask } from "../evaluation/task.ts";
import { unpackedView } from "../evaluation/unpacked.ts";
import type { Gpus } from "../execution/gpus.ts";
import { findLanguage, installedPackages } from "../execution/language.ts";
import { type Journal, openJournal } from "../journal/append.ts";
import { JOURNAL_SCHEMA, JOURNAL_VERSION, type JournalHead } from "../journal/schema.ts";
import { dataOverview } from "../memory/overview.ts";
import type { Workshop } from "../operators/workshop.ts";
import { type Standing, standingSubmission } from "../outputs/standing.ts";
import type { TreeRun } from "../run.ts";
import type { SearchClock } from "./clock.ts";
import { goodNodes } from "./tree.ts";

export interface OpenWorkshop {
  shop: Workshop;
  journal: Journal;
  standing: Standing;
  scratch: string;
}

/** Reads the task, hides rows, opens the journal: all that a search needs before its first step. */
export async function openWorkshop(
  run: TreeRun,
  clock: SearchClock,
  { workers, gpus }: { workers: number; gpus: Gpus },
): Promise<OpenWorkshop> {
  const { contract, settings } = run;
  // Before anything that takes its time, or may be refused.
  const standsThere = path.join(contract.submission, "submission.csv");
  if (fs.lstatSync(standsThere, { throwIfNoEntry: false })?.isFile() !== true) {
    fs.rmSync(standsThere, { recursive: true, force: true });
    await submitSample(contract);
  }
  const scratch = scratchFolder(contract);
  const task = await readTask(contract);
  const language = findLanguage(settings["agent.language"]);
  const wanted = settings["parts.holdout"] && !settings.compat;
  const outcome: CarveOutcome = wanted
    ? carve(
        contract.data,
        task,
        { seed: contract.seed, mostBytes: largestTable(contract.memoryLimitBytes) },
        path.join(scratch, "view"),
      )
    : { status: "not carved", why: "it is switched off" };
  const carved = outcome.status === "carved" && task.direction !== null ? outcome.carved : null;
  if (outcome.status === "not carved") run.log(`no hidden rows: ${outcome.why}`);
  const measuredBy = carved === null ? "reported" : "hold-out";
  const head: JournalHead = {
    schema: JOURNAL_SCHEMA,
    version: JOURNAL_VERSION,
    preset: settings.preset,
    settings: { ...settings },
    competition: contract.competitionId,
    seed: contract.seed,
    language: language.name,
    models: run.models,
    direction: task.direction,
    metric: task.metricName,
    measuredBy,
    startedAt: new Date().toISOString(),
  };
  const journal = await openJournal(path.join(contract.logs, "journal.jsonl"), head, scratch);
  const standing = standingSubmission(contract.submission, scratch);
  let overview: string | null = null;
  // The original unpacks archives where they lie; it is one of its traps that what it shows is not what it was given.
  const unpacked = settings.compat ? await unpackedView(contract.data, path.join(scratch, "view")) : null;
  const data = carved?.folder ?? unpacked ?? contract.data;
  const shop: Workshop = {
    settings,
    workers,
    seed: contract.seed,
    task,
    language,
    packages: settings["parts.packages"] ? installedPackages(language) : [],
    hardware: run.hardware,
    place: {
      kept: path.join(contract.logs, "attempts"),
      scratch,
      language,
      seed: contract.seed,
      threads: Math.max(1, Math.floor(os.availableParallelism() / workers)),
      gpus,
      slot: null,
      modules: settings["parts.modules"],
      guarded: [standing, { what: "the journal", mend: journal.mend }, ...(carved === null ? [] : [carved])],
      log: run.log,
    },
    carved,
    data,
    allData: contract.data,
    sample: carved?.sample ?? (await sampleRows(contract.data)),
    measuredBy,
    metricWords:
      task.metricName === null
        ? ""
        : `The metric is ${task.metricName}${task.direction === null ? "" : `, ${task.direction === "minimize" ? "lower" : "higher"} is better`}.`,
    askCode: run.askCode,
    askFeedback: run.askFeedback,
    overview() {
      overview ??= dataOverview(data, settings["parts.overview_tokens"]);
      return overview;
    },
    tree: journal.tree,
    texts: journal.texts,
    clock,
    log: run.log,
  };
  for (const node of goodNodes(journal.tree())) clock.noteExecution(node.executionSeconds);
  return { shop, journal, standing, scratch };
}

/** Large samples are not held: the harness's own check has to do then. */
async function sampleRows(data: string): Promise<Rows | null> {
  const table = await readSample(data);
  if (table === null || table.rows * table.header.length > 5_000_000) return null;
  const rows = Array.from({ length: table.rows }, (_, row) =>
    table.columns.map((cells) => cells.at(row) ?? ""),
  );
  return { header: table.header, rows };
}

/** In the agent's own folder where it may write, so that its disk limit counts it. */
function scratchFolder({ agent }: AgentContract): string {
  let refusal: unknown;
  for (const parent of [agent, os.tmpdir()]) {
    const folder = path.join(parent, `tree-work-${process.pid}`);
    try {
      // What a process that was killed has left here.
      if (parent === agent)
        for (const name of fs.readdirSync(agent))
          if (/^tree-work-\d+$/.test(name))
            fs.rmSync(path.join(agent, name), { recursive: true, force: true });
      makeFolder(folder);
      return folder;
    } catch (error) {
      refusal = error;
    }
  }
  throw refusal;
}
