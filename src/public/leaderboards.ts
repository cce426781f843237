export { type ReadBoard, readBoard } from "../leaderboards/board-files.ts";
export { isCrowded } from "../leaderboards/crowded.ts";
export { medalDistances, normalisedScore } from "../leaderboards/distance.ts";
export { fragility } from "../leaderboards/fragile.ts";
export { awardMedal } from "../leaderboards/medal.ts";
export { medalPositions, thresholdsFromScores } from "../leaderboards/medal-rule.ts";
export { standing } from "../leaderboards/standing.ts";
