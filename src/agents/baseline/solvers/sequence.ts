import { randomSubset, seededRandom } from "../../../learning/seeded-random.ts";
import { levenshteinOf } from "../../../metrics/sequences/levenshtein.ts";
import { placesOf, textsOf } from "../reading/text-table.ts";
import type { Solver } from "../workbench.ts";
import { type LetterChances, learnLetterNetwork, planLetterNetwork } from "./letter-network.ts";
import { learnTranscriber, type Transcribe, type TranscriberSettings } from "./transcriber.ts";

const HELD_SHARE = 0.1;
const MAX_HELD = 500;
const FEW_SECONDS = 8;
const MAX_WORDS = 60_000;
const FEW_WORDS = 4000;
const FEW_HELD = 100;

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
    .slice(0, MAX_WORDS);
  const hasLittleTime = clock.plannedSeconds < FEW_SECONDS;
  const random = seededRandom(seed);
  const mostHeld = hasLittleTime ? FEW_HELD : MAX_HELD;
  const held = new Set(
    randomSubset(words.length, Math.min(mostHeld, Math.ceil(HELD_SHARE * words.length)), random),
  );
  const seen = new Map(sources.map((source, i) => [source, answers[i]]));
  const places = placesOf(test, sample);
  const known = words.filter((_, i) => !held.has(i));
  const settingsInTurn = possibleSettings();

  let chances: LetterChances | null = null;
  const measure = (transcribe: Transcribe, settings: TranscriberSettings): number => {
    let sum = 0;
    for (const i of held) sum += distance(transcribe(words[i].letters, settings, chances), words[i].outputs);
    const score = sum / held.size;
    const name = chances === null ? "letters in context" : "letters in context, with a network";
    journal.steps.push({ name, score, note: JSON.stringify(settings) });
    return score;
  };
  const place = async (transcribe: Transcribe, settings: TranscriberSettings, score: number) => {
    const cells: string[] = [];
    for (const [row, at] of places.entries()) {
      const source = asked[at];
      // An empty cell may be forbidden, and the sample's answer is never worse than none.
      const written =
        source === undefined || clock.isOver()
          ? ""
          : (seen.get(source) ?? transcribe([...source], settings, chances).join(separator));
      cells.push(written === "" ? (sample.columns[1].at(row) ?? "") : written);
    }
    const outcome = await submit([cells]);
    if (outcome.status === "refused") return;
    journal.settings = { ...settings };
    journal.score = score;
    journal.measuredOn = `${held.size} training rows held back`;
    tell();
  };

  // A few words are enough for something far better than the sample. Every so many-th, as they may be in order.
  const step = Math.ceil(known.length / FEW_WORDS);
  const first = learnTranscriber(known.filter((_, i) => i % step === 0));
  await place(first, settingsInTurn[0], measure(first, settingsInTurn[0]));
  if (hasLittleTime || clock.isOver()) return;
  const trial = learnTranscriber(known);
  let best: { settings: TranscriberSettings; score: number } | null = null;
  for (const settings of settingsInTurn) {
    if (clock.isOver()) break;
    const score = measure(trial, settings);
    if (best === null || score < best.score) best = { settings, score };
  }
  if (best === null || clock.isOver()) return;
  const whole = learnTranscriber(words);
  await place(whole, best.settings, best.score);
  const plan = planLetterNetwork(known, SHARE_OF_NETWORK * clock.plannedSeconds);
  if (plan === null || clock.isOver()) return;
  const before = best;
  chances = learnLetterNetwork(known, plan, seed, () => clock.isOver());
  if (chances === null) return;
  for (const network of NETWORK_WEIGHTS)
    for (const memory of [before.settings.memory, MORE_MEMORY]) {
      if (clock.isOver()) return;
      const settings = { ...before.settings, memory, network };
      const score = measure(trial, settings);
      if (score < best.score) best = { settings, score };
    }
  if (best !== before) await place(whole, best.settings, best.score);
};

/** Of the planned time. */
const SHARE_OF_NETWORK = 0.75;
const NETWORK_WEIGHTS = [0.5, 0.7, 0.85];
const MORE_MEMORY = 0.3;

function possibleSettings(): TranscriberSettings[] {
  return [1, 2].flatMap((caution) => [0.5, 0.7].map((memory) => ({ caution, memory })));
}

function distance(a: readonly string[], b: readonly string[]): number {
  const signs = new Map([...new Set([...a, ...b])].map((sign, code) => [sign, code]));
  const codes = (list: readonly string[]) => list.map((sign) => signs.get(sign) ?? -1);
  return levenshteinOf(codes(a), codes(b));
}
