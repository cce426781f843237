import fs from "node:fs";
import path from "node:path";
import type { LoadedCompetition } from "../../competitions/catalogue.ts";
import type { Competition, CompetitionVersion } from "../../competitions/competition.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { competitionFile } from "../place/data-folder.ts";
import { type AnswerColumn, type Answers, isSize, readAnswers } from "./answers.ts";
import type { AuditContext, Check } from "./audit-context.ts";
import { type AuditLimits, DEFAULT_AUDIT_LIMITS } from "./audit-limits.ts";
import {
  AUDIT_CHECKS,
  type AuditCheck,
  type AuditReport,
  type Finding,
  isGrave,
  type Omission,
} from "./audit-schema.ts";
import { findAnswersInFiles } from "./checks/answers-in-files.ts";
import { findAnswersInNames } from "./checks/answers-in-names.ts";
import { findAnswersInTables } from "./checks/answers-in-tables.ts";
import { findCrowdedBoard } from "./checks/crowded-board.ts";
import { groupKind } from "./checks/group-names.ts";
import { findSampleProblems } from "./checks/sample-submission.ts";
import { findSharedGroups } from "./checks/shared-groups.ts";
import { findSharedRows } from "./checks/shared-rows.ts";
import { findPredictingColumns } from "./checks/single-column.ts";
import { findUndescribedFiles } from "./checks/undescribed-files.ts";
import { findHollowArchives } from "./reading/archive-content.ts";
import { openArchives } from "./reading/archive-members.ts";
import { plainCell } from "./reading/plain-cell.ts";
import { listPublicFiles } from "./reading/public-files.ts";
import { readTables, type TableView } from "./reading/table-view.ts";
import { findUncoveredTests } from "./side-tables.ts";
import { testItems } from "./test-items.ts";

const checks: Record<AuditCheck, Check> = {
  "answers-in-tables": findAnswersInTables,
  "answers-in-names": findAnswersInNames,
  "answers-in-files": findAnswersInFiles,
  "undescribed-files": findUndescribedFiles,
  "single-column": findPredictingColumns,
  "shared-rows": findSharedRows,
  "shared-groups": findSharedGroups,
  "sample-submission": findSampleProblems,
  "side-tables": findUncoveredTests,
  "archive-content": findHollowArchives,
  "crowded-board": findCrowdedBoard,
};

export interface AuditOptions {
  competition: LoadedCompetition;
  dataDir: string;
  competitionVersion?: CompetitionVersion;
  limits?: Partial<AuditLimits>;
  onProgress?: (step: string) => void;
  /** For what archives hold; gone at the end. */
  scratch: string;
}

/**
 * Scans prepared data for leaks and defects. It knows the competition's facts and the two folders, nothing else, so it
 * serves a user's own competition too. While it reads it hears nothing: to be able to interrupt it, run it in a thread.
 */
export async function auditPrepared(options: AuditOptions): Promise<AuditReport> {
  makeFolder(options.scratch);
  try {
    return await audit(options);
  } finally {
    fs.rmSync(options.scratch, { recursive: true, force: true });
  }
}

async function audit(options: AuditOptions): Promise<AuditReport> {
  const { competition: loaded, dataDir, competitionVersion = "v1", onProgress = () => {}, scratch } = options;
  const { competition } = loaded;
  const place = (file: string) => competitionFile(dataDir, competition.id, file, competitionVersion);
  const folder = place("prepared");
  const limits = { ...DEFAULT_AUDIT_LIMITS, ...options.limits };
  const [publicFolder, privateFolder] = [path.join(folder, "public"), path.join(folder, "private")];

  onProgress("listing files");
  const plain = listPublicFiles(publicFolder);
  const opened = await openArchives(plain.files, scratch, limits, (file) => onProgress(`opening ${file}`));
  const files = [...plain.files, ...opened.files];
  const answers = readAnswers(competition, place(competition.files.answers), limits);
  const read = readTables(files, competition, answers, limits, (file) => onProgress(`reading ${file}`));
  const notScanned: Omission[] = [...plain.notScanned, ...opened.notScanned, ...read.notScanned];
  if (answers !== null && !answers.complete)
    notScanned.push({ file: "the answers", reason: `${answers.ids.length} of their rows were compared` });

  const context: AuditContext = {
    loaded,
    dataDir,
    publicFolder,
    privateFolder,
    files,
    archives: opened.archives,
    tables: read.tables,
    answers,
    targets: answers === null ? [] : answerTargets(competition, answers, read.tables),
    items: answers === null ? [] : testItems(files, answers),
    limits,
    omit: (omission) => notScanned.push(omission),
  };
  const findings: Finding[] = [];
  const skippedChecks: AuditReport["skippedChecks"] = [];
  for (const check of AUDIT_CHECKS) {
    onProgress(`checking ${check}`);
    const outcome = await checks[check](context);
    if ("skipped" in outcome) skippedChecks.push({ check, reason: outcome.skipped });
    else findings.push(...outcome);
  }
  return {
    schema: "mlebench/audit",
    version: 1,
    competitionId: competition.id,
    competitionVersion,
    folder,
    verdict: verdictOf(findings),
    findings: findings.sort((a, b) => ORDER[a.severity] - ORDER[b.severity]),
    skippedChecks,
    scanned: {
      files: files.length,
      tables: read.tables.length,
      archives: opened.archives.length,
      answers: answers?.rows ?? 0,
    },
    notScanned,
  };
}

const ORDER = { leak: 0, defect: 1, suspicious: 2, warning: 3 } as const;

function verdictOf(findings: readonly Finding[]): AuditReport["verdict"] {
  if (findings.length === 0) return "clean";
  return findings.some(isGrave) ? "findings" : "warnings";
}

/**
 * The secret columns of the answers: the targets the facts name or, where the answers call them otherwise, every
 * column that no public test table has. Classes given one column each are also joined to one column of labels.
 */
function answerTargets(
  competition: Competition,
  answers: Answers,
  tables: readonly TableView[],
): AnswerColumn[] {
  const named = competition.columns.target.flatMap((name) => answers.columns.get(name) ?? []);
  if (named.length > 0) return [...named, ...labelColumn(named)];
  const known = new Set(tables.filter(({ role }) => role === "test").flatMap(({ columns }) => columns));
  return [...answers.columns.values()].filter(
    ({ name }) => !known.has(name) && !isSize(name) && groupKind(name) === null,
  );
}

function labelColumn(columns: AnswerColumn[]): AnswerColumn[] {
  if (columns.length < 3) return [];
  const cells: string[] = [];
  for (let row = 0; row < columns[0].cells.length; row++) {
    const ones = columns.filter((column) => plainCell(column.cells[row]) === "1");
    if (ones.length !== 1) return [];
    cells.push(ones[0].name);
  }
  return [{ name: "(class)", cells }];
}
