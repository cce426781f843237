import fs from "node:fs";
import path from "node:path";
import type { CatalogueEntry } from "../../competitions/catalogue.ts";
import { plural } from "../../wording/counts.ts";
import { sizeText } from "../../wording/sizes.ts";
import type { DoctorCheck } from "./schema.ts";

/** Beside the prepared data of all, the archive and the unpacked files of those in work have to fit, two by default. */
const IN_WORK = 2;
const COPIES_IN_WORK = 2;

/** Free space against what preparing the competitions would take; an estimate from the size of their downloads. */
export function checkDisk(dataDir: string, toPrepare: readonly CatalogueEntry[]): DoctorCheck {
  const check = { area: "disk", name: "free space" } as const;
  const sizes = toPrepare.map(({ dataSizeGB }) => dataSizeGB ?? 0).sort((a, b) => b - a);
  const sum = (list: number[]) => list.reduce((total, size) => total + size, 0);
  const needed = sum(sizes) + COPIES_IN_WORK * sum(sizes.slice(0, IN_WORK));
  const free = freeGB(dataDir);
  if (free === null)
    return { ...check, status: "warning", message: `nobody can tell how much ${dataDir} has`, fix: null };
  const what = `${plural(toPrepare.length, "competition")} not prepared yet would take about ${gigabytes(needed)}; ${dataDir} has ${gigabytes(free)} free`;
  if (needed <= free) return { ...check, status: "ok", message: what, fix: null };
  const fix =
    "choose a larger disk: --data-dir <folder> or MLEBENCH_DATA_DIR; or prepare fewer: mlebench prepare -c <id>";
  return { ...check, status: "warning", message: what, fix };
}

/** The data folder need not exist yet: its nearest existing parent tells the disk. */
function freeGB(folder: string): number | null {
  let place = path.resolve(folder);
  while (!fs.existsSync(place) && path.dirname(place) !== place) place = path.dirname(place);
  try {
    const { bavail, bsize } = fs.statfsSync(place);
    return (bavail * bsize) / 1e9;
  } catch {
    return null;
  }
}

/** An estimate, to three digits; as in the catalogue a unit is a power of ten: GB, or TB where there are thousands. */
function gigabytes(size: number): string {
  return sizeText(Number((size * 1e9).toPrecision(3)));
}
