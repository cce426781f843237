import { deviationsOfPlaces, spendingOfPlaces } from "../../analysis/aggregate/group-insights.ts";
import { type CircumstanceSummary, circumstancesOfPlaces } from "../../analysis/circumstances.ts";
import { arrangePair } from "../../analysis/compare/arrange.ts";
import { type Comparison, compare, directionsOf } from "../../analysis/compare/compare.ts";
import type { ModelSpending } from "../../analysis/model-spending.ts";
import { doubtsOf, groupReport, type ReadReport, readReports } from "../../analysis/reports.ts";
import { withPercentiles } from "../../analysis/statistics/percentiles.ts";
import { agentAndModels, severalAgents } from "../../analysis/whose.ts";
import { catalogue } from "../../competitions/catalogue.ts";
import { readGroup } from "../../trials/group/folder.ts";
import type { Problem } from "../../wording/problem.ts";
import { orRefusal } from "../or-refusal.ts";
import { chooseCompetitions, competitionsIn } from "./choose.ts";

export interface CompareRequest {
  /** Grading reports or run groups of the first agent. */
  a: readonly string[];
  b: readonly string[];
  /** A split's name, a file of ids, or the ids; all that both have unless told. */
  split?: string | readonly string[] | undefined;
  /** Compare although competitions of the split have no run on one side. */
  padMissing?: boolean | undefined;
  /** What to call the two; their agents' ids unless told. */
  names?: readonly string[] | undefined;
  /** A folder with the user's own competitions: which way their scores go decides where there is no board. */
  competitionsDir?: string | undefined;
}

type Deviations = ReturnType<typeof deviationsOfPlaces>;

export type CompareOutcome =
  | {
      status: "compared";
      result: Comparison;
      names: { a: string; b: string };
      deviations: { a: Deviations; b: Deviations };
      /** What their models were asked; null where the runs named none. */
      models: { a: ModelSpending | null; b: ModelSpending | null };
      /** In what each side's trials ran, and what verify says of them. */
      circumstances: { a: CircumstanceSummary; b: CircumstanceSummary };
      /** Why the decisions about these runs may not be all that were made. */
      doubts: string[];
    }
  | { status: "refused"; problem: Problem };

/** Compares two agents, paired by competition and seed. */
export function compareReports(request: CompareRequest): Promise<CompareOutcome> {
  return orRefusal<CompareOutcome>(
    () => readAndCompare(request),
    (problem) => ({ status: "refused", problem }),
  );
}

async function readAndCompare(request: CompareRequest): Promise<CompareOutcome> {
  const { a, b, competitionsDir } = request;
  const several = severalAgents(a) ?? severalAgents(b);
  if (several !== null) return refuse(several);
  const sides = [readSide(a), readSide(b)];
  const unreadable = sides.find((side) => typeof side === "string");
  if (typeof unreadable === "string") return refuse(unreadable);
  const [left, right] = await Promise.all(
    (sides as ReadReport[][]).map((reports) => withPercentiles(reports, competitionsDir)),
  );
  const chosen = chooseCompetitions(request.split, () => {
    const others = competitionsIn(right);
    return competitionsIn(left).filter((id) => others.includes(id));
  });
  if (!chosen.ok) return refuse(chosen.message);
  if (chosen.ids.length === 0) return refuse("The two have no competition in common.");
  const arranged = arrangePair(left, right, chosen.ids, request.padMissing ?? false);
  if (!arranged.ok) return refuse(arranged.message);
  const result = compare(arranged.a, arranged.b, directionsOf(await catalogue(competitionsDir)));
  return {
    status: "compared",
    result,
    names: namesOf(request),
    deviations: { a: deviationsOfPlaces(a, result.seeds), b: deviationsOfPlaces(b, result.seeds) },
    models: { a: spendingOfPlaces(a), b: spendingOfPlaces(b) },
    doubts: doubtsOf((sides as ReadReport[][]).flat()),
    circumstances: { a: await circumstancesOfPlaces(a), b: await circumstancesOfPlaces(b) },
  };
}

/** The agents' own, unless both are the same agent's or somebody knows better. */
function namesOf({ a, b, names = [] }: CompareRequest): { a: string; b: string } {
  const [first, second] = [a, b].map((places) => {
    const groups = places.map((place) => readGroup(place)?.settings ?? null);
    const [settings] = groups;
    return settings !== null && groups.every((one) => one?.agentId === settings.agentId) ? settings : null;
  });
  const own =
    first === null || second === null
      ? ["A", "B"]
      : first.agentId !== second.agentId
        ? [first.agentId, second.agentId]
        : agentAndModels(first) !== agentAndModels(second)
          ? [agentAndModels(first), agentAndModels(second)]
          : ["A", "B"];
  return { a: names[0] ?? own[0], b: names[1] ?? own[1] };
}

function readSide(places: readonly string[]): ReadReport[] | string {
  const files: string[] = [];
  for (const place of places) {
    if (place.endsWith(".json")) files.push(place);
    else {
      const found = groupReport(place);
      if (!found.ok) return found.message;
      files.push(found.file);
    }
  }
  const read = readReports(files);
  return read.ok ? read.reports : read.message;
}

function refuse(message: string): CompareOutcome {
  return {
    status: "refused",
    problem: { code: "NOT_COMPARED", message, nextStep: "see: mlebench compare --help" },
  };
}
