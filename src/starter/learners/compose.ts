import { randomInteger, randomSubset, seededRandom } from "../../learning/seeded-random.ts";
import { type Draw, drawDifferent } from "../making/draw.ts";
import type { Solution } from "../making/field.ts";
import { asNumbers, type Method, type Target } from "../making/method.ts";
import { type Decision, outOfFold, type Problem, testRowsOf, trainRowsOf } from "../making/problem.ts";
import { type BlendName, blends, type Candidate } from "./blends.ts";

export interface FieldPlan {
  readonly problem: Problem;
  readonly target: Target;
  readonly draw: Draw;
  /** Answers that need no model. */
  readonly rules: readonly Solution[];
  /**
   * One participant's model, drawn anew at every call. Those who tune and blend are `serious`: they look at the data
   * first and leave out what people try once and drop.
   */
  drawMethod(serious: boolean): Method;
  readonly decisions: readonly Decision[];
  /** How many single models, and how many ensembles of them, take part. */
  readonly singles: number;
  readonly ensembles: number;
  /** Members of the ensembles are drawn from so many models, so that what was validated once serves several. */
  readonly pool?: number;
  /** Which parts of the rows single models see, drawn evenly; most see all of them if left out. */
  readonly shares?: readonly number[];
}

/** Most people use all rows; some a part, to save time or because they never asked. */
const SHARES = [1, 1, 1, 1, 1, 1, 0.7, 0.5, 0.25];

/** The whole field: rules, then single models, then what several models make together. */
export function composeField(plan: FieldPlan): Solution[] {
  const { draw, decisions, drawMethod, singles, ensembles, pool: poolSize = 16, shares = SHARES } = plan;
  const alone = drawDifferent(singles, () =>
    singleSolution(plan, drawMethod(draw.chance(0.4)), draw.pick(shares), draw.pick(decisions), draw.seed()),
  );
  const pool = drawDifferent(poolSize, () => drawMethod(true)).map((method) =>
    candidateOf(plan.problem, method),
  );
  const together = drawDifferent(ensembles, () => {
    const decision = draw.pick(decisions);
    if (draw.chance(0.15))
      return baggedSolution(plan, drawMethod(true), draw.whole(3, 5), decision, draw.seed());
    if (draw.chance(0.2)) {
      const tried = drawDifferent(draw.whole(3, 4), () => drawMethod(true));
      return tunedSolution(plan, tried, decision);
    }
    return blendedSolution(plan, draw.some(pool, draw.whole(2, 7)), draw.pick(BLENDS), decision);
  });
  return [...plan.rules, ...alone, ...together];
}

const BLENDS = Object.keys(blends) as BlendName[];

function singleSolution(
  { problem }: FieldPlan,
  method: Method,
  share: number,
  decision: Decision,
  seed: number,
): Solution {
  const rows = share < 1 ? [`${Math.round(100 * share)} % of the rows`] : [];
  return {
    name: named([method.name, ...rows, decision.name]),
    family: method.family,
    solve() {
      const size = Math.max(30, Math.round(share * problem.trainRows));
      const train =
        share < 1
          ? randomSubset(problem.trainRows, Math.min(size, problem.trainRows), seededRandom(seed))
          : trainRowsOf(problem);
      const prediction = method.predict(train, testRowsOf(problem));
      return decision.submit(prediction, decision.tuned ? outOfFold(problem, method) : null);
    },
  };
}

/** A pool member: its predictions are made when an ensemble first asks for them, and kept. */
interface PoolMember {
  readonly name: string;
  predictions(): Candidate;
}

function candidateOf(problem: Problem, method: Method): PoolMember {
  let made: Candidate | null = null;
  const scale = problem.scale ?? same;
  return {
    name: method.name,
    predictions() {
      made ??= {
        validated: scale(outOfFold(problem, method)),
        asked: scale(method.predict(trainRowsOf(problem), testRowsOf(problem))),
      };
      return made;
    },
  };
}

function blendedSolution(
  { problem, target }: FieldPlan,
  members: readonly PoolMember[],
  blend: BlendName,
  decision: Decision,
): Solution {
  return {
    name: named([`${blend} of ${members.map(({ name }) => `(${name})`).join(" and ")}`, decision.name]),
    family: "ensemble",
    solve() {
      const all = trainRowsOf(problem);
      const { validated, asked } = blends[blend](
        members.map((member) => member.predictions()),
        (prediction) => problem.goodness(all, prediction),
        asNumbers(target),
      );
      return decision.submit(asked, validated);
    },
  };
}

/** Several methods are validated, the best one is used. */
function tunedSolution({ problem }: FieldPlan, tried: readonly Method[], decision: Decision): Solution {
  return {
    name: named([
      `the best by cross-validation of ${tried.map(({ name }) => `(${name})`).join(" and ")}`,
      decision.name,
    ]),
    family: "tuned",
    solve() {
      const all = trainRowsOf(problem);
      const rated = tried.map((method) => {
        const validated = outOfFold(problem, method);
        return { method, validated, goodness: problem.goodness(all, (problem.scale ?? same)(validated)) };
      });
      const [{ method, validated }] = rated.sort((a, b) => b.goodness - a.goodness);
      return decision.submit(method.predict(all, testRowsOf(problem)), validated);
    },
  };
}

/** One method several times, each time on rows drawn with replacement. */
function baggedSolution(
  { problem }: FieldPlan,
  method: Method,
  times: number,
  decision: Decision,
  seed: number,
): Solution {
  const bagged: Method = {
    name: method.name,
    family: "ensemble",
    predict(train, asked) {
      const random = seededRandom(seed);
      let sum: Float64Array | null = null;
      for (let i = 0; i < times; i++) {
        const rows = train.map(() => train[randomInteger(random, train.length)]).sort();
        const prediction = method.predict(rows, asked);
        sum = sum
          ? sum.map((value, at) => value + prediction[at] / times)
          : prediction.map((value) => value / times);
      }
      return sum ?? new Float64Array(0);
    },
  };
  return {
    name: named([`bagged ${times} times (${method.name})`, decision.name]),
    family: "ensemble",
    solve() {
      const prediction = bagged.predict(trainRowsOf(problem), testRowsOf(problem));
      return decision.submit(prediction, decision.tuned ? outOfFold(problem, bagged) : null);
    },
  };
}

function named(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("; ");
}

function same(prediction: Float64Array): Float64Array {
  return prediction;
}
