import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { progressLine } from "../../src/cli/progress.ts";
import { prepareCompetition } from "../../src/data/prepare/competition.ts";
import { writeFileAtomically } from "../../src/files/write-file.ts";
import { isBetter } from "../../src/leaderboards/leaderboard.ts";
import { runFields } from "../../src/starter/making/run-fields.ts";
import { csvField, csvRow } from "../../src/table/csv/writer.ts";
import { type Options, readOptions } from "./make-options.ts";
import { boardAsItIs, isOfTheseAnswers, publishField, publishRungs } from "./publish.ts";
import { missingLibraries, noiseOf, runRungs } from "./rungs.ts";
import { publishTable } from "./table.ts";

const SEED = 20_261_115;

const interruption = new AbortController();
process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  if (interruption.signal.aborted) return 130;
  console.error(`error  ${error instanceof Error ? error.message : String(error)}`);
  return 3;
});
// A thread in the middle of a solution would go on until it has ended.
process.exit();

async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (typeof options === "number") return options;
  if (options.table) {
    const same = await publishTable(options.ids, options.baseline, options.check);
    if (!same) console.error("error  docs/starter.md has another table: npm run field -- --table");
    return same ? 0 : 1;
  }
  const missing = options.rungs ? missingLibraries() : null;
  if (missing !== null) {
    console.error(`error  ${missing}`);
    return 2;
  }
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-field-"));
  process.once("SIGINT", () => interruption.abort(new Error("interrupted")));
  try {
    const dataDir = path.join(folder, "data");
    for (const id of options.ids) await prepare(id, dataDir);
    if (options.rungs) return await makeRungs(options, dataDir, folder);
    const rows: string[][] = [["competition", "name", "family", "score", "seconds"]];
    let different = 0;
    let progress: ReturnType<typeof progressLine> | undefined;
    await runFields(options.ids, {
      dataDir,
      scratch: folder,
      seed: SEED,
      threads: options.threads,
      signal: interruption.signal,
      onScore(done, total, id, { name }) {
        progress ??= progressLine(total);
        progress.show(done, `${id}: ${shortened(name)}`);
      },
      async onField(id, entries) {
        progress?.end();
        if (!(await publishField(id, entries, SEED, options.check))) different++;
        for (const { name, family, score, seconds } of entries)
          rows.push([id, name, family, String(score), seconds.toFixed(2)]);
      },
    });
    if (options.solutions !== undefined) writeRows(options.solutions, rows);
    return different > 0 ? 1 : 0;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the rungs of each competition; 1 if one of them came out otherwise and that is what was asked. */
async function makeRungs({ ids, check, submissions, missing }: Options, dataDir: string, scratch: string) {
  let different = 0;
  for (const id of ids) {
    const before = boardAsItIs(id);
    if (before?.made?.scores === undefined) throw new Error(`${id} has no field yet: npm run field`);
    if (!isOfTheseAnswers(id, before))
      throw new Error(`the field of ${id} was scored on other answers: npm run field -- --competition ${id}`);
    let progress: ReturnType<typeof progressLine> | undefined;
    const options = {
      dataDir,
      folder: submissions ?? path.join(scratch, "rungs"),
      reuse: !check && submissions !== undefined,
      known: missing ? (before.made.rungs ?? []) : [],
      signal: interruption.signal,
      onRung(done: number, total: number, name: string) {
        progress ??= progressLine(total);
        progress.show(done, `${id}: ${shortened(name)}`);
      },
    };
    const rungs = await runRungs(id, options);
    progress?.end();
    const best = rungs.reduce((a, b) => (isBetter(b.score, a.score, before.lowerIsBetter) ? b : a));
    // The best may be one that was kept: then so is its noise.
    const noise = options.known.includes(best)
      ? before.made.noise
      : ((await noiseOf(id, best, options)) ?? undefined);
    if (!(await publishRungs(id, rungs, noise, { check, kept: options.known }))) different++;
  }
  return different > 0 ? 1 : 0;
}

async function prepare(competitionId: string, dataDir: string): Promise<void> {
  const outcome = await prepareCompetition(
    { competitionId, competitionVersion: "v1", dataDir },
    { signal: interruption.signal, onProgress: () => {}, onNote: () => {} },
  );
  if (outcome.status !== "ready" || outcome.verification !== "matches")
    throw new Error(`${competitionId} could not be prepared: ${JSON.stringify(outcome)}`);
}

/** A line of progress that wraps cannot be taken back. */
function shortened(name: string): string {
  return name.length > 50 ? `${name.slice(0, 49)}…` : name;
}

function writeRows(file: string, rows: readonly string[][]): void {
  const text = rows.map((row) => csvRow(row.map((cell) => csvField(cell)))).join("");
  if (file === "-") process.stdout.write(text);
  else writeFileAtomically(file, text);
}
