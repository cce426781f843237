/**
 * The long forms of tree search with the simulated model. Its figures are about our machinery, not about language models.
 *
 *   npm run soak -- tree                                        # everything: hours
 *   npm run soak -- tree --part memory --steps 500              # memory is flat, the journal linear in its steps
 *   npm run soak -- tree --part kills --runs 5                  # ten kills, other moments each time
 *   npm run soak -- tree --part starters --seeds 3 --steps 30   # tree against tree/aide and baseline
 *   npm run soak -- tree --part ablation --seeds 3              # docs/examples/tree-ablation, one part off in each cell
 *
 * Smaller: --competition <id> (again and again), --exec-timeout and --baseline-seconds <seconds>, --time-limit <time>,
 * --workers <n>, --data-dir <prepared>. With --folder <place> the same command goes on where it was stopped.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { parse, stringify } from "yaml";
import { temporaryFolder, writeText } from "../e2e/temporary-folder.ts";
import { smallCompetition, treeSetting } from "../e2e/tree/agent-setting.ts";

const { values } = parseArgs({
  options: {
    part: { type: "string", default: "all" },
    steps: { type: "string" },
    seeds: { type: "string", default: "3" },
    runs: { type: "string", default: "5" },
    competition: { type: "string", multiple: true },
    folder: { type: "string" },
    "data-dir": { type: "string" },
    "exec-timeout": { type: "string", default: "30" },
    "baseline-seconds": { type: "string", default: "120" },
    "time-limit": { type: "string", default: "30min" },
    workers: { type: "string", default: "2" },
  },
});
const MAIN = path.resolve("dist/cli/main.js");
const AGENTS = ["tree", "aide", "baseline"] as const;
type Percentiles = Record<(typeof AGENTS)[number], number[]>;

/** What a rank in a field of about a hundred is worth: less than two of them is nothing. */
const RANKS = 2;

let failed = false;
const check = (ok: boolean, words: string) => {
  failed ||= !ok;
  console.log(`${ok ? "ok" : "FAILED"}  ${words}`);
};

async function memory(steps: number): Promise<void> {
  // As few rows as there may be to hide some of: the programs are quick, and the agent's own work is what is looked at.
  const setting = await treeSetting("simulated:steady", smallCompetition(120));
  const args = ["agent.review=fallback", "search.policy=mixed", "parts.memory=scoped", "parts.lessons=true"];
  const child = setting.start([`agent.steps=${steps}`, "agent.language=js", ...args], 36_000);
  child.stdout?.resume();
  const seen: { step: number; megabytes: number; bytes: number }[] = [];
  const look = setInterval(() => {
    try {
      const status = fs.readFileSync(`/proc/${child.pid}/status`, "utf8");
      const journal = setting.text("logs/journal.jsonl");
      seen.push({
        step: journal.split("\n").length - 2,
        megabytes: Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024,
        bytes: journal.length,
      });
    } catch {
      // Not yet, or not any more.
    }
  }, 2000);
  const code = await new Promise((resolve) => child.on("close", resolve));
  clearInterval(look);
  check(code === 0, `the agent ended with ${code}`);
  if (code !== 0) return setting.end();
  const journal = setting.text("logs/journal.jsonl");
  const last = { step: journal.split("\n").length - 2, bytes: journal.length };
  seen.push({ ...last, megabytes: seen.at(-1)?.megabytes ?? 0 });
  await setting.end();
  const mean = (part: typeof seen) => part.reduce((sum, { megabytes }) => sum + megabytes, 0) / part.length;
  const third = Math.floor(seen.length / 3);
  const [early, late] = [mean(seen.slice(third, 2 * third)), mean(seen.slice(2 * third))];
  check(seen.at(-1)!.step >= steps, `${seen.at(-1)!.step} steps were made`);
  check(
    late < early * 1.25 + 10,
    `memory over ${steps} steps: ${early.toFixed(0)} MB, then ${late.toFixed(0)} MB`,
  );
  const [half, whole] = [seen.find(({ step }) => step >= steps / 2), seen.at(-1)];
  const perStep = (one: typeof half) => (one === undefined ? Number.NaN : one.bytes / one.step);
  check(
    perStep(whole) < 1.3 * perStep(half),
    `journal: ${perStep(half).toFixed(0)} bytes a step at half, ${perStep(whole).toFixed(0)} at the end`,
  );
}

