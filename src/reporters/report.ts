import { withVerdicts } from "../analysis/circumstances.ts";
import { collectResults, type Results } from "../analysis/results.ts";
import { readRecords } from "../analysis/trial-records.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import type { Problem } from "../wording/problem.ts";
import { githubSummary } from "./github.ts";
import { htmlReport } from "./html/page.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown/markdown.ts";
import { resultsJson } from "./results-json.ts";

/** Everything a report can be written as. */
const FORMATS = {
  html: htmlReport,
  markdown: markdownReport,
  json: (results: Results) => `${JSON.stringify(resultsJson(results), null, 2)}\n`,
  junit: junitReport,
  github: githubSummary,
} as const;

export type ReportFormat = keyof typeof FORMATS;

export const REPORT_FORMATS = Object.keys(FORMATS) as ReportFormat[];

export interface ReportRequest {
  /** Run groups or grading reports; `name=path` gives an agent a name. */
  groups: readonly string[];
  format?: ReportFormat | undefined;
  title?: string | undefined;
  /** The two agents to compare; the first two unless told. */
  compare?: readonly string[] | undefined;
  /** A folder with competitions of your own. */
  competitionsDir?: string | undefined;
  /** False leaves the certificates unread, and every trial "not verified". */
  verify?: boolean | undefined;
  /** Also writes the text there. */
  output?: string | undefined;
}

export type ReportOutcome =
  | { status: "reported"; text: string; results: Results }
  | { status: "refused"; problem: Problem };

/** The results of run groups as one text: a page that needs nothing else, unless another format is wished. */
export async function report(request: ReportRequest): Promise<ReportOutcome> {
  const { groups, format = "html", compare, output } = request;
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
    now: new Date(),
  });
  const text = FORMATS[format](results);
  if (output !== undefined) writeFileAtomically(output, text);
  return { status: "reported", text, results };
}

function refuse(code: string, message: string): ReportOutcome {
  return { status: "refused", problem: { code, message, nextStep: "see: mlebench report --help" } };
}
