import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { builtInAgents } from "../../../agents/definition/built-in.ts";
import { type LoadedCompetition, loadCompetition } from "../../../competitions/catalogue.ts";
import { type CompetitionVersion, graderOf } from "../../../competitions/competition.ts";
import { nearestIds } from "../../../competitions/splits.ts";
import { canRun, dataFolder, preparedFolder } from "../../../data/place/data-folder.ts";
import { howToPrepare } from "../../../data/place/prepare-command.ts";
import { makeFolder } from "../../../files/make-folder.ts";
import type { SystemRefusal } from "../../../files/system-error.ts";
import type { EnvironmentWeight } from "../../../sandbox/container/environment.ts";
import type { Problem } from "../../../wording/problem.ts";
import { orRefusal } from "../../or-refusal.ts";
import { descriptionOf, instructionText } from "../instructions.ts";
import { environmentDockerfile, type HarborTask, mountCompose, solveScript, taskToml } from "./task-files.ts";
import {
  buildScript,
  graderDockerfile,
  REWARD_PROGRAM,
  taskReadme,
  testScript,
  verifierDockerfile,
} from "./verifier-files.ts";

export interface HarborExportRequest {
  competitions: readonly string[];
  /** Where the tasks go, one folder each, and `grader/` beside them. */
  folder: string;
  competitionVersion?: CompetitionVersion | undefined;
  dataDir?: string | undefined;
  competitionsDir?: string | undefined;
  /** Unless told: `embed` where the data come with the package, `mount` where they are Kaggle's. */
  data?: "embed" | "mount" | undefined;
  weight?: EnvironmentWeight | undefined;
  richRewards?: boolean | undefined;
  /** Replace tasks that are there already. */
  force?: boolean | undefined;
  timeSeconds?: number | undefined;
  cpus?: number | undefined;
  memoryMegabytes?: number | undefined;
  gpus?: number | undefined;
  onTask?: ((task: ExportedTask) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export type ExportedTask =
  | { status: "exported"; competitionId: string; folder: string; data: "embed" | "mount" }
  | { status: "refused"; competitionId: string; problem: Problem };

export type HarborExportOutcome =
  | { status: "done"; tasks: ExportedTask[]; grader: string }
  | { status: "refused"; problem: Problem | SystemRefusal };

/** The budget of the benchmark's published runs. */
const USUAL = { timeSeconds: 86_400, cpus: 36, memoryMegabytes: 450_560, gpus: 1 };

/** Writes competitions as tasks that Harbor runs, graded by this very version of mlebench. */
export function exportHarbor(request: HarborExportRequest): Promise<HarborExportOutcome> {
  return orRefusal<HarborExportOutcome>(
    async () => {
      const wrong = wrongBudget(request);
      if (wrong !== null)
        return {
          status: "refused",
          problem: { code: "BAD_BUDGET", message: wrong, nextStep: "see mlebench export harbor --help" },
        };
      const folder = path.resolve(request.folder);
      makeFolder(folder);
      const grader = path.join(folder, "grader");
      const tasks: ExportedTask[] = [];
      for (const id of request.competitions) {
        if (request.signal?.aborted) break;
        const task = await exportTask(id, folder, request);
        tasks.push(task);
        request.onTask?.(task);
      }
      // Beside tasks that were refused nothing is left behind.
      if (tasks.some(({ status }) => status === "exported")) await writeGrader(grader);
      return { status: "done", tasks, grader };
    },
    (problem) => ({ status: "refused", problem }),
  );
}

/** Harbor refuses a task whose processors, memory or GPUs are not whole numbers, for all trials of it at once. */
function wrongBudget({ cpus, memoryMegabytes, gpus, timeSeconds }: HarborExportRequest): string | null {
  const isWhole = (value: number | undefined, least: number) =>
    value === undefined || (Number.isSafeInteger(value) && value >= least);
  if (!isWhole(cpus, 1)) return `Harbor counts whole processors, and ${cpus} are asked for.`;
  if (!isWhole(memoryMegabytes, 1))
    return `Harbor counts whole megabytes, and ${memoryMegabytes} are asked for.`;
  if (!isWhole(gpus, 0)) return `Harbor counts whole GPUs, and ${gpus} are asked for.`;
  const isTime = timeSeconds === undefined || (Number.isFinite(timeSeconds) && timeSeconds > 0);
  return isTime ? null : `An agent cannot have ${timeSeconds} seconds.`;
}

async function exportTask(
  competitionId: string,
  folder: string,
  request: HarborExportRequest,
): Promise<ExportedTask> {
  const refuse = (code: string, message: string, nextStep: string): ExportedTask => ({
    status: "refused",
    competitionId,
    problem: { code, message, nextStep },
  });
  const version = request.competitionVersion ?? "v1";
  const loaded = await loadCompetition(competitionId, request.competitionsDir);
  if (loaded === null) {
    const [near] = nearestIds(competitionId);
    return refuse(
      "UNKNOWN_COMPETITION",
      `There is no competition "${competitionId}".`,
      near === undefined ? "list them: mlebench list" : `did you mean ${near}?`,
    );
  }
  const { competition } = loaded;
  if (graderOf(competition, version) === null)
    return refuse("NO_VERSION", `${competitionId} has no version ${version}.`, "export it as v1");
  const dataDir = dataFolder(request.dataDir);
  if (!canRun(dataDir, competition, version))
    return refuse(
      "NOT_PREPARED",
      `${competitionId} has no prepared data in ${dataDir}.`,
      howToPrepare(loaded, { version, dataDir, competitionsDir: request.competitionsDir }),
    );
  const target = path.join(folder, competitionId);
  if (fs.existsSync(target) && !request.force)
    return refuse("EXISTS", `${target} is there already.`, "replace it: --force");
  const prepared = path.join(dataDir, competitionId, preparedFolder(version));
  const task: HarborTask = {
    competition,
    version,
    description: descriptionOf(loaded, path.join(prepared, "public")),
    data: request.data ?? (competition.shippedRaw === undefined ? "mount" : "embed"),
    weight: request.weight ?? "heavy",
    richRewards: request.richRewards === true,
    timeSeconds: request.timeSeconds ?? USUAL.timeSeconds,
    cpus: request.cpus ?? USUAL.cpus,
    memoryMegabytes: request.memoryMegabytes ?? USUAL.memoryMegabytes,
    gpus: request.gpus ?? USUAL.gpus,
  };
  const partial = `${target}.partial`;
  fs.rmSync(partial, { recursive: true, force: true });
  await writeTask(partial, task, {
    dataDir,
    prepared,
    own: request.competitionsDir === undefined ? null : ownFolder(loaded, request.competitionsDir),
  });
  fs.rmSync(target, { recursive: true, force: true });
  fs.renameSync(partial, target);
  return { status: "exported", competitionId, folder: target, data: task.data };
}

/** The folder of a competition of the user's own; null for one of the package. */
function ownFolder({ folder }: LoadedCompetition, competitionsDir: string): string | null {
  const place = fileURLToPath(folder);
  return path.relative(path.resolve(competitionsDir), place).startsWith("..") ? null : place;
}

interface Sources {
  dataDir: string;
  prepared: string;
  own: string | null;
}

async function writeTask(
  folder: string,
  task: HarborTask,
  { dataDir, prepared, own }: Sources,
): Promise<void> {
  const write = (name: string, text: string, mode = 0o644) => {
    const file = path.join(folder, name);
    makeFolder(path.dirname(file));
    fs.writeFileSync(file, text, { mode });
  };
  const { id } = task.competition;
  write("task.toml", taskToml(task));
  write("instruction.md", instructionText(task.competition, task.timeSeconds, task.description));
  write("README.md", taskReadme(task));
  write("environment/Dockerfile", environmentDockerfile(task));
  if (task.data === "mount") write("environment/docker-compose.yaml", mountCompose(task));
  else await copyFolder(path.join(prepared, "public"), path.join(folder, "environment", "data"));
  write("solution/solve.sh", solveScript(task), 0o755);
  write("tests/test.sh", testScript(task, own !== null), 0o755);
  write("tests/Dockerfile", verifierDockerfile(task, own !== null));
  const answers = path.join(folder, "tests", "answers", id);
  await copyFolder(
    path.join(prepared, "private"),
    path.join(answers, preparedFolder(task.version), "private"),
  );
  // With the whole board in place, ranks are counted; from its quantiles they are estimated.
  const board = path.join(dataDir, id, "leaderboard.csv");
  if (fs.existsSync(board)) fs.copyFileSync(board, path.join(answers, "leaderboard.csv"));
  if (own !== null) await copyFolder(own, path.join(folder, "tests", "competitions", path.basename(own)));
}

/** What the grader needs of this package: the programs, and the libraries they import. */
async function writeGrader(grader: string): Promise<void> {
  const partial = `${grader}.partial`;
  fs.rmSync(partial, { recursive: true, force: true });
  const dist = path.dirname(path.resolve(builtInAgents()));
  const program = path.join(partial, "mlebench");
  const unused = new Set(["types", "agents", "viewer"].map((name) => path.join(dist, name)));
  await copyFolder(dist, path.join(program, "dist"), (file) => !unused.has(file));
  fs.copyFileSync(path.join(dist, "..", "package.json"), path.join(program, "package.json"));
  for (const name of ["commander", "yaml", "zod"]) {
    const main = fileURLToPath(import.meta.resolve(name));
    const marker = `${path.sep}node_modules${path.sep}${name}`;
    const place = main.slice(0, main.lastIndexOf(marker) + marker.length);
    await copyFolder(place, path.join(program, "node_modules", name));
  }
  fs.writeFileSync(path.join(partial, "Dockerfile"), graderDockerfile());
  fs.writeFileSync(path.join(partial, "reward.mjs"), REWARD_PROGRAM);
  fs.writeFileSync(path.join(partial, "build.sh"), buildScript(), { mode: 0o755 });
  fs.rmSync(grader, { recursive: true, force: true });
  fs.renameSync(partial, grader);
}

async function copyFolder(from: string, to: string, filter?: (file: string) => boolean): Promise<void> {
  makeFolder(path.dirname(to));
  await fs.promises.cp(from, to, {
    recursive: true,
    mode: fs.constants.COPYFILE_FICLONE,
    ...(filter === undefined ? {} : { filter }),
  });
}