function kills(runs: number): void {
  for (let seed = 1; seed <= runs; seed++) {
    const ran = spawnSync("npx", ["vitest", "run", "tests/e2e/tree/resume.test.ts"], {
      env: { ...process.env, MLEBENCH_TEST_FULL: "1", TREE_KILL_SEED: String(seed) },
      encoding: "utf8",
    });
    check(
      ran.status === 0,
      `ten kills, seed ${seed}${ran.status === 0 ? "" : `\n${ran.stdout.slice(-2000)}`}`,
    );
  }
}

interface Report {
  competition_id: string;
  score: number | null;
  percentile?: number | null;
}

/**
 * `tree` against `tree/aide` and the `baseline`, one competition after the other, three groups each. `--folder` keeps
 * them: the same command goes on where it was stopped. The baseline alone has the time that it has inside `tree`.
 */
function starters(steps: number, seeds: number): void {
  const root = values.folder === undefined ? temporaryFolder() : path.resolve(values.folder);
  const data = values["data-dir"] ?? path.join(root, "data");
  const agents = path.join(root, "agents");
  const chosen = values.competition ?? competitionsOf("starter");
  mlebench(["prepare", "-c", ...chosen, "--data-dir", data]);
  const seconds = Number(values["baseline-seconds"]);
  const small = `{agent.steps: ${steps}, exec.timeout: ${values["exec-timeout"]}, agent.language: js, parts.baseline_seconds: ${seconds}}`;
  writeText(
    agents,
    "soak/config.yaml",
    `soak/tree: {extends: tree, kwargs: ${small}}\nsoak/aide: {extends: tree/aide, kwargs: ${small}}\n`,
  );
  const ids = { tree: "soak/tree", aide: "soak/aide", baseline: "baseline" } as const;
  const all: Percentiles = { tree: [], aide: [], baseline: [] };
  const worse: string[] = [];
  for (const competition of chosen) {
    const own: Percentiles = { tree: [], aide: [], baseline: [] };
    for (const agent of AGENTS) {
      const time = agent === "baseline" ? `${seconds}s` : values["time-limit"];
      own[agent] = percentilesOf(
        root,
        agent,
        [
          ...["--agent", ids[agent], "-c", competition, "--seeds", String(seeds), "--time-limit", time],
          ...[
            "--agents-dir",
            agents,
            "--data-dir",
            data,
            "--workers",
            values.workers,
            "--sandbox",
            "process",
          ],
          ...(agent === "baseline" ? [] : ["--model", "simulated:clumsy"]),
        ],
        competition,
        seeds,
      );
      all[agent].push(...own[agent]);
    }
    const differences = own.tree.map((one, seed) => one - own.baseline[seed]);
    const noise = Math.max(RANKS, (2 * deviation(differences)) / Math.sqrt(seeds));
    if (mean(differences) < -noise)
      worse.push(`${competition} (${mean(differences).toFixed(1)}, noise ${noise.toFixed(1)})`);
    const cells = AGENTS.map((agent) => `${agent} ${own[agent].map((one) => one.toFixed(1)).join(" ")}`);
    console.log(`${competition}  ${cells.join("  |  ")}`);
  }
  const [tree, aide, baseline] = AGENTS.map((agent) => mean(all[agent]).toFixed(2));
  const over = `mean percentile over ${chosen.length} competitions and ${seeds} seeds, ${steps} steps`;
  check(mean(all.tree) >= mean(all.aide), `tree ${tree}, tree/aide ${aide}: ${over}`);
  check(
    worse.length === 0,
    `tree ${tree}, baseline ${baseline}; worse by more than noise: ${worse.join(", ") || "nowhere"}`,
  );
}

