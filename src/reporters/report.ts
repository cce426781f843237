import path from "node:path";
import { withVerdicts } from "../analysis/circumstances.ts";
import { searchesOf } from "../analysis/journal/of-results.ts";
import { collectResults, type Results } from "../analysis/results.ts";
import { readRecords } from "../analysis/trial-records.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import { DAY_HINT, isDay } from "../wording/days.ts";
import type { Problem } from "../wording/problem.ts";
import { orRefusal } from "../workflows/or-refusal.ts";
import { githubSummary } from "./github.ts";
import { htmlReport } from "./html/page.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown/markdown.ts";
import { resultsJson } from "./results-json.ts";
import { jsonl } from "./trackers/jsonl.ts";
import { mlflowFiles } from "./trackers/mlflow.ts";
import { wandbFiles } from "./trackers/wandb.ts";

/** Everything a report can be written as. */
const FORMATS = {
  html: async (results: Results) => htmlReport(results, await searchesOf(results)),
  markdown: markdownReport,
  json: (results: Results) => `${JSON.stringify(resultsJson(results), null, 2)}\n`,
  junit: junitReport,
  github: githubSummary,
  jsonl,
} as const;

/** Those that are a folder of files, as trackers of experiments keep them. */
const FOLDER_FORMATS = {
  mlflow: mlflowFiles,
  "wandb-offline": wandbFiles,
} as const;

export type ReportFormat = keyof typeof FORMATS | keyof typeof FOLDER_FORMATS;

export const REPORT_FORMATS = [...Object.keys(FORMATS), ...Object.keys(FOLDER_FORMATS)] as ReportFormat[];

/** Where a folder's files go unless told: the names under which its own tools look for them. */
export const USUAL_FOLDERS: Partial<Record<ReportFormat, string>> = {
  mlflow: "mlruns",
  "wandb-offline": "wandb",
};

function isFolderFormat(format: ReportFormat): format is keyof typeof FOLDER_FORMATS {
  return format in FOLDER_FORMATS;
}

export interface ReportRequest {
  /** Run groups or grading reports; `name=path` gives an agent a name. */
  groups: readonly string[];
  format?: ReportFormat | undefined;
  title?: string | undefined;
  /** The two agents to compare; the first two unless told. */
  compare?: readonly string[] | undefined;
  /** A folder with competitions of your own. */
  competitionsDir?: string | undefined;
  /** Where the models' training data end, as 2025-03-31; what the trials' records say unless told. */
  cutoff?: string | undefined;
  /** False leaves the certificates unread, and every trial "not verified". */
  verify?: boolean | undefined;
  /** Also writes the text there; for a format of several files, the folder they go to. */
  output?: string | undefined;
}

export type ReportOutcome =
  | { status: "reported"; text: string; results: Results }
  | { status: "written"; folder: string; files: number; results: Results }
  | { status: "refused"; problem: Problem };

/** The results of run groups as one text: a page that needs nothing else, unless another format is wished. */
export function report(request: ReportRequest): Promise<ReportOutcome> {
  return orRefusal<ReportOutcome>(
    () => readAndWrite(request),
    (problem) => ({ status: "refused", problem }),
  );
}

async function readAndWrite(request: ReportRequest): Promise<ReportOutcome> {
  const { groups, format = "html", compare, output } = request;
  if (!REPORT_FORMATS.includes(format))
    return refuse("UNKNOWN_FORMAT", `"${format}" is none of ${REPORT_FORMATS.join(", ")}.`);
  if (request.cutoff !== undefined && !isDay(request.cutoff))
    return refuse("BAD_DATE", `"${request.cutoff}" is not a day.`, DAY_HINT);
  const read = readRecords(groups);
  if (!read.ok) return refuse("NO_TRIALS", read.message);
  const names = read.agents.map(({ name }) => name);
  const unknown = compare?.find((name) => !names.includes(name));
  if (unknown !== undefined) return refuse("UNKNOWN_AGENT", `"${unknown}" is none of ${names.join(", ")}.`);
  if (compare !== undefined && compare.length !== 2)
    return refuse("BAD_COMPARISON", "Name exactly two agents to compare.");
  const [a, b] = compare ?? [];
  const agents = request.verify === false ? read.agents : await withVerdicts(read.agents);
  const results = await collectResults(agents, read.notes, {
    title: request.title ?? names.join(", "),
    compare: a !== undefined && b !== undefined ? [a, b] : undefined,
    competitionsDir: request.competitionsDir,
    cutoff: request.cutoff,
    now: new Date(),
  });
  if (isFolderFormat(format)) {
    const folder = path.resolve(output ?? USUAL_FOLDERS[format]!);
    const files = FOLDER_FORMATS[format](results);
    for (const [name, content] of files) writeFileAtomically(path.join(folder, name), content);
    return { status: "written", folder, files: files.size, results };
  }
  const text = await FORMATS[format](results);
  if (output !== undefined) writeFileAtomically(output, text);
  return { status: "reported", text, results };
}

function refuse(code: string, message: string, nextStep = "see: mlebench report --help"): ReportOutcome {
  return { status: "refused", problem: { code, message, nextStep } };
}
