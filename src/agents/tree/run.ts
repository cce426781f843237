import fs from "node:fs";
import path from "node:path";
import { systemRefusal } from "../../files/system-error.ts";
import type { AgentContract } from "../kit/contract.ts";
import type { AskModel } from "../kit/model-client.ts";
import { isListening } from "../kit/validate-client.ts";
import { attemptPruner } from "./endgame/candidates.ts";
import { finish } from "./endgame/finish.ts";
import { searchClock } from "./engine/clock.ts";
import { search } from "./engine/loop.ts";
import { openWorkshop } from "./engine/open-workshop.ts";
import { attemptName } from "./engine/step.ts";
import { bestNode, goodNodes, searchNodes, type TreeNode } from "./engine/tree.ts";
import { hiddenIdsOf, readPredictions } from "./evaluation/predictions.ts";
import { writeSubmission } from "./evaluation/table.ts";
import { frozenFile, keptFolder } from "./execution/attempt.ts";
import { gpusIn } from "./execution/gpus.ts";
import type { Workshop } from "./operators/workshop.ts";
import { writeAideJournals } from "./outputs/aide-journal.ts";
import { type Finished, writeReport } from "./outputs/report.ts";
import { placeSolution } from "./outputs/solution.ts";
import type { Standing } from "./outputs/standing.ts";
import type { TreeSettings } from "./settings/schema.ts";

export interface TreeRun {
  contract: AgentContract;
  settings: TreeSettings;
  askCode: AskModel;
  askFeedback: AskModel;
  /** By role, for the record. */
  models: Record<string, string>;
  /** Null: the baseline has no part in it. */
  baselineProgram: string | null;
  hardware: string;
  log(line: string): void;
}

/**
 * A whole search on what the contract names: a valid submission from the first second on, the journal, the endgame, the
 * report. Called again on the same folders it goes on where the journal ends.
 */
export async function searchTree(run: TreeRun): Promise<Finished> {
  const started = performance.now();
  const { contract, settings, log } = run;
  const gpus = gpusIn(process.env);
  const workers = settings["search.workers"] || Math.max(1, gpus.names.length);
  const clock = searchClock(contract, settings, workers);
  const { shop, journal, standing, scratch } = await openWorkshop(run, clock, { workers, gpus });
  const wasOpen = await isListening(contract.validateUrl);
  const place = { shop, validateUrl: contract.validateUrl, baselineProgram: run.baselineProgram };
  const best = bestNode(goodNodes(journal.tree()));
  if (best !== null) placeBest(contract, shop, standing, best);
  const prune = attemptPruner(shop);
  if (journal.resumed) log(`going on after ${searchNodes(journal.tree()).length} steps`);
  try {
    const end = await search({
      place,
      journal,
      clock,
      // Where nothing ends an agent with its harness, the harness's door is closed.
      isWanted: async () => !wasOpen || (await isListening(contract.validateUrl)),
      onStep(node) {
        log(stepLine(node));
        if (node.isBest) placeBest(contract, shop, standing, node);
        prune(node);
      },
    });
    clock.enterEndgame();
    const ending = await unlessRefused(log, "the endgame", () =>
      finish({
        shop,
        journal,
        allData: contract.data,
        validateUrl: contract.validateUrl,
        baselineProgram: run.baselineProgram,
      }),
    );
    if (ending !== null && standing.place(ending.file)) placeCode(contract, shop, ending.node);
    // Nothing is run any more; on a full disk it makes room for the report.
    fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
    const done = {
      head: journal.head,
      tree: journal.tree(),
      end,
      ending,
      elapsedSeconds: (performance.now() - started) / 1000,
    };
    await unlessRefused(log, "the report", async () => {
      await writeAideJournals(contract.logs);
      writeReport(contract, done);
    });
    return done;
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A disk that is full takes what comes after it, never what stands already. */
async function unlessRefused<T>(
  log: TreeRun["log"],
  what: string,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    const refusal = systemRefusal(error);
    if (refusal === null) throw error;
    log(`${what} was left out: ${refusal.message}`);
    return null;
  }
}

function placeBest(contract: AgentContract, shop: Workshop, standing: Standing, node: TreeNode): void {
  const file = submissionOf(shop, node);
  if (file === null || !standing.place(file))
    shop.log(`step ${node.step} is the best, but its file is gone or finds no room; the one before stands`);
  placeCode(contract, shop, node);
}

function placeCode(contract: AgentContract, shop: Workshop, submitted: TreeNode): void {
  void unlessRefused(shop.log, "the programs behind the submission", async () =>
    placeSolution(contract.code, shop, submitted),
  );
}

/** What a step would submit, from predictions that nobody has touched since; hidden rows left out. */
function submissionOf(shop: Workshop, node: TreeNode): string | null {
  const name = attemptName(node.step);
  const frozen = frozenFile(shop.place, name, node.submissionSha256);
  if (frozen === null || shop.sample === null || shop.settings.compat) return frozen;
  const read = readPredictions(frozen, shop.sample, shop.carved === null ? [] : hiddenIdsOf(shop.carved));
  if (read.status !== "complete") return null;
  const file = path.join(keptFolder(shop.place, name), "submission.csv");
  writeSubmission(file, shop.sample, read.cells);
  return file;
}

function stepLine(node: TreeNode): string {
  const result = node.buggy ? `failed (${node.why?.kind})` : `${node.metric?.value.toPrecision(6)}`;
  return `step ${node.step}  ${node.operator}  ${result}${node.isBest ? "  best" : ""}`;
}
