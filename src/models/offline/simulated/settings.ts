/** What a planted fault does to a script that would otherwise work. */
export const FAULTS = ["exception", "columns", "leak", "timeout", "nan"] as const;
export type Fault = (typeof FAULTS)[number];

/** One solution: a script is these settings in front of a fixed program, so that a later call can read them back. */
export interface SolutionSettings {
  attempt: number;
  /** 0 predicts a constant; each level above learns more, and is better on held-out rows. */
  level: number;
  fault: Fault | null;
  seed: number;
  hashBits: number;
  epochs: number;
  rate: number;
  pairs: boolean;
  bags: number;
  /** The part that was left out to see what it is worth; such a script only prints that. */
  without?: string;
}

export const MAX_LEVEL = 4;

const LEVELS: readonly Pick<SolutionSettings, "hashBits" | "epochs" | "rate" | "pairs" | "bags">[] = [
  { hashBits: 8, epochs: 0, rate: 0, pairs: false, bags: 1 },
  { hashBits: 8, epochs: 2, rate: 0.05, pairs: false, bags: 1 },
  { hashBits: 12, epochs: 6, rate: 0.1, pairs: false, bags: 1 },
  { hashBits: 14, epochs: 10, rate: 0.1, pairs: true, bags: 1 },
  { hashBits: 14, epochs: 12, rate: 0.1, pairs: true, bags: 3 },
];

export function settingsOf(
  attempt: number,
  level: number,
  fault: Fault | null,
  seed: number,
): SolutionSettings {
  const within = Math.min(Math.max(level, 0), MAX_LEVEL);
  return { attempt, level: within, fault, seed, ...LEVELS[within] };
}

const MARK = /MLEBENCH_SIMULATED (\{[^\n]*?\})/g;

export const settingsLine = (settings: SolutionSettings): string =>
  `MLEBENCH_SIMULATED ${JSON.stringify(settings)}`;

/** The settings of every script of ours that a text quotes, in order; a damaged line is passed over. */
export function settingsIn(text: string): SolutionSettings[] {
  return [...text.matchAll(MARK)].flatMap(([, json]) => {
    try {
      const {
        attempt,
        level,
        fault = null,
        seed,
      } = JSON.parse(json.replaceAll('\\"', '"')) as SolutionSettings;
      const known = fault === null || FAULTS.includes(fault);
      return Number.isInteger(attempt) && Number.isInteger(level) && Number.isInteger(seed) && known
        ? [settingsOf(attempt, level, fault, seed)]
        : [];
    } catch {
      return [];
    }
  });
}
