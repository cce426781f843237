import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../../files/make-folder.ts";
import { lookOfFolder } from "../execution/look.ts";
import type { Workshop } from "../operators/workshop.ts";
import { readRows, writeRows } from "./table.ts";

const EVERY = 10;
const MIN_ROWS = 200;

/** The data with a tenth of the training rows, made when first asked for; null where there is no table to cut. */
export function sampleView({ data, place }: Pick<Workshop, "data" | "place">): string | null {
  const folder = path.join(place.scratch, "sample-view");
  if (fs.existsSync(path.join(folder, "train.csv"))) return folder;
  const train = readRows(path.join(data, "train.csv"));
  if (train === null || train.rows.length <= MIN_ROWS) return null;
  fs.rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
  for (const name of fs.readdirSync(data))
    if (name !== "train.csv") fs.symlinkSync(path.join(data, name), path.join(folder, name));
  const every = Math.max(1, Math.min(EVERY, Math.floor(train.rows.length / MIN_ROWS)));
  writeRows(path.join(folder, "train.csv"), {
    header: train.header,
    rows: train.rows.filter((_, row) => row % every === 0),
  });
  const before = lookOfFolder(folder);
  place.guarded.push({
    what: "the sample of the data",
    // It is made again when it is asked for.
    mend() {
      if (!fs.existsSync(folder) || lookOfFolder(folder) === before) return false;
      fs.rmSync(folder, { recursive: true, force: true });
      return true;
    },
  });
  return folder;
}
