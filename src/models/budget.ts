/** What may be spent; an absent limit is none. */
export interface SpendingLimits {
  /** USD. */
  cost?: number | undefined;
  tokens?: number | undefined;
  calls?: number | undefined;
}

/** Spent, or expected to be at most. A cost of null is not known. */
export interface Spending {
  cost: number | null;
  tokens: number;
  calls: number;
}

export interface Reservation {
  /** Replaces what was reserved by what was really spent; the second time nothing happens. */
  settle(spent: Spending): void;
}

export type Admission =
  | { status: "admitted"; reservation: Reservation }
  | { status: "spent"; message: string };

/**
 * Lets calls through until a limit is reached. A call is reserved at its worst before it starts and settled after it: as long
 * as others are under way that could use up the rest, it waits for them. So at most the last call goes over a limit.
 */
export interface Budget {
  admit(worst: Spending, signal: AbortSignal): Promise<Admission>;
  /** True once a call was refused. */
  exhausted(): boolean;
  spent(): Spending;
}

/** `whose` stands in the message: "this trial", "this run group". `before`: spent by earlier attempts. */
export function createBudget(
  whose: string,
  limits: SpendingLimits,
  before: Spending = { cost: 0, tokens: 0, calls: 0 },
): Budget {
  const spent = { cost: before.cost ?? 0, tokens: before.tokens, calls: before.calls };
  const reserved = { cost: 0, tokens: 0, calls: 0 };
  let waiting: (() => void)[] = [];
  let refused = false;

  const reached = (amounts: { cost: number; tokens: number; calls: number }): string | null => {
    const { cost, tokens, calls } = limits;
    if (calls !== undefined && amounts.calls >= calls) return `${calls} calls`;
    if (tokens !== undefined && amounts.tokens >= tokens) return `${tokens} tokens`;
    if (cost !== undefined && amounts.cost >= cost) return `$${cost}`;
    return null;
  };

  async function admit(worst: Spending, signal: AbortSignal): Promise<Admission> {
    for (;;) {
      const limit = reached(spent);
      if (limit !== null) {
        refused = true;
        return { status: "spent", message: `The budget of ${whose} (${limit}) is spent.` };
      }
      const both = {
        cost: spent.cost + reserved.cost,
        tokens: spent.tokens + reserved.tokens,
        calls: spent.calls + reserved.calls,
      };
      if (reached(both) === null || reserved.calls === 0) break;
      if (signal.aborted) break;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    return { status: "admitted", reservation: reserve(worst) };
  }

  function reserve(worst: Spending): Reservation {
    const held = { cost: worst.cost ?? 0, tokens: worst.tokens, calls: worst.calls };
    add(reserved, held, 1);
    let open = true;
    return {
      settle(actual) {
        if (!open) return;
        open = false;
        add(reserved, held, -1);
        add(spent, { ...actual, cost: actual.cost ?? 0 }, 1);
        const woken = waiting;
        waiting = [];
        for (const wake of woken) wake();
      },
    };
  }

  return { admit, exhausted: () => refused, spent: () => ({ ...spent }) };
}

function add(
  to: { cost: number; tokens: number; calls: number },
  amounts: { cost: number; tokens: number; calls: number },
  sign: 1 | -1,
): void {
  to.cost += sign * amounts.cost;
  to.tokens += sign * amounts.tokens;
  to.calls += sign * amounts.calls;
}
