/**
 * Lets a burst through and then so many calls a second. Time comes from outside (milliseconds, never going back), so
 * that it can be tested without waiting.
 */
export function rateLimit({ burst, perSecond }: { burst: number; perSecond: number }) {
  let tokens = burst;
  let last = 0;
  return {
    /** Null when the call may pass, otherwise the seconds to wait. */
    take(now: number): number | null {
      tokens = Math.min(burst, tokens + ((now - last) / 1000) * perSecond);
      last = now;
      if (tokens >= 1) {
        tokens--;
        return null;
      }
      return Math.ceil((1 - tokens) / perSecond);
    },
  };
}
