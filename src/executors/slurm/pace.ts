import type { Clock } from "./scheduler.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** A doubt is often gone with the next look: the certificate of a trial comes after its lock is released. */
const DOUBT_MS = 3 * SECOND;
/** Nothing waits any more, so that a doubt may keep a node idle: a small part of what a trial takes is waited. */
const DOUBT_MOST_MS = 5 * MINUTE;
const DOUBT_SHARE = 1 / 20;
/** As long as others wait in the queue, no node is idle because of a doubt: many are settled with one call. */
const DOUBT_AMONG_MANY_MS = 90 * MINUTE;
const IDLE_MS = 10 * SECOND;
const IDLE_MOST_MS = 5 * MINUTE;
/**
 * So many trials may end, one way or the other, before the queue is looked at. What was cut off is submitted again right
 * after it: together less than one call for every hundred.
 */
const ENDS_PER_QUESTION = 250;
/** Trials end and none begins although the queue is full of them: somebody may have cancelled those that waited. */
const NONE_BEGINS = 1 / 4;
const NONE_BEGINS_MS = 2 * MINUTE;
const AT_LEAST_EVERY_MS = 2 * 60 * MINUTE;
const LOOK_MS = 500;
const LOOK_MOST_MS = 10 * SECOND;
const LOOK_MS_PER_TRIAL = 50;
const SUBMIT_MS = 2 * SECOND;
const SUBMIT_MOST_MS = 2 * MINUTE;

/** When to look at files, when to ask the controller, when to submit: as rarely as the run allows. */
export interface Pace {
  begun(): void;
  /** After so many milliseconds, as far as that is known. */
  finished(after: number): void;
  asked(answered: boolean): void;
  mayAsk(facts: { doubtful: number; running: number; queued: number; unsure: boolean }): boolean;
  /** How long to wait until the next look; looking at many takes longer, and one that ends is missed by nobody. */
  pause(running: number): number;
  maySubmit(): boolean;
  submitted(): void;
  /** Something did not go in; whether it is worth trying again soon. True the first time in a row. */
  submitLater(soon: boolean): boolean;
}

export function startPace(clock: Clock): Pace {
  const start = clock.now();
  let newsAt = start;
  let askedAt = start;
  let doubtWait = DOUBT_MS;
  let doubtSince: number | null = null;
  let idleWait = IDLE_MS;
  let finished = 0;
  let sinceBegun = 0;
  let begunAt = start;
  /** How long trials take, the last ones above all. */
  let usual = 0;
  let lookWait = LOOK_MS;
  let submitAt = start;
  let submitWait = 0;
  let isRefused = false;
  const news = () => {
    newsAt = clock.now();
    idleWait = IDLE_MS;
    doubtWait = DOUBT_MS;
    lookWait = LOOK_MS;
  };
  return {
    begun() {
      sinceBegun = 0;
      begunAt = clock.now();
      news();
    },
    finished(after) {
      finished++;
      sinceBegun++;
      usual = usual === 0 ? after : usual + (after - usual) / 10;
      news();
    },
    asked(answered) {
      askedAt = clock.now();
      doubtSince = null;
      finished = 0;
      sinceBegun = 0;
      doubtWait = Math.min(doubtWait * 2, MINUTE);
      idleWait = Math.min(idleWait * 2, IDLE_MOST_MS);
      if (!answered) newsAt = clock.now();
    },
    mayAsk({ doubtful, running, queued, unsure }) {
      const now = clock.now();
      if (doubtful > 0) doubtSince ??= now;
      else doubtSince = null;
      if (unsure) return now - askedAt >= DOUBT_MS;
      if (queued + running + doubtful === 0) return false;
      const among = queued > 0 && running > 0;
      const patience = among
        ? DOUBT_AMONG_MANY_MS
        : Math.max(DOUBT_MS, Math.min(usual * DOUBT_SHARE, DOUBT_MOST_MS));
      if (
        doubtSince !== null &&
        now - doubtSince >= patience &&
        now - askedAt >= Math.max(patience, doubtWait)
      )
        return true;
      if (finished + doubtful >= ENDS_PER_QUESTION && now - askedAt >= DOUBT_MS) return true;
      const noneBegins = among && sinceBegun >= Math.max(2, running * NONE_BEGINS);
      if (noneBegins && now - Math.max(begunAt, askedAt) >= NONE_BEGINS_MS) return true;
      if (running === 0 && now - Math.max(newsAt, askedAt) >= idleWait) return true;
      return now - askedAt >= AT_LEAST_EVERY_MS;
    },
    pause(running) {
      const wait = Math.min(Math.max(lookWait, running * LOOK_MS_PER_TRIAL), LOOK_MOST_MS);
      lookWait = Math.min(lookWait * 1.3, LOOK_MOST_MS);
      return wait;
    },
    maySubmit: () => clock.now() >= submitAt,
    submitted() {
      isRefused = false;
      submitWait = 0;
      // What is cut off next is gathered into one array.
      submitAt = clock.now() + SUBMIT_MS;
      news();
    },
    submitLater(soon) {
      const first = !isRefused;
      isRefused = true;
      if (soon) submitWait = 0;
      submitWait = Math.min(Math.max(submitWait * 2, SUBMIT_MS), SUBMIT_MOST_MS);
      submitAt = clock.now() + submitWait;
      return first;
    },
  };
}
