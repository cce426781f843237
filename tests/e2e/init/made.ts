import fs from "node:fs";
import path from "node:path";
import type { InitOutcome, MadeCompetition } from "../../../src/workflows/init/schema.ts";
import { parseCells } from "../../soak/mutations/cells.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

/** What the baseline makes of it in so short a time depends on the machine, so nothing is said about it. */
const BASELINE_TIME = "1s";

/** Long enough for the baseline to learn something also on a machine that is busy with other things. */
export const TIME_TO_LEARN = ["--time-limit", "60s"];
export const PATIENCE_MS = 180_000;

/** A folder of one's own competitions, their data, and the tables they are made from. */
export function workshop() {
  const root = temporaryFolder();
  const competitions = path.join(root, "competitions");
  const data = path.join(root, "data");
  const where = ["--competitions", competitions, "--data-dir", data];
  const init = (id: string, content: string | Uint8Array, ...options: string[]) => {
    const train = writeText(root, `${id}.csv`, content);
    const folder = path.join(competitions, id);
    const words = [
      "init",
      folder,
      "--train",
      train,
      "--data-dir",
      data,
      "--time-limit",
      BASELINE_TIME,
      "--json",
    ];
    const result = mlebench([...words, ...options], {}, PATIENCE_MS);
    return { code: result.code, stderr: result.stderr, outcome: json(result) as InitOutcome, train, folder };
  };
  /** Makes one that must come out with all its scores, and returns it. */
  const make = (id: string, content: string | Uint8Array, ...options: string[]): MadeCompetition => {
    const { outcome } = init(id, content, ...options);
    if (!("scores" in outcome)) throw new Error(JSON.stringify(outcome));
    return outcome;
  };
  const file = (id: string, name: string) => path.join(data, id, "prepared", name);
  const cells = (id: string, name: string) => parseCells(fs.readFileSync(file(id, name)));
  /** The columns of a prepared table by name. */
  const columns = (id: string, name: string): Record<string, string[]> => {
    const [header, ...rows] = cells(id, name);
    return Object.fromEntries(header.map((column, at) => [column, rows.map((row) => row[at])]));
  };
  return { root, competitions, data, where, init, make, file, columns };
}

/** Every file below a folder with its bytes. */
export function bytesBelow(folder: string): Record<string, string> {
  const files = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile());
  const paths = files.map((one) => path.join(one.parentPath, one.name)).sort();
  return Object.fromEntries(
    paths.map((one) => [path.relative(folder, one), fs.readFileSync(one).toString("base64")]),
  );
}
