// full: the baseline learns on all starter competitions; demo.test.ts runs it for a moment
import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import splits from "../../../src/competitions/splits.json" with { type: "json" };
import { seededRandom } from "../../../src/learning/seeded-random.ts";
import { json, mlebench, startMlebench } from "../cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { agentPlace, killAgent, runAgent } from "./agent-process.ts";

const data = temporaryFolder();
const publicFolder = (competition: string) => path.join(data, competition, "prepared/public");

beforeAll(async () => {
  const { code, output } = await ended(["prepare", "--split", "starter", "--data-dir", data]);
  expect(code, output).toBe(0);
}, 300_000);

/** Waits for a command's end, however busy the machine is. */
async function ended(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = startMlebench(args);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (piece) => {
      output += piece;
    });
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { code, output };
}

function runGroup(args: readonly string[], runs: string) {
  const places = ["--data-dir", data, "--runs-dir", runs, "--sandbox", "process", "--name", "own"];
  return ended(["run", "--agent", "baseline", ...args, ...places]);
}

function trialsOf(runs: string): { folder: string; trial: Record<string, unknown> }[] {
  const group = path.join(runs, "own");
  return fs
    .readdirSync(group)
    .map((name) => path.join(group, name))
    .filter((folder) => fs.existsSync(path.join(folder, "trial.json")))
    .map((folder) => ({
      folder,
      trial: JSON.parse(fs.readFileSync(path.join(folder, "trial.json"), "utf8")),
    }));
}

async function isValid(submission: string, competition: string): Promise<boolean> {
  return (await ended(["validate", submission, competition, "--data-dir", data])).code === 0;
}

test("with ten seconds it ends by itself, before its deadline, on every starter competition", async () => {
  const runs = temporaryFolder();
  const { code, output } = await runGroup(
    ["--split", "starter", "--time-limit", "10", "--workers", "2"],
    runs,
  );
  expect(code, output).toBe(0);
  const trials = trialsOf(runs);
  expect(trials).toHaveLength(splits.starter.length);
  for (const { folder, trial } of trials) {
    const { competition, outcome } = trial as {
      competition: { id: string };
      outcome: { stopReason: string };
    };
    expect(outcome.stopReason, competition.id).toBe("exited");
    expect(
      await isValid(path.join(folder, "submission/submission.csv"), competition.id),
      competition.id,
    ).toBe(true);
  }
}, 300_000);

// A generous limit: this plan is short whatever the limit, and a busy machine must not cut it.
test("what it leaves is all that a scorecard asks for", async () => {
  const runs = temporaryFolder();
  const { code, output } = await runGroup(["-c", "starter-births", "--time-limit", "300"], runs);
  expect(code, output).toBe(0);
  const [{ folder }] = trialsOf(runs);
  for (const name of ["logs/task.json", "code/solution.json", "code/agent.mjs"])
    expect(fs.existsSync(path.join(folder, name)), name).toBe(true);
  const graded = mlebench(["grade", "own", "--runs-dir", runs, "--data-dir", data]);
  expect(graded.code, graded.stderr).toBe(0);
  const group = path.join(runs, "own");
  const card = mlebench(["scorecard", group, "--strict-artifacts", "--replay", "declared", "--json"]);
  const { cards } = json(card) as {
    cards: {
      seeds: {
        dimensions: Record<string, number>;
        artifactValidity: number;
        units: Record<string, unknown>[];
      }[];
    }[];
  };
  const [{ dimensions, artifactValidity, units }] = cards[0].seeds;
  expect(units[0]).toMatchObject({ resultStatus: "ok", m: 1, r: 1 });
  expect(artifactValidity).toBe(100);
  // The seed in both places, all of the environment, and a replay that is declared but was not run: (1 + 1 + ½) / 3.
  expect(dimensions.reproducibility).toBe(83.33);
}, 400_000);

test.each(["starter-births", "starter-house-prices", "starter-stained-drawings"])(
  "on %s the same seed and budget give the same bytes",
  async (competition) => {
    const options = { competition, data: publicFolder(competition), seconds: 10, untilDeadline: 400 };
    const once = async () => {
      const place = agentPlace(options);
      const { code, stderr } = await runAgent(place.variables);
      expect(code, stderr).toBe(0);
      expect(place.metrics()).toMatchObject({ cut: false, value: expect.any(Number) });
      return fs.readFileSync(place.submission, "utf8");
    };
    const first = await once();
    expect(first).not.toBe(
      fs.readFileSync(path.join(publicFolder(competition), "sample_submission.csv"), "utf8"),
    );
    expect(await once()).toBe(first);
  },
  300_000,
);

test("killed at any moment it leaves a valid submission", async () => {
  const random = seededRandom(11);
  for (const competition of ["starter-spam", "starter-cutouts", "starter-dependencies", "starter-spam"]) {
    const place = agentPlace({ competition, data: publicFolder(competition), seconds: 60 });
    await killAgent(place, 6000 * random());
    expect(await isValid(place.submission, competition), competition).toBe(true);
  }
}, 120_000);
