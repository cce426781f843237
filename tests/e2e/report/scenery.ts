import fs from "node:fs";
import type { Leaderboard } from "../../../src/leaderboards/leaderboard-schema.ts";
import { awardMedal } from "../../../src/leaderboards/medal.ts";
import { standing } from "../../../src/leaderboards/standing.ts";
import { nextDouble, seededByInteger } from "../../../src/random/mt19937.ts";
import { type Planted, plantGroup } from "./planted-group.ts";

const COMPETITIONS = [
  "aerial-cactus-identification",
  "dog-breed-identification",
  "leaf-classification",
  "mlsp-2013-birds",
  "new-york-city-taxi-fare-prediction",
  "nomad2018-predict-transparent-conductors",
  "random-acts-of-pizza",
  "spaceship-titanic",
  "spooky-author-identification",
  "tabular-playground-series-may-2022",
] as const;

/** What an agent prints or is called may be anything. */
export const HOSTILE = `<script>alert("x")</script><img src=x onerror='alert(1)'> & "quotes"`;

function leaderboardOf(id: string): Leaderboard {
  return JSON.parse(fs.readFileSync(`src/competitions/${id}/leaderboard.json`, "utf8"));
}

/** Three agents of different skill, with failures sprinkled in: what a real report looks like. */
export function plantScenery(
  runsDir: string,
  {
    seeds = 5,
    competitions = COMPETITIONS as readonly string[],
    agents = ["tree-search", "baseline", "dummy"],
  } = {},
): string[] {
  const random = seededByInteger(7);
  const draw = () => nextDouble(random);
  const boards = new Map(competitions.map((id) => [id, leaderboardOf(id)]));
  return agents.map((agent, skill) => {
    const trials = Array.from({ length: seeds }, (_, seed) => seed).flatMap((seed) =>
      competitions.map((competitionId): Planted => {
        const wallSeconds = Math.round(600 + draw() * 2900);
        const fate = draw();
        if (fate < 0.06) return { ...crash(competitionId, seed), wallSeconds: wallSeconds / 4 };
        if (fate < 0.1) return { ...invalid(competitionId, seed), wallSeconds };
        return scored(boards.get(competitionId)!, competitionId, seed, { wallSeconds, skill, draw });
      }),
    );
    return plantGroup(runsDir, agent, trials);
  });
}

interface Luck {
  wallSeconds: number;
  skill: number;
  draw: () => number;
}

function scored(
  board: Leaderboard,
  competitionId: string,
  seed: number,
  { wallSeconds, skill, draw }: Luck,
): Planted {
  const place = Math.min(98, Math.max(0, Math.round([12, 38, 80][skill % 3] + (draw() - 0.5) * 36)));
  const scoreAt = (index: number) => board.quantiles[Math.min(100, Math.max(0, Math.round(index)))];
  const score = scoreAt(place);
  const medal = awardMedal(score, board);
  const attempts = [0.2, 0.45, 0.7, 0.9].map((share, i) => {
    const value = scoreAt(place + [45, 20, seed % 4 === 0 ? -8 : 8, 0][i]);
    return {
      elapsedSeconds: share * wallSeconds,
      score: value,
      percentile: standing(value, board)!.percentile,
    };
  });
  return {
    competitionId,
    seed,
    wallSeconds,
    peakMemoryBytes: 2 ** 28 * (1 + 2 * draw()),
    timeline: attempts,
    grade: {
      score,
      percentile: standing(score, board)!.percentile,
      above_median: medal.aboveMedian,
      gold_medal: medal.goldMedal,
      silver_medal: medal.silverMedal,
      bronze_medal: medal.bronzeMedal,
    },
  };
}

function crash(competitionId: string, seed: number): Planted {
  return {
    competitionId,
    seed,
    stopReason: "failed",
    blame: "agent",
    exitCode: 1,
    message: "It ended with status 1.",
    stderr: `Traceback (most recent call last):\n  File "train.py", line 3\nModuleNotFoundError: No module named 'torchvision' ${HOSTILE}\n`,
    final: { sha256: null, why: "no submission.csv was ever written" },
    grade: {
      submission_exists: false,
      valid_submission: false,
      status: "missing",
      score: null,
      score_kind: "none",
      percentile: null,
    },
  };
}

function invalid(competitionId: string, seed: number): Planted {
  return {
    competitionId,
    seed,
    grade: {
      valid_submission: false,
      status: "invalid",
      score: null,
      score_kind: "none",
      percentile: null,
      reasons: [{ code: "WRONG_IDS", message: `12 ids are missing, the first is ${HOSTILE}` }],
    },
  };
}
