import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { writeZip } from "../../archive/zip-writer.ts";
import { loadCompetition } from "../../competitions/catalogue.ts";
import { type AuditReport, isGrave } from "../../data/audit/audit-schema.ts";
import { competitionPaths } from "../../data/place/competition-paths.ts";
import { computeChecksums } from "../../data/place/verify-checksums.ts";
import { systemFailure } from "../../data/prepare/failure.ts";
import { prepareMany } from "../../data/prepare/many.ts";
import type { PrepareOutcome } from "../../data/prepare/outcome.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import { descriptionText } from "./description.ts";
import { competitionModule, prepareModule, RAW_ARCHIVE } from "./files.ts";
import { placeFolder, type Stage, stageFor, targetProblem } from "./place.ts";
import { propose, slugOf, type Wishes } from "./proposal.ts";
import { type InitOutcome, type InitRecord, type Proposal, refusal } from "./schema.ts";
import { type OwnTableFile, readOwnTable } from "./table.ts";
import { mendingOption, shellWord, tryCompetition } from "./trial.ts";

export interface InitRequest extends Wishes {
  /** Its last part becomes the competition's id. */
  folder: string;
  train: string;
  /** The data folder itself. */
  dataDir: string;
  /** As it was given, for the commands to go on with; null when it was not. */
  dataDirOption: string | null;
  baselineSeconds: number;
  force: boolean;
  /** The words of the command, to be repeated with what is missing. */
  words: readonly string[];
}

export interface InitControl {
  signal: AbortSignal;
  onStep: (step: string) => void;
}

/**
 * Makes a competition of one's own from a table: reads it, decides what to predict and how to score it, writes the
 * folder, and puts it to the test. Everything happens in a folder beside the target, which is renamed at the end; an
 * interruption leaves nothing.
 */
export async function initCompetition(request: InitRequest, control: InitControl): Promise<InitOutcome> {
  try {
    return await make(request, control);
  } catch (error) {
    if (control.signal.aborted) return { status: "interrupted" };
    const failure = systemFailure(error);
    if (failure === null) throw error;
    const { code, message, nextStep, blame } = failure;
    return { status: "failed", code, message, nextStep, blame };
  }
}

async function make(request: InitRequest, control: InitControl): Promise<InitOutcome> {
  const named = path.resolve(request.folder);
  const id = slugOf(path.basename(named));
  if (id === "")
    return refusal("BAD_NAME", `No id can be made of "${request.folder}".`, "Name it in letters and digits.");
  if ((await loadCompetition(id)) !== null)
    return refusal(
      "NAME_TAKEN",
      `There is a competition "${id}" in mlebench already.`,
      "Give the folder another name.",
    );
  const folder = path.join(path.dirname(named), id);
  const occupied = targetProblem({ ...request, folder, id });
  if (occupied !== null) return occupied;
  control.onStep("reading the table");
  const source = readOwnTable(request.train);
  if ("code" in source) return source;
  const sha256 = createHash("sha256").update(fs.readFileSync(request.train)).digest("hex");
  const proposal = propose(id, { ...source, sha256 }, request);
  if ("code" in proposal) return proposal;
  if (id !== path.basename(named))
    proposal.notes.push(`The folder is called ${id}: an id has small letters, digits and dashes only.`);
  const stage = stageFor(folder);
  try {
    return await makeInStage(stage, folder, proposal, source, request, control);
  } finally {
    stage.remove();
  }
}

async function makeInStage(
  stage: Stage,
  folder: string,
  proposal: Proposal,
  source: OwnTableFile,
  request: InitRequest,
  control: InitControl,
): Promise<InitOutcome> {
  const { competitionId: id } = proposal;
  const draft = path.join(stage.competitions, id);
  control.onStep("writing the folder");
  await writeFiles(draft, proposal, source);
  control.onStep("preparing");
  const prepared = await prepare(id, stage.competitions, stage.data, control);
  if (prepared.status !== "ready") return notPrepared(prepared);
  const checksums = await computeChecksums(path.join(stage.data, id, "prepared"), control.signal);
  writeJson(path.join(draft, "checksums.json"), { schema: "mlebench/checksums", version: 1, ...checksums });
  const tried = await tryCompetition({
    proposal,
    competitionsDir: stage.competitions,
    dataDir: stage.data,
    runsDir: stage.runs,
    baselineSeconds: request.baselineSeconds,
    signal: control.signal,
    onStep: control.onStep,
  });
  if (tried.status === "interrupted" || control.signal.aborted) return { status: "interrupted" };
  const { reasons, scores, audit } = tried;
  const made = {
    folder,
    competitionsDir: path.dirname(folder),
    dataDir: request.dataDir,
    proposal,
    scores,
    audit,
    warnings: [...prepared.warnings, ...tried.warnings],
  };
  // Whoever came first in the meantime stays.
  const occupied = targetProblem({ ...request, folder, id });
  if (occupied !== null) return occupied;
  clearData(request.dataDir, id);
  if (reasons.length > 0) {
    placeFolder(draft, folder, stage);
    return { status: "not-ready", ...made, reasons, nextCommands: mendingCommands(request, audit, id) };
  }
  control.onStep("preparing its data for good");
  // With the checksums of the first time: they prove that anybody gets the same data from this folder.
  const final = await prepare(id, stage.competitions, request.dataDir, control);
  if (final.status !== "ready") return notPrepared(final);
  placeFolder(draft, folder, stage);
  return { status: "ready", ...made, nextCommands: nextCommands(request, id) };
}

