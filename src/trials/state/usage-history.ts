import fs from "node:fs";
import { z } from "zod";
import { readWindow } from "../../files/window.ts";
import { writeFileAtomically } from "../../files/write-file.ts";

/** Memory and processor time of a trial's processes at a moment of its own time. */
export interface UsageSample {
  seconds: number;
  /** What they held then; null where nobody could tell. */
  memoryBytes: number | null;
  /** What they had used since the start. */
  cpuSeconds: number;
}

/** The first line of `usage.jsonl` in a trial's folder; each further line is a `UsageLine`. Sealed with the trial. */
const UsageHeading = z.looseObject({ schema: z.literal("mlebench/usage"), version: z.literal(1) });
/** Seconds, bytes, seconds of processor time; a later version may append to it. */
const UsageLine = z.tuple([z.number(), z.number().nullable(), z.number()], z.unknown());

const HEADING = `${JSON.stringify({ schema: "mlebench/usage", version: 1, columns: ["seconds", "memoryBytes", "cpuSeconds"] })}\n`;
const FIRST_EVERY_SECONDS = 1;
/** With twice as many, every second one is dropped and the next ones are taken half as often: a day fits into 20 KB. */
const MAX_SAMPLES = 400;
const MAX_BYTES = 2 ** 20;

export interface UsageRecorder {
  /** Called as often as one likes; writes when the next sample is due. */
  note(sample: UsageSample): void;
  /** The last one counts, due or not: a trial of a second has a history, too. */
  end(sample: UsageSample): void;
}

/** Records what one attempt uses over time. A disk that is full for a moment ends nothing. */
export function recordUsage(file: string): UsageRecorder {
  let samples: UsageSample[] = [];
  let every = FIRST_EVERY_SECONDS;
  let begun = false;

  function write(sample: UsageSample): void {
    samples.push(sample);
    try {
      if (samples.length >= 2 * MAX_SAMPLES) {
        samples = samples.filter((_, i) => i % 2 === 0);
        every *= 2;
        writeFileAtomically(file, HEADING + samples.map(lineOf).join(""));
      } else {
        fs.appendFileSync(file, (begun ? "" : HEADING) + lineOf(sample));
        begun = true;
      }
    } catch {
      // The history has a gap then.
    }
  }

  return {
    note(sample) {
      const last = samples.at(-1);
      if (last === undefined || sample.seconds - last.seconds >= every) write(sample);
    },
    end(sample) {
      if (sample.seconds > (samples.at(-1)?.seconds ?? -1)) write(sample);
    },
  };
}

function lineOf({ seconds, memoryBytes, cpuSeconds }: UsageSample): string {
  return `[${seconds.toFixed(1)},${memoryBytes === null ? "null" : Math.round(memoryBytes)},${cpuSeconds.toFixed(2)}]\n`;
}

/** What a trial used over time; empty where nothing was recorded, or by a version that we do not know. */
export function readUsage(file: string): UsageSample[] {
  const window = readWindow(file, 0, MAX_BYTES);
  if (window === null) return [];
  const [heading, ...lines] = window.bytes.toString("utf8").split("\n").slice(0, -1);
  if (!UsageHeading.safeParse(jsonOf(heading ?? "")).success) return [];
  return lines.flatMap((line) => {
    const parsed = UsageLine.safeParse(jsonOf(line));
    if (!parsed.success) return [];
    const [seconds, memoryBytes, cpuSeconds] = parsed.data;
    return [{ seconds, memoryBytes, cpuSeconds }];
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