/** The example experiment as it is written, with the seeds, competitions, steps and time that were asked for, and its table. */
function ablation(seeds: number): void {
  const root = values.folder === undefined ? temporaryFolder() : path.resolve(values.folder);
  const data = values["data-dir"] ?? path.join(root, "data");
  const place = path.join(root, "ablation");
  fs.cpSync(path.resolve("docs/examples/tree-ablation"), place, { recursive: true });
  const file = path.join(place, "ablation.yaml");
  const written = parse(fs.readFileSync(file, "utf8")) as {
    competitions: string[];
    agents: unknown[];
    defaults: object;
  };
  const competitions = values.competition ?? written.competitions;
  const defaults = { ...written.defaults, time: values["time-limit"], workers: Number(values.workers) };
  fs.writeFileSync(file, stringify({ ...written, competitions, seeds, defaults }));
  if (values.steps !== undefined) {
    const agents = path.join(place, "agents/ablation/config.yaml");
    const settings = fs.readFileSync(agents, "utf8");
    fs.writeFileSync(agents, settings.replace("agent.steps: 30", `agent.steps: ${Number(values.steps)}`));
  }
  mlebench(["prepare", "-c", ...competitions, "--data-dir", data]);
  const runs = ["--runs-dir", path.join(root, "runs")];
  mlebench(["experiment", "run", file, ...runs, "--data-dir", data, "--sandbox", "process"]);
  const report = ["experiment", "report", file, ...runs];
  console.log(mlebench(report));
  const { cells } = JSON.parse(mlebench([...report, "--json"])) as { cells: unknown[] };
  check(cells.length === written.agents.length, `${cells.length} cells, each with one part off`);
}

/** The percentile of every seed; a submission without one counts as 0. A group that is done is not run again. */
function percentilesOf(
  root: string,
  agent: string,
  args: readonly string[],
  competition: string,
  seeds: number,
): number[] {
  const runs = path.join(root, "runs", competition);
  const group = path.join(runs, agent);
  if (!fs.existsSync(group)) mlebench(["run", ...args, "--runs-dir", runs, "--name", agent, "--grade"]);
  else if (reportIn(group) === undefined) mlebench(["resume", group, "--grade"]);
  const name = reportIn(group);
  if (name === undefined) throw new Error(`${group} has no report`);
  const report = JSON.parse(fs.readFileSync(path.join(group, name), "utf8")) as {
    competition_reports: Report[];
  };
  if (report.competition_reports.length !== seeds)
    throw new Error(`${group} has ${report.competition_reports.length} grades`);
  return report.competition_reports.map(({ percentile }) => percentile ?? 0);
}

const reportIn = (group: string) =>
  fs.readdirSync(group).findLast((file) => file.endsWith("_grading_report.json"));

function competitionsOf(split: string): string[] {
  const listed = JSON.parse(mlebench(["list", "--split", split, "--json"])) as { id: string }[];
  return listed.map(({ id }) => id);
}

const mean = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0) / Math.max(1, of.length);

function deviation(of: readonly number[]): number {
  const middle = mean(of);
  return of.length < 2
    ? 0
    : Math.sqrt(of.reduce((sum, one) => sum + (one - middle) ** 2, 0) / (of.length - 1));
}

function mlebench(args: readonly string[]): string {
  const ran = spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (ran.status !== 0 && ran.status !== 1) throw new Error(ran.stderr.slice(-2000));
  return ran.stdout;
}

if (["all", "memory"].includes(values.part)) await memory(Number(values.steps ?? 500));
if (["all", "kills"].includes(values.part)) kills(Number(values.runs));
if (["all", "starters"].includes(values.part)) starters(Number(values.steps ?? 30), Number(values.seeds));
if (["all", "ablation"].includes(values.part)) ablation(Number(values.seeds));
process.exitCode = failed ? 1 : 0;
