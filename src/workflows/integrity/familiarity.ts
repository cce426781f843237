import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { modelClient } from "../../agents/kit/model-client.ts";
import { readRecords } from "../../analysis/trial-records.ts";
import { catalogue, loadCompetition } from "../../competitions/catalogue.ts";
import { competitionFile, dataFolder } from "../../data/place/data-folder.ts";
import { readWindow } from "../../files/window.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import { VERSION } from "../../grading/version.ts";
import {
  askForName,
  askForRows,
  type NamingResult,
  type RowsResult,
} from "../../integrity/familiarity/chat-checks.ts";
import { tokenServer } from "../../integrity/familiarity/completions.ts";
import { documentsIn } from "../../integrity/familiarity/documents.ts";
import { type DocumentScore, scoreDocument } from "../../integrity/familiarity/score-document.ts";
import { type Correlation, correlate } from "../../integrity/familiarity/statistics.ts";
import { loadModelsFile } from "../../models/config/load.ts";
import { resolveModel } from "../../models/resolve.ts";
import { openRunModels } from "../../models/run-models.ts";
import { USUAL_ACCESS } from "../../models/settings.ts";
import type { Problem } from "../../wording/problem.ts";
import { orRefusal } from "../or-refusal.ts";
import { missingFolder } from "./named-folders.ts";

export interface FamiliarityRequest {
  model: string;
  modelsFile?: string | null | undefined;
  /** `texts`: probabilities of tokens. `names` and `rows`: what a chat model can be asked. */
  check: "texts" | "names" | "rows";
  competitions: readonly string[];
  /** Texts of the user's own; the package's descriptions when left out. */
  documents?: string | undefined;
  /** Run groups or reports: how well agents did. */
  reports?: readonly string[] | undefined;
  positions?: number | undefined;
  seed?: number | undefined;
  dataDir?: string | undefined;
  competitionsDir?: string | undefined;
  outputDir: string;
  onProgress?: (done: number, total: number, what: string) => void;
  signal?: AbortSignal;
}

export interface FamiliarCompetition {
  competitionId: string;
  /** Mean over its documents; null for the other checks. */
  familiarity: number | null;
  documents: (DocumentScore & { file: string; sha256: string })[];
  naming: NamingResult | null;
  rows: RowsResult | null;
  /** Mean share of the way from the sample submission to gold, 0 for no score; null without a run. */
  performance: number | null;
}

export interface Familiarity {
  schema: "mlebench/familiarity";
  version: 1;
  mlebenchVersion: string;
  model: string;
  /** False: a scripted, simulated or echoing model, which remembers nothing. */
  languageModel: boolean;
  check: FamiliarityRequest["check"];
  seed: number;
  documents: "given" | "the package's own descriptions" | null;
  competitions: FamiliarCompetition[];
  correlation: Correlation | null;
  notes: string[];
}

export type FamiliarityOutcome =
  | { status: "measured"; result: Familiarity; file: string }
  | { status: "interrupted" }
  | { status: "refused"; problem: Problem };

const POSITIONS = 1000;
const ROWS = 20;
const MAX_TABLE_BYTES = 2 ** 26;

/** Measures what a model remembers of competitions, and whether agents did better where it remembers more. */
export function measureFamiliarity(request: FamiliarityRequest): Promise<FamiliarityOutcome> {
  return orRefusal<FamiliarityOutcome>(
    () => askAndMeasure(request),
    (problem) => ({ status: "refused", problem }),
  );
}

async function askAndMeasure(request: FamiliarityRequest): Promise<FamiliarityOutcome> {
  const { check, competitions, seed = 0 } = request;
  const known = new Set((await catalogue(request.competitionsDir)).map(({ id }) => id));
  const unknown = competitions.find((id) => !known.has(id));
  if (unknown !== undefined)
    return refused(
      "UNKNOWN_COMPETITION",
      `There is no competition "${unknown}".`,
      "list them: mlebench list",
    );
  const missing = missingFolder({ documents: request.documents });
  if (missing !== null) return { status: "refused", problem: missing };
  const performance = performanceOf(request.reports ?? []);
  if (typeof performance === "string")
    return refused("NO_TRIALS", performance, "see: mlebench familiarity --help");
  const measured = check === "texts" ? await scoreTexts(request) : await askChat(request);
  if ("code" in measured) return { status: "refused", problem: measured };
  if (request.signal?.aborted) return { status: "interrupted" };
  const { languageModel } = measured;
  const rows = measured.competitions.map((one) => ({
    ...one,
    performance: performance.get(one.competitionId) ?? null,
  }));
  const both = rows.filter((one) => one.familiarity !== null && one.performance !== null);
  const result: Familiarity = {
    schema: "mlebench/familiarity",
    version: 1,
    mlebenchVersion: VERSION,
    model: request.model,
    languageModel,
    check,
    seed,
    documents:
      check === "texts"
        ? request.documents === undefined
          ? "the package's own descriptions"
          : "given"
        : null,
    competitions: rows,
    correlation: correlate(
      both.map((one) => one.familiarity!),
      both.map((one) => one.performance!),
      seed,
    ),
    notes: [
      ...(languageModel ? [] : [`${request.model} is simulated or scripted: not a language model's result`]),
      ...(check === "texts" && request.documents === undefined
        ? [
            "The package's descriptions are in our own words: a model cannot have learnt them. Give the original texts: --documents",
          ]
        : []),
      ...(request.reports !== undefined && both.length < 3
        ? ["Fewer than three competitions have both: no correlation."]
        : []),
    ],
  };
  const file = path.join(request.outputDir, "familiarity.json");
  writeFileAtomically(file, `${JSON.stringify(result, null, 2)}\n`);
  return { status: "measured", result, file };
}

