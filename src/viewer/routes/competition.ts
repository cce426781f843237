import fs from "node:fs";
import type { GridCell } from "../../analysis/overview/group-overview.ts";
import { loadCompetition } from "../../competitions/catalogue.ts";
import { readBoard } from "../../leaderboards/board-files.ts";
import { fieldChart } from "../../reporters/html/fragments.ts";
import { NOT_A_MODEL } from "../../wording/language-models.ts";
import { safeBlock } from "../../wording/safe-text.ts";
import { answer, type Route } from "./route.ts";

export interface CompetitionPage {
  id: string;
  /** Null for one that this mlebench does not know: its trials are shown all the same. */
  facts: {
    name: string;
    category: string;
    complexity: string;
    metric: string;
    direction: string;
    dataSizeGB: number | null;
    errata: { defect: string; v2: string }[];
  } | null;
  description: string | null;
  board: {
    source: string;
    teams: number;
    gold: number;
    silver: number;
    bronze: number;
    median: number;
    chart: string;
    quantiles: number[];
  } | null;
  /** `languageModels` is false where a model was scripted, simulated or an echo; null where none is known of. */
  trials: (GridCell & {
    group: string;
    agent: string;
    languageModels: boolean | null;
    /** In words; null where the record does not tell, or was not read yet. */
    isolation: string | null;
    isolated: boolean | null;
  })[];
}

const MAX_TRIALS = 5000;
const MAX_POINTS = 60;

export const competition: Route = async (store, { id = "" }) => {
  const trials = store.groups().flatMap((group) => {
    const cells = group.cells.filter(({ competitionId }) => competitionId === id);
    if (cells.length === 0) return [];
    const { of } = store.facts(group);
    return cells.map((cell) => ({
      ...cell,
      group: group.id,
      agent: group.agent,
      languageModels: of.get(cell.id)?.languageModels ?? null,
      isolation: of.get(cell.id)?.isolation ?? null,
      isolated: of.get(cell.id)?.isolated ?? null,
    }));
  });
  const loaded = await loadCompetition(id, store.competitionsDir).catch(() => null);
  const board = loaded === null ? null : (readBoard(loaded, "")?.leaderboard ?? null);
  const agents = [...new Set(trials.map(({ agent }) => agent))];
  const points = trials
    .filter(({ score }) => score !== null)
    .slice(0, MAX_POINTS)
    .map(({ score, agent, seed, languageModels, isolated }) => ({
      score: score!,
      colour: `c${agents.indexOf(agent) % 8}`,
      title: [
        `${agent}, seed ${seed}: ${score}`,
        ...(languageModels === false ? [NOT_A_MODEL] : []),
        ...(isolated === false ? ["NOT isolated"] : []),
      ].join(", "),
    }));
  const page: CompetitionPage = {
    id,
    facts: loaded && {
      name: loaded.competition.name,
      category: loaded.competition.category,
      complexity: loaded.competition.complexity,
      metric: loaded.competition.metric.name,
      direction: loaded.competition.metric.direction,
      dataSizeGB: loaded.competition.dataSizeGB,
      errata: (loaded.competition.errata ?? []).map(({ defect, v2 }) => ({ defect, v2 })),
    },
    description: loaded && descriptionOf(loaded.folder),
    board: board && {
      source: board.source,
      teams: board.teams,
      gold: board.gold,
      silver: board.silver,
      bronze: board.bronze,
      median: board.median,
      chart: fieldChart(board, points, `${id}: ${points.length} scores in a field of ${board.teams}`),
      quantiles: board.quantiles,
    },
    trials: trials.slice(0, MAX_TRIALS),
  };
  return answer(page);
};

function descriptionOf(folder: URL): string | null {
  try {
    return safeBlock(fs.readFileSync(new URL("description.md", folder), "utf8"));
  } catch {
    return null;
  }
}