async function writeFiles(folder: string, proposal: Proposal, source: OwnTableFile): Promise<void> {
  makeFolder(folder);
  const write = (name: string, text: string) => writeFileAtomically(path.join(folder, name), text);
  write("competition.mjs", competitionModule(proposal));
  write("prepare.mjs", prepareModule(proposal));
  write("description.md", descriptionText(proposal, source.table));
  const record: InitRecord = { schema: "mlebench/init", version: 1, proposal };
  writeJson(path.join(folder, "init.json"), record);
  const entry = { name: proposal.table.file, content: "file" as const, file: source.file };
  await writeZip(path.join(folder, RAW_ARCHIVE), [entry], "deflate");
}

function writeJson(file: string, content: unknown): void {
  writeFileAtomically(file, `${JSON.stringify(content, null, 2)}\n`);
}

async function prepare(
  competitionId: string,
  competitionsDir: string,
  dataDir: string,
  { signal, onStep }: InitControl,
): Promise<PrepareOutcome> {
  const [outcome] = await prepareMany(
    [{ competitionId, competitionVersion: "v1", competitionsDir, dataDir, settings: {} }],
    {
      jobs: 1,
      signal,
      onProgress: ({ stage, what }) => onStep(`preparing: ${what === "" ? stage : what}`),
      onNote: () => {},
      onOutcome: () => {},
    },
  );
  return outcome;
}

function notPrepared(outcome: Exclude<PrepareOutcome, { status: "ready" }>): InitOutcome {
  if (outcome.status === "interrupted") return outcome;
  if (outcome.status === "already-prepared")
    throw new Error(`${outcome.folder} appeared while it was being made`);
  const { code, message, nextStep, blame } = outcome;
  // A table that cannot be split is its author's to change; it was ours to prepare.
  if (code === "SPLIT_IMPOSSIBLE")
    return refusal(code, message, "Give another --test-size, or split otherwise: --group or --time.");
  return { status: "failed", code, message, nextStep, blame };
}

/** Earlier data of the same id, which `--force` gave up. What the user put beside it stays. */
function clearData(dataDir: string, id: string): void {
  const { prepared, state, ownChecksums } = competitionPaths(dataDir, id, "v1");
  for (const place of [prepared, state, ownChecksums]) fs.rmSync(place, { recursive: true, force: true });
}

/** Where the competition and its data are, as options of the commands to go on with. */
function whereOptions({ folder, dataDirOption }: InitRequest): string {
  const dataDir = dataDirOption === null ? "" : ` --data-dir ${shellWord(dataDirOption)}`;
  return `--competitions ${shellWord(path.dirname(folder))}${dataDir}`;
}

function nextCommands(request: InitRequest, id: string): string[] {
  const where = whereOptions(request);
  return [
    `mlebench run --agent baseline -c ${id} --time-limit 5m ${where}`,
    `mlebench grade-sample submission.csv ${id} ${where}`,
    `mlebench show ${id} ${where}`,
  ];
}

/** The same command with what the findings ask for, where an option does; and a look at the data. */
function mendingCommands(request: InitRequest, { findings }: AuditReport, id: string): string[] {
  const grave = findings.filter(isGrave);
  const options = [...new Set(grave.flatMap((finding) => mendingOption(finding, request) ?? []))];
  const where = whereOptions(request);
  const look = [`mlebench prepare -c ${id} ${where}`, `mlebench audit -c ${id} ${where}`];
  if (options.length === 0) return look;
  const words = request.words.filter((word) => word !== "--force" && word !== "--json").map(shellWord);
  return [["mlebench", ...words, ...options, "--force"].join(" "), ...look];
}
