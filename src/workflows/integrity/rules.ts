import path from "node:path";
import { modelClient } from "../../agents/kit/model-client.ts";
import { loadCompetition } from "../../competitions/catalogue.ts";
import { dataFolder } from "../../data/place/data-folder.ts";
import { VERSION } from "../../grading/version.ts";
import { integrityPaths } from "../../integrity/findings/folder.ts";
import type { Finding } from "../../integrity/findings/schema.ts";
import { type CheckResult, writeFindings } from "../../integrity/findings/write.ts";
import { candidatesOfGroup } from "../../integrity/plagiarism/candidates.ts";
import { checkLicences, checkProvenance } from "../../integrity/provenance/check.ts";
import { applyRules } from "../../integrity/rules/check.ts";
import { writeJudgement } from "../../integrity/rules/judge/files.ts";
import { type JudgedTrial, judgeFindings, judgeTrial } from "../../integrity/rules/judge/judge.ts";
import { viewTrial } from "../../integrity/rules/trial-view.ts";
import type { ModelTotals } from "../../models/ledger/schema.ts";
import { openRunModels } from "../../models/run-models.ts";
import { USUAL_ACCESS } from "../../models/settings.ts";
import { readGroup } from "../../trials/group/folder.ts";
import type { Problem } from "../../wording/problem.ts";
import { orRefusal } from "../or-refusal.ts";
import { notAGroup } from "./named-folders.ts";

export interface RulesRequest {
  group: string;
  dataDir?: string | undefined;
  competitionsDir?: string | undefined;
  /** Any model of the gateway. */
  judge?: string | undefined;
  modelsFile?: string | null | undefined;
  onProgress?: (done: number, total: number, trial: string) => void;
  signal?: AbortSignal;
}

export interface Judgement {
  model: string;
  trials: JudgedTrial[];
  totals: ModelTotals;
  table: string;
  summary: string;
}

export type RulesOutcome =
  | { status: "checked"; trials: number; findings: Finding[]; judgement: Judgement | null }
  | { status: "interrupted" }
  | { status: "refused"; problem: Problem };

/** Looks for broken rules in every trial of a group, by rules and, if one is named, by a model; writes down what they find. */
export function checkRules(request: RulesRequest): Promise<RulesOutcome> {
  return orRefusal<RulesOutcome>(
    () => readAndCheck(request),
    (problem) => ({ status: "refused", problem }),
  );
}

async function readAndCheck(request: RulesRequest): Promise<RulesOutcome> {
  const { group } = request;
  const candidates = candidatesOfGroup(group);
  if (candidates === null) return { status: "refused", problem: notAGroup(group) };
  const dataDir = dataFolder(request.dataDir ?? readGroup(group)?.settings.dataDir);
  const findings: Finding[] = [];
  const provenance: Finding[] = [];
  for (const [i, { trial, competitionId }] of candidates.entries()) {
    if (request.signal?.aborted) return { status: "interrupted" };
    const loaded = await loadCompetition(competitionId, request.competitionsDir);
    const folder = path.join(group, trial);
    const view = await viewTrial({
      trial,
      folder,
      competitionId,
      competition: loaded?.competition ?? null,
      dataDir,
    });
    findings.push(...applyRules(view));
    const looked = checkProvenance(view);
    if (looked !== null) provenance.push(looked);
    provenance.push(...checkLicences(trial, folder));
    request.onProgress?.(i + 1, candidates.length, trial);
  }
  const results: CheckResult[] = [
    { check: "rules", trials: candidates.length, notes: [], findings },
    { check: "provenance", trials: candidates.length, notes: [], findings: provenance },
  ];
  const judgement = request.judge === undefined ? null : await judge(request, request.judge, candidates);
  if (judgement !== null && "code" in judgement) return { status: "refused", problem: judgement };
  if (judgement !== null) {
    const answers = judgement.trials.flatMap((one) => one.answers);
    const problems = answers.flatMap((one) => one.problems);
    const unclear = answers.filter(({ verdict }) => verdict === null).length;
    results.push({
      check: "judge",
      trials: judgement.trials.length,
      notes: [
        `asked ${judgement.model}`,
        ...(problems.length > 0
          ? [`not all was asked and answered (${problems.length} times), such as: ${problems[0]}`]
          : []),
        ...(unclear > 0
          ? [
              `${unclear} of ${answers.length} answers were neither yes nor no: what they were about is not cleared`,
            ]
          : []),
      ],
      findings: judgement.trials.flatMap(judgeFindings),
    });
  }
  if (request.signal?.aborted) return { status: "interrupted" };
  writeFindings(group, results);
  return {
    status: "checked",
    trials: candidates.length,
    findings: results.flatMap((one) => one.findings),
    judgement,
  };
}

const PATIENCE_MS = 24 * 3600_000;

/** Its calls go through a gateway of their own: metered, and kept with the findings. */
async function judge(
  { group, modelsFile, signal }: RulesRequest,
  model: string,
  candidates: readonly { trial: string; competitionId: string }[],
): Promise<Judgement | Problem> {
  const settings = { ...USUAL_ACCESS, roles: { default: model }, modelsFile: modelsFile ?? null };
  const models = await openRunModels(settings, { mlebenchVersion: VERSION });
  if ("code" in models) return models;
  const folder = integrityPaths(group).rules;
  const gateway = await models.openGateway({
    listen: { port: 0, host: "127.0.0.1" },
    folder: path.join(folder, "judge"),
    lane: "judge",
    seed: 0,
    places: [[path.resolve(group), "GROUP"]],
    remainingMs: PATIENCE_MS,
    secrets: [],
    withToken: true,
  });
  const ask = modelClient({ url: gateway.url!, token: gateway.token!, model: gateway.models[0].id });
  const trials: JudgedTrial[] = [];
  try {
    for (const { trial, competitionId } of candidates) {
      if (signal?.aborted) break;
      trials.push(await judgeTrial(ask, { trial, competitionId, folder: path.join(group, trial) }));
    }
  } finally {
    await gateway.close();
  }
  return { model, trials, totals: gateway.totals(), ...writeJudgement(folder, trials, new Date()) };
}
