import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { binFeatures } from "../../../src/learning/boosting/bins.ts";
import { type BoostingOptions, fitBoosting } from "../../../src/learning/boosting/boost.ts";
import { closeTeam, openTeam, type Team } from "../../../src/learning/boosting/team.ts";
import { seededRandom } from "../../../src/learning/seeded-random.ts";
import { normalMatrix, targetOf } from "./made-data.ts";

const full = normalMatrix(12_000, 24, 7);
const random = seededRandom(2);
const matrix = { ...full, values: full.values.map((value) => (random() < 0.05 ? Number.NaN : value)) };
const binned = binFeatures(matrix);
const target = targetOf(full, (a, b, c, d) => Number(a * b + Math.sin(2 * c) - d > 0));

describe("the same bytes whatever the number of threads", () => {
  let teams: Team[] = [];
  beforeAll(() => {
    teams = [openTeam(2), openTeam(3)];
  });
  afterAll(async () => {
    await Promise.all(teams.map(closeTeam));
  });

  test.each<BoostingOptions>([
    { loss: "log", trees: 15 },
    { loss: "squared", trees: 10, rowFraction: 0.7, featureFraction: 0.5, seed: 3 },
  ])("%j", (options) => {
    const alone = fitBoosting(binned, target, options);
    expect(alone.iterations).toHaveLength(options.trees ?? 0);
    for (const team of teams) expect(fitBoosting(binned, target, { ...options, team })).toEqual(alone);
  });

  test("a team serves one fit after another", () => {
    const [team] = teams;
    const models = Array.from({ length: 5 }, () =>
      fitBoosting(binned, target, { loss: "log", trees: 3, team }),
    );
    for (const model of models) expect(model).toEqual(models[0]);
  });
});

test("another seed draws other rows and features", () => {
  const learn = (seed: number) =>
    fitBoosting(binned, target, { loss: "log", trees: 3, rowFraction: 0.5, featureFraction: 0.5, seed });
  expect(learn(1)).toEqual(learn(1));
  expect(learn(1)).not.toEqual(learn(2));
});
