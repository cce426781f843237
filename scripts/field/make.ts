import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { progressLine } from "../../src/cli/progress.ts";
import { loadCompetition } from "../../src/competitions/catalogue.ts";
import type { Checksums } from "../../src/data/place/checksums-schema.ts";
import { prepareCompetition } from "../../src/data/prepare/competition.ts";
import { writeFileAtomically } from "../../src/files/write-file.ts";
import { boardOf } from "../../src/starter/making/board.ts";
import { runFields, type TimedEntry } from "../../src/starter/making/run-fields.ts";
import { csvField, csvRow } from "../../src/table/csv/writer.ts";
import { readOptions } from "./make-options.ts";

const SEED = 20_261_115;
const FOLDER = "src/competitions";

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
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-field-"));
  process.once("SIGINT", () => interruption.abort(new Error("interrupted")));
  try {
    const dataDir = path.join(folder, "data");
    for (const id of options.ids) await prepare(id, dataDir);
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
        if (!(await publish(id, entries, options.check))) different++;
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

async function prepare(competitionId: string, dataDir: string): Promise<void> {
  const outcome = await prepareCompetition(
    { competitionId, competitionVersion: "v1", dataDir },
    { signal: interruption.signal, onProgress: () => {}, onNote: () => {} },
  );
  if (outcome.status !== "ready" || outcome.verification !== "matches")
    throw new Error(`${competitionId} could not be prepared: ${JSON.stringify(outcome)}`);
}

/** Writes the board, or only compares it. False if it differs from the one that is there and none was written. */
async function publish(id: string, entries: readonly TimedEntry[], check: boolean): Promise<boolean> {
  const loaded = await loadCompetition(id);
  if (!loaded) throw new Error(`there is no competition ${id}`);
  const checksums: Checksums = JSON.parse(fs.readFileSync(path.join(FOLDER, id, "checksums.json"), "utf8"));
  const { direction } = loaded.competition.metric;
  const board = boardOf(entries, direction, { seed: SEED, answers: checksums.private["test.csv"] });
  const file = path.join(FOLDER, id, "leaderboard.json");
  const text = `${JSON.stringify(board, null, 2)}\n`;
  const same = fs.existsSync(file) && fs.readFileSync(file, "utf8") === text;
  if (!check) writeFileAtomically(file, text);
  const seconds = entries.reduce((sum, entry) => sum + entry.seconds, 0);
  const { gold, silver, bronze, median } = board;
  console.error(
    `${id}: ${entries.length} solutions in ${seconds.toFixed(0)} s of computing; gold ${gold}, silver ${silver}, ` +
      `bronze ${bronze}, median ${median}; ${same ? "as before" : check ? "DIFFERS" : "written"}`,
  );
  return same || !check;
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
