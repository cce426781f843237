import fs from "node:fs";
import path from "node:path";
import { cellText, isMissing } from "../table/columns/column.ts";
import { readCsvFile } from "../table/csv/reader.ts";
import { byText, groupReport, type ReportsOutcome, readReports } from "./reports.ts";

/** Where reports come from: named files, run groups, or an experiment that a CSV file maps to run groups. */
export interface ReportSource {
  gradingReports?: readonly string[] | undefined;
  runs?: readonly string[] | undefined;
  experimentId?: string | undefined;
  /** The folder of run groups, with `run_group_experiments.csv` in it. */
  runsDir: string;
}

/** `groups` are the run groups that reports were read from. */
export type SourceOutcome = ReportsOutcome & { skipped: string[]; groups: string[] };

export function readSource(source: ReportSource): SourceOutcome {
  const given = [source.gradingReports, source.runs, source.experimentId].filter(
    (option) => option !== undefined,
  );
  if (given.length !== 1) {
    return failed("Name the reports by exactly one of --grading-reports, --runs and --experiment-id.");
  }
  if (source.gradingReports) return { ...readReports(source.gradingReports), skipped: [], groups: [] };
  if (source.runs) return fromGroups(source.runs);
  const groups = experimentGroups(source.runsDir, source.experimentId!);
  return typeof groups === "string" ? failed(groups) : fromGroups(groups);
}

/** A group without a report is skipped with a message, as the original does; one with several is an error. */
function fromGroups(groups: readonly string[]): SourceOutcome {
  const files: string[] = [];
  const skipped: string[] = [];
  const reported: string[] = [];
  for (const group of groups.toSorted(byText)) {
    const found = groupReport(group);
    if (found.ok) {
      files.push(found.file);
      reported.push(group);
    } else if (found.why === "not graded") skipped.push(found.message);
    else return failed(found.message);
  }
  if (files.length === 0) return { ...failed("None of the run groups holds a grading report."), skipped };
  return { ...readReports(files), skipped, groups: reported };
}

const MAPPING = ["experiment_id", "run_group"];

function experimentGroups(runsDir: string, experimentId: string): string[] | string {
  const file = path.join(runsDir, "run_group_experiments.csv");
  if (!fs.existsSync(file)) return `There is no ${file}, which maps experiments to run groups.`;
  const read = readCsvFile(file, { textColumns: MAPPING });
  if (!read.ok) return `${file} cannot be used: ${read.problem.message}`;
  const [ids, groups] = MAPPING.map((name) => read.table.column(name));
  if (!ids || !groups) return `${file} must have the columns ${MAPPING.join(" and ")}.`;
  const rows = Array.from({ length: read.table.rowCount }, (_, row) => row);
  const mine = rows.filter((row) => cellText(ids, row) === experimentId && !isMissing(groups, row));
  if (mine.length === 0) return `${file} has no experiment "${experimentId}".`;
  return mine.map((row) => path.join(runsDir, cellText(groups, row).trim()));
}

function failed(message: string): SourceOutcome {
  return { ok: false, message, skipped: [], groups: [] };
}
