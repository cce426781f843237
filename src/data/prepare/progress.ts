import type { CompetitionVersion } from "../../competitions/competition.ts";

type PrepareStage = "download" | "check download" | "extract" | "prepare" | "verify" | "audit";

/** How far one competition is. Rate and time left are null until there is something to measure. */
export interface PrepareProgress {
  competitionId: string;
  competitionVersion: CompetitionVersion;
  stage: PrepareStage;
  /** A step within the stage, such as "reading train.csv"; empty where the stage says it all. */
  what: string;
  done: number;
  total: number | null;
  unit: "bytes" | "steps";
  perSecond: number | null;
  secondsLeft: number | null;
}

type Counted = Pick<PrepareProgress, "stage" | "what" | "done" | "total" | "unit">;

const WINDOW_MS = 10_000;
const REPORT_EVERY_MS = 200;

/** Measures how fast a count grows and reports it a few times a second, and always when the step or stage changes. */
export function createProgressMeter(
  report: (progress: Counted & Pick<PrepareProgress, "perSecond" | "secondsLeft">) => void,
) {
  let step = "";
  let samples: { at: number; done: number }[] = [];
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (count: Counted): void => {
    const at = Date.now();
    const isNew = step !== `${count.stage}\n${count.what}`;
    if (isNew) {
      step = `${count.stage}\n${count.what}`;
      samples = [];
    }
    if (!isNew && at - reportedAt < REPORT_EVERY_MS && count.done !== count.total) return;
    reportedAt = at;
    samples.push({ at, done: count.done });
    while (samples.length > 2 && at - samples[1].at >= WINDOW_MS) samples.shift();
    const seconds = (at - samples[0].at) / 1000;
    const perSecond = seconds > 0 ? (count.done - samples[0].done) / seconds : null;
    const left =
      count.total === null || !perSecond ? null : Math.max(0, count.total - count.done) / perSecond;
    report({ ...count, perSecond, secondsLeft: left });
  };
}