type Measured = Omit<FamiliarCompetition, "performance">;

interface Answers {
  competitions: Measured[];
  languageModel: boolean;
}

async function scoreTexts(request: FamiliarityRequest): Promise<Answers | Problem> {
  const file = loadModelsFile(request.modelsFile ?? null);
  if ("code" in file) return file;
  const model = resolveModel(request.model, file);
  if ("code" in model) return model;
  const server =
    model.kind === "remote" ? tokenServer(model) : { message: `${request.model} has no log-probabilities.` };
  if ("message" in server)
    return {
      code: "NO_LOGPROBS",
      message: server.message,
      nextStep: "name a server that completes text: compatible:<model>@<address>",
    };
  const results: Measured[] = [];
  for (const [i, competitionId] of request.competitions.entries()) {
    const documents = [];
    for (const { text, file: name, sha256 } of await textsOf(request, competitionId)) {
      if (request.signal?.aborted) return { competitions: results, languageModel: true };
      const score = await scoreDocument(server, text, {
        positions: request.positions ?? POSITIONS,
        seed: request.seed ?? 0,
      }).catch((error: Error) => ({ message: error.message }));
      if (score === null || "message" in score)
        return {
          code: "NO_LOGPROBS",
          message: `${request.model} gives no log-probabilities${score === null ? "" : ` (${score.message})`}.`,
          nextStep: "ask a server with /v1/completions, or use --check names or --check rows",
        };
      documents.push({ ...score, file: name, sha256 });
    }
    const mean = documents.reduce((sum, one) => sum + one.familiarity, 0) / documents.length;
    results.push({
      competitionId,
      familiarity: documents.length === 0 ? null : mean,
      documents,
      naming: null,
      rows: null,
    });
    request.onProgress?.(i + 1, request.competitions.length, competitionId);
  }
  // Only servers are asked for probabilities.
  return { competitions: results, languageModel: true };
}

async function textsOf({ documents, competitionsDir }: FamiliarityRequest, id: string) {
  if (documents !== undefined) return documentsIn(documents, [id]);
  const own = await ownDescription(id, competitionsDir);
  return own === null ? [] : documentsIn(path.dirname(own), [path.basename(own, ".md")]);
}

async function ownDescription(id: string, competitionsDir: string | undefined): Promise<string | null> {
  const loaded = await loadCompetition(id, competitionsDir);
  const file = loaded === null ? null : fileURLToPath(new URL("description.md", loaded.folder));
  return file !== null && fs.existsSync(file) ? file : null;
}

/** Through a gateway of its own: metered, and kept beside the result. */
async function askChat(request: FamiliarityRequest): Promise<Answers | Problem> {
  const settings = {
    ...USUAL_ACCESS,
    roles: { default: request.model },
    modelsFile: request.modelsFile ?? null,
  };
  const models = await openRunModels(settings, { mlebenchVersion: VERSION });
  if ("code" in models) return models;
  const gateway = await models.openGateway({
    listen: { port: 0, host: "127.0.0.1" },
    folder: path.join(request.outputDir, "model"),
    lane: "familiarity",
    seed: request.seed ?? 0,
    places: [],
    remainingMs: 24 * 3600_000,
    secrets: [],
    withToken: true,
  });
  const ask = modelClient({ url: gateway.url!, token: gateway.token!, model: gateway.models[0].id });
  const results: Measured[] = [];
  try {
    for (const [i, competitionId] of request.competitions.entries()) {
      if (request.signal?.aborted) break;
      const one: Measured = { competitionId, familiarity: null, documents: [], naming: null, rows: null };
      const loaded = await loadCompetition(competitionId, request.competitionsDir);
      if (request.check === "names") {
        const text = (await textsOf(request, competitionId))[0]?.text;
        const title = loaded?.competition.name ?? competitionId;
        if (text !== undefined)
          one.naming = await askForName(ask, { id: competitionId, title, description: text });
      } else {
        const train = competitionFile(
          dataFolder(request.dataDir),
          competitionId,
          "prepared/public/train.csv",
        );
        one.rows = await askForRows(ask, linesOf(train), {
          count: request.positions ?? ROWS,
          seed: request.seed ?? 0,
        });
      }
      results.push(one);
      request.onProgress?.(i + 1, request.competitions.length, competitionId);
    }
  } finally {
    await gateway.close();
  }
  return {
    competitions: results,
    languageModel: gateway.record().roles.every((role) => role.languageModel),
  };
}

/** The lines of a table, or of as much of it as says the same: some have 50 million rows. */
function linesOf(table: string): string[] {
  const window = fs.existsSync(table) ? readWindow(fs.realpathSync(table), 0, MAX_TABLE_BYTES) : null;
  if (window === null) return [];
  const lines = window.bytes.toString("utf8").split("\n");
  // The last one may be cut.
  return (window.to < window.size ? lines.slice(0, -1) : lines).filter(Boolean);
}

/** As the original has it: the way from the sample submission to gold, 0 where there is no score. */
function performanceOf(places: readonly string[]): Map<string, number> | string {
  if (places.length === 0) return new Map();
  const read = readRecords(places);
  if (!read.ok) return read.message;
  const shares = new Map<string, number[]>();
  for (const { competitionId, grade } of read.agents.flatMap(({ records }) => records)) {
    if (grade === null || (grade.valid_submission && grade.normalised_score == null)) continue;
    shares.set(competitionId, [...(shares.get(competitionId) ?? []), grade.normalised_score ?? 0]);
  }
  return new Map([...shares].map(([id, all]) => [id, all.reduce((a, b) => a + b, 0) / all.length]));
}

function refused(code: string, message: string, nextStep: string): FamiliarityOutcome {
  return { status: "refused", problem: { code, message, nextStep } };
}
