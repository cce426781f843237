import { randomSubset, seededRandom } from "../../learning/seeded-random.ts";
import { levenshteinOf } from "../../metrics/levenshtein.ts";
import { placesOf, textsOf } from "./text-table.ts";
import { learnTranscriber, type TranscriberSettings } from "./transcriber.ts";
import type { Solver } from "./workbench.ts";

const HELD_SHARE = 0.1;
const MOST_HELD = 500;
const FEW_SECONDS = 8;
const MOST_WORDS = 60_000;

/** Texts to be written in other signs: what was seen before is looked up, the rest is transcribed letter by letter. */
export const solveSequence: Solver<"sequence"> = async (
  task,
  { view, seed, submit, journal, clock, tell },
) => {
  const { train, test, sample } = view;
  const [, target] = sample.header;
  const sources = train && textsOf(train, task.source);
  const answers = train && textsOf(train, target);
  const asked = test && textsOf(test, task.source);
  if (!sources || !answers || !asked || test === null) return;
  const isSpaced = answers.filter((answer) => answer.includes(" ")).length > answers.length / 2;
  const separator = isSpaced ? " " : "";
  const words = sources
    .map((source, i) => ({
      letters: [...source],
      outputs: answers[i].split(separator).filter((sign) => sign !== ""),
    }))
    .slice(0, MOST_WORDS);
  const hasLittleTime = clock.plannedSeconds < FEW_SECONDS;
  const random = seededRandom(seed);
  const held = new Set(
    randomSubset(
      words.length,
      Math.min(hasLittleTime ? 100 : MOST_HELD, Math.ceil(HELD_SHARE * words.length)),
      random,
    ),
  );
  const trial = learnTranscriber(words.filter((_, i) => !held.has(i)));
  let best: { settings: TranscriberSettings; score: number } | null = null;
  for (const settings of possibleSettings().slice(0, hasLittleTime ? 1 : undefined)) {
    if (clock.isOver()) break;
    let sum = 0;
    for (const i of held) sum += distance(trial(words[i].letters, settings), words[i].outputs);
    const score = sum / held.size;
    journal.steps.push({ name: "letters in context", score, note: JSON.stringify(settings) });
    if (best === null || score < best.score) best = { settings, score };
  }
  if (best === null || clock.isOver()) return;
  const { settings } = best;
  const transcribe = hasLittleTime ? trial : learnTranscriber(words);
  const seen = new Map(sources.map((source, i) => [source, answers[i]]));
  const places = placesOf(test, sample);
  const cells: string[] = [];
  for (const [row, place] of places.entries()) {
    const source = asked[place];
    // An empty cell may be forbidden, and the sample's answer is never worse than none.
    const written =
      source === undefined || clock.isOver()
        ? ""
        : (seen.get(source) ?? transcribe([...source], settings).join(separator));
    cells.push(written === "" ? (sample.columns[1].at(row) ?? "") : written);
  }
  const outcome = await submit([cells]);
  if (outcome.status === "refused") return;
  journal.settings = { ...settings };
  journal.score = best.score;
  journal.measuredOn = `${held.size} training rows held back`;
  tell();
};

function possibleSettings(): TranscriberSettings[] {
  return [1, 2].flatMap((caution) => [0.5, 0.7].map((memory) => ({ caution, memory })));
}

function distance(a: readonly string[], b: readonly string[]): number {
  const signs = new Map([...new Set([...a, ...b])].map((sign, code) => [sign, code]));
  const codes = (list: readonly string[]) => list.map((sign) => signs.get(sign) ?? -1);
  return levenshteinOf(codes(a), codes(b));
}
