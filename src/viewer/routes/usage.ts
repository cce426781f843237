import { type UsagePoint, usageOverTime } from "../../analysis/usage/over-time.ts";
import { answer, gone, type Route } from "./route.ts";

export interface UsagePart {
  points: UsagePoint[];
}

/** Memory and processors of a trial over its time. */
export const usage: Route = (store, { group = "", trial = "" }) => {
  const folder = store.trialFolder(group, trial);
  if (folder === null) return gone(`The trial ${trial}`);
  return answer({ points: usageOverTime(folder) } satisfies UsagePart);
};
