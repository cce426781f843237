import { readBoard } from "../../../leaderboards/board-files.ts";
import type { AuditContext, Skipped } from "../audit-context.ts";
import type { Finding } from "../audit-schema.ts";

/** A board on which gold and bronze lie so close that medals are largely luck: nothing of the data, but good to know. */
export function findCrowdedBoard({ loaded, dataDir }: AuditContext): Finding[] | Skipped {
  const board = readBoard(loaded, dataDir);
  if (board === null) return { skipped: "the competition has no leaderboard" };
  const { gold, bronze, teams, crowded } = board.summary;
  if (!crowded) return [];
  return [
    {
      check: "crowded-board",
      severity: "warning",
      file: null,
      evidence: { what: `gold is ${gold}, bronze ${bronze}, among ${teams} teams`, measuredOn: teams },
      message: "The board is crowded: medals are largely luck.",
      nextStep: "Compare scores, not medals.",
    },
  ];
}
