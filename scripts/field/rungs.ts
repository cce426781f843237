import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../src/files/make-folder.ts";
import { gradeSubmission } from "../../src/grading/grade-submission.ts";
import type { Rung } from "../../src/leaderboards/leaderboard-schema.ts";
import { randomInteger, seededRandom } from "../../src/learning/seeded-random.ts";
import { cellText } from "../../src/table/columns/column.ts";
import { readCsvFile } from "../../src/table/csv/reader.ts";

// Debian's own: the rungs are made by its packages, in the versions it has.
const PYTHON = "/usr/bin/python3";
const PROGRAM = "src/starter/rungs/run.py";
const PACKAGES = "numpy, scipy, pandas, sklearn, xgboost, torch, PIL";
const RESAMPLES = 200;
/** A normal score lies in 95 % of its cases within this many standard deviations to both sides. */
const NORMAL_95 = 1.96;

export interface RungOptions {
  readonly dataDir: string;
  /** Where submissions are kept; one that is there is taken as it is where `reuse` allows it. */
  readonly folder: string;
  readonly reuse: boolean;
  /** Rungs that stand on the board and need not be made again. */
  readonly known: readonly Rung[];
  readonly signal: AbortSignal;
  readonly onRung: (done: number, total: number, name: string) => void;
}

/** Why the rungs cannot be made here, or null. */
export function missingLibraries(): string | null {
  const tried = spawnSync(PYTHON, ["-c", `import ${PACKAGES}`], { encoding: "utf8" });
  if (tried.status === 0) return null;
  return "the rungs need Debian's scikit-learn, xgboost and torch; install them: sh scripts/install-bench-tools.sh";
}

/** Runs the scripts of one competition, one at a time, and grades what they leave. */
export async function runRungs(competitionId: string, options: RungOptions): Promise<Rung[]> {
  const listed = JSON.parse(await python(["list", competitionId], options.signal)) as Omit<
    Rung,
    "score" | "sha256"
  >[];
  const rungs: Rung[] = [];
  for (const [done, { name, family }] of listed.entries()) {
    options.onRung(done, listed.length, name);
    const before = options.known.find((rung) => rung.name === name && rung.family === family);
    if (before !== undefined) {
      rungs.push(before);
      continue;
    }
    const submissionPath = path.join(options.folder, competitionId, `${name}.csv`);
    if (!options.reuse || !fs.existsSync(submissionPath))
      await solve(competitionId, name, submissionPath, options);
    const grade = await gradeSubmission({ competitionId, submissionPath, dataDir: options.dataDir });
    if (grade.status !== "scored" || !Number.isFinite(grade.score))
      throw new Error(`${competitionId}, rung "${name}": ${JSON.stringify(grade)}`);
    const sha256 = createHash("sha256").update(fs.readFileSync(submissionPath)).digest("hex");
    rungs.push({ name, family, score: grade.score, sha256 });
  }
  return rungs;
}

async function solve(id: string, name: string, file: string, { dataDir, signal }: RungOptions) {
  makeFolder(path.dirname(file));
  // A script that is interrupted must not leave half a file that the next run would take.
  const draft = `${file}.part`;
  await python(["solve", id, name, path.join(dataDir, id, "prepared/public"), draft], signal);
  fs.renameSync(draft, file);
}

/** Standard deviation of a rung's score over resamples of the graded rows; null where they cannot be resampled. */
export async function noiseOf(
  competitionId: string,
  rung: Rung,
  { dataDir, folder }: RungOptions,
): Promise<number | null> {
  const submissionPath = path.join(folder, competitionId, `${rung.name}.csv`);
  const answersPath = path.join(dataDir, competitionId, "prepared/private/test.csv");
  const grade = await gradeSubmission({ competitionId, submissionPath, dataDir, noiseResamples: RESAMPLES });
  if (grade.status !== "scored") return null;
  if (grade.noise === null) return noiseByPicture(submissionPath, answersPath);
  return Number(((grade.noise.high - grade.noise.low) / (2 * NORMAL_95)).toPrecision(3));
}

/**
 * Rows that are pixels, `<picture>_<row>_<column>`, are resampled by picture; the score is the root of the mean square
 * of all pixels.
 */
function noiseByPicture(submission: string, answers: string): number | null {
  const read = (file: string) => {
    const outcome = readCsvFile(file);
    const [ids, values] = outcome.ok
      ? [outcome.table.column("id"), outcome.table.column("value")]
      : [undefined, undefined];
    return ids && values ? { ids, values } : null;
  };
  const [predicted, truth] = [read(submission), read(answers)];
  if (predicted === null || truth === null) return null;
  const given = new Map(
    Array.from(predicted.values.numbers, (value, row) => [cellText(predicted.ids, row), value]),
  );
  const pictures = new Map<string, { squares: number; pixels: number }>();
  for (const [row, value] of truth.values.numbers.entries()) {
    const id = cellText(truth.ids, row);
    const name = id.split("_").slice(0, -2).join("_");
    const own = pictures.get(name) ?? { squares: 0, pixels: 0 };
    pictures.set(name, { squares: own.squares + (given.get(id)! - value) ** 2, pixels: own.pixels + 1 });
  }
  const random = seededRandom(RESAMPLES);
  const all = [...pictures.values()];
  const scores = Float64Array.from({ length: RESAMPLES }, () => {
    const drawn = all.map(() => all[randomInteger(random, all.length)]);
    const total = drawn.reduce((a, b) => ({ squares: a.squares + b.squares, pixels: a.pixels + b.pixels }));
    return Math.sqrt(total.squares / total.pixels);
  });
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length;
  return Number(Math.sqrt(variance).toPrecision(3));
}

function python(words: readonly string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(PYTHON, [PROGRAM, ...words], { signal, stdio: ["ignore", "pipe", "pipe"] });
    let [output, problems] = ["", ""];
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      problems = `${problems}${chunk}`.slice(-2000);
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${words.join(" ")}: ${problems.trim()}`)),
    );
  });
}
