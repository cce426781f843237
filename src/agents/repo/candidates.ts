import fs from "node:fs";
import path from "node:path";
import { describeRepository } from "../../repositories/index/describe.ts";
import { searchIndex } from "../../repositories/index/search-index.ts";
import { initialContext } from "../../repositories/map/initial-context.ts";
import { mapRepository, type RepositoryMap } from "../../repositories/map/repository-map.ts";
import type { AskModel } from "../kit/model-client.ts";
import { type CompetitionNames, findLeak, type Leak } from "./leak-filter.ts";
import { heuristicQuality, modelQuality, type Quality } from "./quality.ts";
import type { TaskRequirements } from "./requirements.ts";
import type { RepoSettings } from "./settings.ts";

export interface Candidate {
  map: RepositoryMap;
  /** How well its words fit, as a share of the best one's. */
  fit: number;
  reasons: Record<string, string[]>;
  quality: Quality;
}

export interface Candidates {
  chosen: Candidate[];
  /** They lie among the materials all the same: what is taken from one of them is a finding. */
  dropped: { map: RepositoryMap; leak: Leak }[];
  /** Not considered: nothing in them, or nothing that fits. */
  passedOver: { repository: string; why: string }[];
  /** How many folders were looked at, and why there is none where there is none. */
  repositories: number;
  nothing: string;
}

const MAX_MAPPED = 50;
const CORE_TOKENS = 4000;

/** All repositories of the materials: mapped as far as the time for it goes, filtered, rated, the best first. */
export async function findCandidates(
  materials: string,
  task: TaskRequirements,
  competitionId: string,
  settings: RepoSettings,
  ask: AskModel | null,
  seconds: number,
): Promise<Candidates> {
  const passedOver: Candidates["passedOver"] = [];
  const dropped: Candidates["dropped"] = [];
  const names: CompetitionNames = {
    id: competitionId,
    title: task.title,
    sampleHeader: task.sampleHeader,
    kernels: listedKernels(materials),
  };
  const maps: RepositoryMap[] = [];
  const all = repositoryFolders(materials, settings);
  const folders = all.slice(0, MAX_MAPPED);
  for (const folder of all.slice(MAX_MAPPED))
    passedOver.push({ repository: path.basename(folder), why: `only ${MAX_MAPPED} repositories are read` });
  const signal = AbortSignal.timeout(Math.ceil(seconds * 1000));
  for (const folder of folders) {
    const map = await mapRepository(folder, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return null;
    });
    if (map === null) {
      const why = `reading the repositories took longer than ${Math.round(seconds)} s`;
      passedOver.push({ repository: path.basename(folder), why });
      continue;
    }
    const leak = settings.allowSolutions || competitionId === "" ? null : findLeak(map, names);
    if (leak) dropped.push({ map, leak });
    else if (map.modules.length === 0)
      passedOver.push({ repository: map.name, why: "it has no source we can read" });
    else maps.push(map);
  }
  const entries = maps.map((map) => describeRepository(map, map.root));
  const hits = searchIndex(entries, task.query, settings.maxRepositories * 2);
  for (const map of maps)
    if (!hits.some(({ entry }) => entry.folder === map.root))
      passedOver.push({ repository: map.name, why: "no word of the task occurs in it" });
  const best = hits[0]?.score ?? 1;
  const rated: Candidate[] = [];
  for (const { entry, score, reasons } of hits) {
    const map = maps[entries.indexOf(entry)];
    const fit = score / best;
    const heuristic = heuristicQuality(map, fit);
    const quality = ask
      ? await modelQuality(ask, task.description, initialContext(map, CORE_TOKENS).text, heuristic)
      : heuristic;
    rated.push({ map, fit, reasons, quality });
  }
  // Marks are coarse; among equals the words decide.
  rated.sort((a, b) => b.quality.score - a.quality.score || b.fit - a.fit);
  for (const { map } of rated.slice(settings.maxRepositories))
    passedOver.push({ repository: map.name, why: "others were rated higher" });
  return {
    chosen: rated.slice(0, settings.maxRepositories),
    dropped,
    passedOver,
    repositories: all.length,
    nothing: whyNone(materials, settings),
  };
}

/** The folders of the materials; those that a RepoMaster file names alone, where there is one. */
function repositoryFolders(materials: string, { file }: RepoSettings): string[] {
  const named = [file?.repo?.path, ...(file?.sources ?? []).map(({ path: place }) => place)].filter(
    (place) => place !== undefined,
  );
  const inside = (place: string) =>
    path.join(materials, path.relative("/", path.resolve("/", place.replace(/^\/home\/materials\/?/, ""))));
  const folders =
    named.length > 0 ? named.map(inside) : list(materials).map((name) => path.join(materials, name));
  return folders.filter((folder) => fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory());
}

function whyNone(materials: string, { file }: RepoSettings): string {
  if (!fs.existsSync(materials)) return "the run has no --materials";
  if (file?.repo?.path !== undefined || (file?.sources ?? []).length > 0)
    return "the folders that its RepoMaster file names are not among the materials";
  return "the materials hold no folder; each repository is a folder in them";
}

/** `kernels.txt` beside the repositories: one `user/slug` per line. */
function listedKernels(materials: string): string[] {
  try {
    return fs
      .readFileSync(path.join(materials, "kernels.txt"), "utf8")
      .slice(0, 1_000_000)
      .split(/\s+/)
      .filter(Boolean);
  } catch {
    return [];
  }
}

function list(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch {
    return [];
  }
}
