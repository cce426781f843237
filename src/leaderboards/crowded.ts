import { absolute, onCommonScale } from "./decimal.ts";
import type { Leaderboard } from "./leaderboard-schema.ts";

const NEAR_THE_END = 90;

/**
 * Whether gold and bronze lie so close together that luck decides between them: within 2 % of the way from gold to
 * the score that 90 % of the teams reach. Where that way has no length, only a board with gold = bronze is crowded.
 */
export function isCrowded({ gold, bronze, quantiles }: Leaderboard): boolean {
  const { units } = onCommonScale([gold, bronze, quantiles[NEAR_THE_END]]);
  const medals = absolute(units[0] - units[1]);
  const field = absolute(units[0] - units[2]);
  return 50n * medals <= field;
}
