import fs from "node:fs";
import path from "node:path";
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
    } else if (found.message.includes("holds no grading report")) skipped.push(found.message);
    else return failed(found.message);
  }
  if (files.length === 0) return { ...failed("None of the run groups holds a grading report."), skipped };
  return { ...readReports(files), skipped, groups: reported };
}

function experimentGroups(runsDir: string, experimentId: string): string[] | string {
  const file = path.join(runsDir, "run_group_experiments.csv");
  if (!fs.existsSync(file)) return `There is no ${file}, which maps experiments to run groups.`;
  const rows = fs.readFileSync(file, "utf8").split(/\r?\n/).slice(1);
  const groups = rows.map((row) => row.split(",")).filter(([id]) => id === experimentId);
  if (groups.length === 0) return `${file} has no experiment "${experimentId}".`;
  return groups.map(([, group]) => path.join(runsDir, group.trim()));
}

function failed(message: string): SourceOutcome {
  return { ok: false, message, skipped: [], groups: [] };
}
