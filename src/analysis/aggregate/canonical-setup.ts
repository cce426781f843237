import type { Trial } from "../../trials/trial/schema.ts";

/** What the original's results were made with; every other set-up is a deviation to be named. */
const CANONICAL = { hours: 24, cpus: 36, memoryGiB: 440, seeds: 3 } as const;

/** It, in words. */
export const CANONICAL_TEXT = `The canonical set-up is ${CANONICAL.hours} h, ${CANONICAL.cpus} vCPU, ${CANONICAL.memoryGiB} GiB of memory, one 24 GB A10 and at least ${CANONICAL.seeds} seeds`;

/** Each list holds the different values of an experiment's trials; an empty one says that nobody recorded it. */
export interface SetUp {
  hours: number[];
  cpus: number[];
  memoryGiB: number[];
  /** As in "NVIDIA A10"; "none" for a trial without. */
  gpus: string[];
}

/** What the trials' records say they were allowed. */
export function recordedSetUp(trials: readonly Trial[]): SetUp {
  return {
    hours: distinct(trials.map(({ limits }) => hoursOf(limits.timeSeconds))),
    cpus: distinct(trials.flatMap(({ limits }) => limits.cpus?.value ?? [])),
    memoryGiB: distinct(
      trials.flatMap(({ limits: { memoryBytes } }) =>
        memoryBytes === undefined ? [] : rounded(memoryBytes.value / 2 ** 30),
      ),
    ),
    gpus: [...new Set(trials.map(gpuText))].sort(),
  };
}

/** The devices as the host's phrase names them, behind the processors. */
function gpuText({ gpus, host }: Trial): string {
  if (gpus.length === 0) return "none";
  const [, ...devices] = host.hardware.split(", ");
  return devices.length > 0 ? devices.join(", ") : `${gpus.length} of unknown kind`;
}

function distinct(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

/** Seconds must not vanish: an hour is much for a test. */
function hoursOf(seconds: number): number {
  return seconds < 3600 ? Number((seconds / 3600).toPrecision(4)) : rounded(seconds / 3600);
}

/** How the trials that a result rests on deviate from the canonical set-up, as far as their records say. */
export function recordedDeviations(
  records: readonly ({ trial: Trial | null } | null)[],
  seeds: number,
): string[] {
  return deviations(recordedSetUp(records.flatMap((record) => record?.trial ?? [])), seeds);
}

/** One A10, however it is written: "NVIDIA A10", "1 x A10 (24 GB)". */
const ONE_A10 = /^(?:(?:1\s*[x×]\s*)|(?:one\s+))?(?:nvidia\s+)?(?:24\s*gb\s+)?a10(?:\s*\(?24\s*gb\)?)?$/i;

/** In words, every way in which a set-up is not the canonical one: 24 h, 36 vCPU, 440 GiB, one 24 GB A10, 3 seeds. */
export function deviations(setUp: SetUp, seeds: number | null): string[] {
  const found: string[] = [];
  const unstated: string[] = [];
  const check = (what: string, values: readonly number[], canonical: number, unit: string) => {
    if (values.length === 0) unstated.push(what);
    else if (values.some((value) => value !== canonical))
      found.push(`${what} ${measured(values, unit)} instead of ${canonical} ${unit}`);
  };
  check("time limit", setUp.hours, CANONICAL.hours, "h");
  check("processors", setUp.cpus, CANONICAL.cpus, "vCPU");
  check("memory", setUp.memoryGiB, CANONICAL.memoryGiB, "GiB");
  if (setUp.gpus.length === 0) unstated.push("GPU");
  else if (setUp.gpus.some((gpu) => !ONE_A10.test(gpu)))
    found.push(`GPU ${setUp.gpus.join(" / ")} instead of one 24 GB A10`);
  if (seeds === null) unstated.push("seeds");
  else if (seeds < CANONICAL.seeds)
    found.push(`${seeds} ${seeds === 1 ? "seed" : "seeds"} instead of at least ${CANONICAL.seeds}`);
  return unstated.length > 0 ? [...found, `not stated: ${unstated.join(", ")}`] : found;
}

/** Less than an hour is said in minutes or seconds. */
function measured(values: readonly number[], unit: string): string {
  if (unit !== "h" || values.at(-1)! >= 1) return `${rangeText(values)} ${unit}`;
  const seconds = values.map((hours) => Math.round(3600 * hours));
  const whole = seconds.every((value) => value >= 120 && value % 60 === 0);
  return whole ? `${rangeText(seconds.map((value) => value / 60))} min` : `${rangeText(seconds)} s`;
}

export function rangeText(values: readonly number[]): string {
  return values.length > 1 ? `${values[0]} to ${values.at(-1)}` : String(values[0]);
}
