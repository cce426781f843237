import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { mlebench } from "../cli.ts";

export interface Solved {
  /** What `run --grade` printed at its end. */
  table: string;
  /** The folder of the group, and of each trial by its competition. */
  group: string;
  trials: Map<string, string>;
  /** What did not go as it should. */
  problems: string[];
}

export interface Task {
  competitions: readonly string[];
  data: string;
  runs: string;
  seconds: number;
  /** Whether no class of failure may be found either: not for competitions that the simulated model cannot solve. */
  withoutFailures?: boolean;
  /** bubblewrap unless told. */
  sandbox?: string;
}

const Report = z.object({
  competition_reports: z.array(
    z.object({
      competition_id: z.string(),
      valid_submission: z.boolean(),
      turns: z.int().optional(),
      model_usage: z.object({ calls: z.int(), tokens: z.number() }).optional(),
    }),
  ),
});

/** Runs an agent with the simulated model without a network, and holds everything that is said of it to the light. */
export function solvedBy(agent: string, task: Task): Solved {
  const { competitions, data, runs, seconds, withoutFailures = true, sandbox = "bubblewrap" } = task;
  const ran = mlebench(
    [
      ...["run", "--agent", agent, "-c", ...competitions, "--data-dir", data, "--runs-dir", runs],
      ...["--sandbox", sandbox, "--model", "simulated:steady", "--time-limit", `${seconds}s`],
      ...["--workers", "1", "--name", "group", "--grade"],
    ],
    {},
    (seconds + 60) * competitions.length * 1000,
  );
  const group = path.join(runs, "group");
  if (!fs.existsSync(group))
    return { table: ran.stdout, group, trials: new Map(), problems: [`it did not run: ${ran.stderr}`] };
  const problems = ran.code === 0 ? [] : [`the run ended with ${ran.code}: ${ran.stderr.slice(-500)}`];
  const report = Report.parse(
    JSON.parse(
      fs.readFileSync(
        path.join(group, fs.readdirSync(group).find((name) => name.endsWith("_grading_report.json"))!),
        "utf8",
      ),
    ),
  );
  for (const { competition_id: id, valid_submission, turns = 0, model_usage } of report.competition_reports) {
    if (!valid_submission) problems.push(`${id}: no valid submission`);
    if (turns < 2) problems.push(`${id}: ${turns} turns`);
    if ((model_usage?.calls ?? 0) < 2 || (model_usage?.tokens ?? 0) === 0) problems.push(`${id}: no usage`);
  }
  if (report.competition_reports.length !== competitions.length) problems.push("some were not graded");
  if (mlebench(["verify", group]).code !== 0) problems.push("its records do not verify");
  const failures = mlebench(["failures", group, "--json"]);
  const { failed } = JSON.parse(failures.stdout) as { failed: unknown[] };
  if (withoutFailures && failed.length > 0)
    problems.push(`failures: ${mlebench(["failures", group]).stdout.slice(0, 600)}`);
  problems.push(...pageProblems(group, competitions));
  const trials = new Map(
    fs
      .readdirSync(group, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name.startsWith("starter-"))
      .map(({ name }) => [name.split("_")[0], path.join(group, name)]),
  );
  return { table: ran.stdout.trim(), group, trials, problems };
}

/** The HTML report has turns, tokens and cost of every trial, and says that no language model did it. */
function pageProblems(group: string, competitions: readonly string[]): string[] {
  const page = path.join(path.dirname(group), "report.html");
  mlebench(["report", group, "-o", page]);
  const text = fs.readFileSync(page, "utf8");
  const titles = [...text.matchAll(/<th scope="col"[^>]*>([^<]+)<\/th>/g)].map(([, title]) => title);
  const problems = ["turns", "tokens", "cost"]
    .filter((title) => !titles.includes(title))
    .map((title) => `the report has no ${title}`);
  if (!text.includes("not a language model"))
    problems.push("the report does not say what kind of model it was");
  for (const id of competitions)
    if (
      !new RegExp(`<th scope="row"><bdi>${id}</bdi></th>.*cost unknown \\(incomplete\\)</td></tr>`).test(text)
    )
      problems.push(`the report does not say what ${id} cost`);
  return problems;
}
