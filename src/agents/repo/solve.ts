import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { supervise } from "../baseline/supervise.ts";
import type { AgentContract } from "../kit/contract.ts";
import { type AskModel, modelClient, modelPlace } from "../kit/model-client.ts";
import { placeSample } from "../sample/place-sample.ts";
import { type Attempt, attempt } from "./attempt.ts";
import { type Candidates, findCandidates } from "./candidates.ts";
import { type Environment, environmentText, makeEnvironment, noEnvironment } from "./environment.ts";
import { assistInstead, searchInstead } from "./fallback.ts";
import { traceProvenance } from "./provenance.ts";
import { taskRequirements } from "./requirements.ts";
import { type RepoSettings, readSettings } from "./settings.ts";

/** From the task to a submission: the best repository, tried again, the next one, and at last the baseline. */
export async function solveByRepository(
  contract: AgentContract,
  args: readonly string[],
  program: string,
): Promise<void> {
  const materials = path.join(contract.home, "materials");
  const read = readSettings(args, materials);
  if (read.status === "wrong") {
    console.error(`The settings cannot be used: ${read.message}`);
    process.exit(2);
  }
  const { settings, notes } = read;
  for (const note of notes) console.log(note);
  const track = settings.allowSolutions ? "mle-bench-r" : "mle-bench";
  console.log(
    `track: ${track}${settings.allowSolutions ? " (solutions of this competition are allowed; not comparable with other tracks)" : ""}`,
  );
  placeSample(contract);
  const place = modelPlace(process.env);
  const ask = place === null ? null : modelClient(place);
  const task = await taskRequirements(contract, ask, settings.file?.task_description);
  const candidates = await findCandidates(
    materials,
    task,
    contract.competitionId,
    settings,
    ask,
    shareOf(contract, 0.2, READING),
  );
  for (const { map, leak } of candidates.dropped)
    console.log(`dropped ${map.name}: ${leak.rule} in ${leak.where} (${leak.found})`);
  for (const { repository, why } of candidates.passedOver) console.log(`passed over ${repository}: ${why}`);
  for (const { map, quality } of candidates.chosen)
    console.log(`candidate ${map.name}: ${quality.score.toFixed(3)} by ${quality.by}`);
  if (candidates.repositories === 0) console.error(`there is no repository: ${candidates.nothing}`);
  const environments: Record<string, Omit<Environment, "variables">> = {};
  const attempts = ask === null ? [] : await tryAll(contract, ask, candidates, settings, environments);
  const solved = attempts.find((one) => one.solved);
  const used = new Set(attempts.filter((one) => one.solved).map(({ repository }) => repository));
  const provenance = traceProvenance(
    contract.code,
    candidates.chosen.map(({ map }) => map),
    used,
    track,
    candidates.dropped.map(({ map }) => map),
  );
  for (const { message } of provenance.findings) console.log(`finding: ${message}`);
  writeJson(contract, "provenance.json", provenance);
  // A search needs a model that still answers.
  const answers =
    ask !== null && !attempts.some(({ end }) => end === "refused" || end === "unreachable" || end === "time");
  const fallback = answers ? settings.fallback : "baseline";
  const record = {
    schema: "mlebench/repo-agent",
    version: 1,
    track,
    leakFilter: settings.allowSolutions ? "off" : "on",
    settings: { ...settings, file: settings.file !== null },
    task: { title: task.title, shape: task.shape, metric: task.metric, terms: task.terms },
    candidates: candidates.chosen.map(({ map, fit, reasons, quality }) => ({
      repository: map.name,
      fit,
      reasons,
      quality,
    })),
    dropped: candidates.dropped.map(({ map, leak }) => ({ repository: map.name, leak })),
    passedOver: candidates.passedOver,
    environments,
    attempts,
    notes: [
      ...notes,
      ...(candidates.repositories === 0 ? [`there is no repository: ${candidates.nothing}`] : []),
    ],
    solvedBy: solved?.repository ?? null,
    fallback: solved ? null : fallback,
  };
  writeJson(contract, "repo.json", record);
  if (solved) {
    console.log(`solved with ${solved.repository} after ${attempts.length} attempts`);
    return;
  }
  const why =
    ask === null
      ? "there is no model"
      : attempts.length === 0
        ? candidates.repositories === 0
          ? candidates.nothing
          : "there is no repository to use"
        : "no repository solved it";
  console.log(`falling back to ${fallback}: ${why}`);
  if (fallback === "tree" && ask !== null && place !== null) await searchInstead(contract, ask, place.model);
  else if (fallback === "assistant" && ask !== null) {
    const assistance = await assistInstead(contract, ask, settings, hasPython(), program);
    writeJson(contract, "repo.json", { ...record, assistance });
  } else await supervise(contract, program);
}

const INSTALLING = { min: 1, max: 120 };
const READING = { min: 10, max: 600 };

/** Shares of the time that is left, in seconds. */
function shareOf(
  { deadlineEpoch }: AgentContract,
  share: number,
  { min, max }: Record<"min" | "max", number>,
) {
  const left = deadlineEpoch - Date.now() / 1000;
  return Number.isFinite(left) ? Math.min(max, Math.max(left * share, min)) : max;
}

/** Each repository as often as `retry` says, then the next one. */
async function tryAll(
  contract: AgentContract,
  ask: AskModel,
  { chosen }: Candidates,
  settings: RepoSettings,
  environments: Record<string, Omit<Environment, "variables">>,
): Promise<Attempt[]> {
  const materials = path.join(contract.home, "materials");
  const python = hasPython();
  const all: Attempt[] = [];
  for (const candidate of chosen) {
    const seconds = shareOf(contract, 0.1, INSTALLING);
    const environment = settings.useVenv
      ? makeEnvironment(candidate.map, materials, { seconds })
      : noEnvironment(["its file asks for none"]);
    const { variables: _, ...shown } = environment;
    environments[candidate.map.name] = shown;
    console.log(`${candidate.map.name}: ${environmentText(environment)}`);
    const failures: string[] = [];
    for (let number = 1; number <= settings.attempts; number++) {
      const one = await attempt(contract, ask, candidate, settings, number, failures, python, environment);
      all.push(one);
      console.log(`${one.repository}, attempt ${number}: ${one.solved ? "solved" : one.why}`);
      if (one.solved || one.end === "refused" || one.end === "unreachable" || one.end === "time") return all;
      failures.push(one.why);
    }
  }
  return all;
}

const hasPython = () => spawnSync("python3", ["--version"]).status === 0;

function writeJson({ logs }: AgentContract, name: string, value: unknown): void {
  fs.writeFileSync(path.join(logs, name), `${JSON.stringify(value, null, 1)}\n`);
}
