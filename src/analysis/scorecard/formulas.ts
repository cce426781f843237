/** Every report carries it: a changed formula is a new version. */
export const FORMULAS_VERSION = "clawbench-lite/1";

const WEIGHTS = { quality: 0.55, efficiency: 0.15, reproducibility: 0.15, operations: 0.15 } as const;

/** As they are printed beside the numbers, so that a reader can redo them by hand. */
export const FORMULAS: Record<string, string> = {
  overall: "0.55·quality + 0.15·efficiency + 0.15·reproducibility + 0.15·operations",
  quality: "Q = 100·V·f(P)·(0.9 + 0.05·m + 0.05·r)",
  efficiency: "100·(0.5 + 0.5·(0.5·(1 − x) + 0.5·(1 − y))); 0 when x > 1 or y > 1",
  reproducibility: "100/3·(S + E + R); 50·(S + E) without replay; 0 when the seed is absent or wrong",
  operations: "20·(O1 + O2 + O3 + O4 + O5)",
  "m, r, V": "metrics.json, report.md: 1 valid, 0.5 invalid, 0 absent; V: 1 for a valid submission in time",
  "P, x, y": "share of people beaten; time and memory as shares of their budgets",
  "S, E":
    "seed: 1 also in metrics.json, 0.8 in the result line alone; share of the environment stated and right",
  R: "declared: 0.5 when both hashes are right; executed: 1 same bytes, 0.8 score within 0.1 % or 1e-5, else 0",
  "O1 to O5":
    "result line, ended with 0 within budget, completed, (V + m + r)/3, share of what it says that is so",
  artifacts: "A = 100·(0.6·V + 0.2·m + 0.2·r), a diagnostic that counts for nothing",
  cap: "result line not ok: reproducibility = O1 = O5 = 0 and overall ≤ 39.99; no submission: overall = 0",
  suite: "weighted mean over the requested tasks; a task without a trial is 0 everywhere",
};

export const CAP_WITHOUT_RESULT = 39.99;

export type QualityMap = "percentile" | "calibrated";

const CALIBRATION = [
  [0, 0],
  [0.25, 0.4545],
  [0.75, 0.7273],
  [1, 1],
] as const;

/** `f`: what a share of people beaten is worth. */
export function mappedPercentile(share: number, map: QualityMap): number {
  if (map === "percentile") return share;
  const next = Math.max(
    1,
    CALIBRATION.findIndex(([x]) => x >= share),
  );
  const [[x0, y0], [x1, y1]] = [CALIBRATION[next - 1], CALIBRATION[next]];
  return y0 + ((share - x0) / (x1 - x0)) * (y1 - y0);
}

/** 1 valid, 0.5 there but invalid, 0 absent. */
export type Degree = 0 | 0.5 | 1;

export interface TaskInputs {
  /** 1: exists, in time, and grades to a finite score. */
  valid: 0 | 1;
  /** Share of people beaten, 0 to 1. */
  percentile: number;
  metrics: Degree;
  report: Degree;
}

export function taskQuality({ valid, percentile, metrics, report }: TaskInputs, map: QualityMap): number {
  return 100 * valid * mappedPercentile(percentile, map) * (0.9 + 0.05 * metrics + 0.05 * report);
}

export function artifactValidity({ valid, metrics, report }: Omit<TaskInputs, "percentile">): number {
  return 100 * (0.6 * valid + 0.2 * metrics + 0.2 * report);
}

/** `runtime` and `memory` are shares of their budgets; going over either leaves nothing. */
export function efficiency(runtime: number, memory: number): number {
  if (runtime > 1 || memory > 1) return 0;
  return 100 * (0.5 + 0.5 * (0.5 * (1 - runtime) + 0.5 * (1 - memory)));
}

export interface Reproducibility {
  /** False: absent or another one, and nothing else counts. */
  seedAgrees: boolean;
  seed: number;
  environment: number;
  /** Null when replay is not asked for. */
  replay: number | null;
}

export function reproducibility({ seedAgrees, seed, environment, replay }: Reproducibility): number {
  if (!seedAgrees) return 0;
  return replay === null ? 50 * (seed + environment) : (100 / 3) * (seed + environment + replay);
}

export interface Dimensions {
  quality: number;
  efficiency: number;
  reproducibility: number;
  operations: number;
}

/** Not rounded: whoever prints it does that, once. */
export function overallOf(dimensions: Dimensions): number {
  return (Object.keys(WEIGHTS) as (keyof Dimensions)[]).reduce(
    (sum, name) => sum + WEIGHTS[name] * dimensions[name],
    0,
  );
}

export type Band = "low" | "developing" | "competitive" | "top";

/** [0, 40), [40, 70], (70, 85], (85, 100]: of the printed, rounded value. */
export function bandOf(overall: number): Band {
  if (overall < 40) return "low";
  if (overall <= 70) return "developing";
  return overall <= 85 ? "competitive" : "top";
}

export function twoDecimals(value: number): number {
  return Math.round(value * 100) / 100;
}
