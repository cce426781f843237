import path from "node:path";
import splits from "../../../src/competitions/splits.json" with { type: "json" };
import { writeOriginalReport } from "./synthetic-group.ts";

/**
 * Reports made so that their medal rates are those of two rows of the published table: the published reports
 * themselves may not be shipped. Of each split so many competitions have a medal in each of three seeds; `absent`
 * competitions have no report, which counts as no medal when missing ones are padded.
 */
export const PUBLISHED_ROWS = [
  {
    agent: "every competition reported",
    padMissing: false,
    medals: { low: [13, 14, 14], medium: [14, 13, 15], high: [5, 5, 5] },
    absent: 0,
    expected: ["62.12 ± 1.52", "36.84 ± 1.52", "33.33 ± 0.00", "43.56 ± 0.89"],
  },
  {
    agent: "competitions left out",
    padMissing: true,
    medals: { low: [14, 14, 14], medium: [12, 13, 13], high: [3, 3, 3] },
    absent: 4,
    expected: ["63.64 ± 0.00", "33.33 ± 0.88", "20.00 ± 0.00", "39.56 ± 0.44"],
  },
] as const;

/** One run group's folder for each seed, with the report the original would have written there. */
export function writePublishedRow(folder: string, row: (typeof PUBLISHED_ROWS)[number]): string[] {
  return [0, 1, 2].map((seed) => {
    const trials = (["low", "medium", "high"] as const).flatMap((split) =>
      splits[split].slice(0, splits[split].length - row.absent).map((competitionId, i) => ({
        competitionId,
        seed,
        medal: i < row.medals[split][seed]! ? (["gold", "silver", "bronze"] as const)[i % 3]! : null,
      })),
    );
    const group = path.join(folder, `group${seed}`);
    writeOriginalReport(path.join(group, `grading_report_group_${seed}.json`), trials);
    return group;
  });
}
