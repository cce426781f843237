// full: sixty steps of tree search on two starter competitions
import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { JournalStep } from "../../../src/agents/tree/journal/schema.ts";
import { FAULTS, type Fault, settingsIn } from "../../../src/models/offline/simulated/settings.ts";
import { mlebench } from "../cli.ts";
import { starterSetting } from "./starter-setting.ts";

const COMPETITIONS = ["starter-batch-jobs", "starter-house-prices"];
const { data, prepare, run } = starterSetting(COMPETITIONS, {
  "tree/sixty": { "agent.steps": 60, "parts.debug_turns": 1 },
});

beforeAll(prepare, 240_000);

function comesFrom(step: JournalStep, ids: readonly string[], all: readonly JournalStep[]): boolean {
  const parent = all.find(({ id }) => id === step.parent);
  return parent?.buggy === true && (ids.includes(parent.id) || comesFrom(parent, ids, all));
}

/** What the model planted in a step's program. */
const plantedIn = ({ code }: JournalStep) => settingsIn(code ?? "").at(-1)?.fault ?? null;

/** As what each of them is found. One that knows its own targets only deceives itself: hidden rows tell. */
const FOUND_AS: Record<Exclude<Fault, "leak">, string> = {
  exception: "exception",
  columns: "invalid submission",
  timeout: "timeout",
  nan: "invalid submission",
};

const measured = ({ metric }: JournalStep) => metric?.value ?? Number.NaN;

test("sixty steps find the planted improvements, repair each kind of fault, and end valid", async () => {
  const trials = await run("tree/sixty", COMPETITIONS, data, 560_000);
  expect(trials).toHaveLength(2);
  for (const { steps, doubts, submission, competition } of trials) {
    expect(doubts).toEqual([]);
    const search = steps.filter(({ phase }) => phase === "search");
    expect(search).toHaveLength(60);
    const best = search.findLast(({ isBest }) => isBest)!;
    const first = search.find(({ buggy }) => !buggy)!;
    const gain = (measured(best) - measured(first)) * (best.metric?.direction === "maximize" ? 1 : -1);
    expect(gain).toBeGreaterThan(0);
    const end = steps.at(-1)!;
    expect(end).toMatchObject({ phase: "endgame", buggy: false, validity: { status: "valid" } });
    const sample = fs.readFileSync(
      path.join(data, competition, "prepared/public/sample_submission.csv"),
      "utf8",
    );
    expect(submission.split("\n")).toHaveLength(sample.split("\n").length);
  }
  // Which faults a trial meets is drawn by the model: each of them is met in one of the two at least.
  const searches = trials.map(({ steps }) => steps.filter(({ phase }) => phase === "search"));
  const metIn = (search: readonly JournalStep[], fault: Fault) =>
    search.filter((step) => plantedIn(step) === fault);
  for (const fault of FAULTS) {
    const met = searches.flatMap((search) => metIn(search, fault));
    expect([fault, met.length]).not.toEqual([fault, 0]);
    expect([fault, met.some(({ isBest }) => isBest)]).toEqual([fault, false]);
    if (fault === "leak") continue;
    expect([fault, met.filter(({ buggy }) => !buggy)]).toEqual([fault, []]);
    expect(met.map(({ why }) => why?.kind)).toContain(FOUND_AS[fault]);
    // Perhaps after another fault: a constant that is mended may still equal the sample.
    const mended = searches.some((search) => {
      const faulty = metIn(search, fault).map(({ id }) => id);
      return search.some((step) => !step.buggy && comesFrom(step, faulty, search));
    });
    expect([fault, mended]).toEqual([fault, true]);
  }
  const graded = mlebench(["grade", trials[0].group, "--data-dir", data], {}, 60_000);
  expect(graded.stdout).toContain("2 valid");
}, 590_000);
