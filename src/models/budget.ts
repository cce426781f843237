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
  /** Fails with the signal's reason, and then nothing is reserved. */
  admit(worst: Spending, signal: AbortSignal): Promise<Admission>;
  /** True once a call was refused. */
  exhausted(): boolean;
  spent(): Spending;
  /** Of each limit there is, never below 0. */
  left(): SpendingLimits;
  /** The largest share of a limit that is spent; 0 where there is none. */
  used(): number;
}

/** What several budgets leave together, for whoever spends under all of them. */
export function leftOf(budgets: readonly Budget[]): { left: Record<string, number>; used: number } {
  const left: Record<string, number> = {};
  for (const budget of budgets)
    for (const [name, amount] of Object.entries(budget.left()) as [string, number][])
      left[name] = Math.min(left[name] ?? amount, amount);
  return { left, used: Math.max(0, ...budgets.map((budget) => budget.used())) };
}

/** What somebody has spent and holds for calls that are under way. */
export interface Account {
  spent: Amounts;
  reserved: Amounts;
}
type Amounts = { cost: number; tokens: number; calls: number };

/** The other processes that spend under the same limit: on a cluster each trial is one of its own. */
export interface SharedAccounts {
  /** Nobody else decides until the turn is over. Fails with the signal's reason. */
  turn(signal: AbortSignal): Promise<{ others: Account; over(): void }>;
  /** A glance at the others, which may be old by now. */
  now(): Account;
  /** Tells the others at once. */
  tell(mine: Account): void;
  /** When nothing is under way any more: what was spent stays told. Whoever spends again comes back by itself. */
  leave(): Promise<void>;
}

export interface BudgetOptions {
  /** Spent by earlier attempts. */
  before?: Spending | undefined;
  shared?: SharedAccounts | null;
}

/** How often a call that waits for another process looks again. */
const LOOK_AGAIN_MS = 300;

/** `whose` stands in the message: "this trial", "this run group". */
export function createBudget(
  whose: string,
  limits: SpendingLimits,
  { before, shared = null }: BudgetOptions = {},
): Budget {
  const mine: Account = { spent: nothing(), reserved: nothing() };
  if (before !== undefined) add(mine.spent, known(before), 1);
  let others: Account = shared?.now() ?? { spent: nothing(), reserved: nothing() };
  const waiting = new Set<() => void>();
  let refused = false;

  const reached = (amounts: Amounts): string | null => {
    const { cost, tokens, calls } = limits;
    if (calls !== undefined && amounts.calls >= calls) return `${calls} calls`;
    if (tokens !== undefined && amounts.tokens >= tokens) return `${tokens} tokens`;
    if (cost !== undefined && amounts.cost >= cost) return `$${cost}`;
    return null;
  };
  const spent = () => sumOf(mine.spent, others.spent);

  async function admit(worst: Spending, signal: AbortSignal): Promise<Admission> {
    for (;;) {
      signal.throwIfAborted();
      const turn = shared === null ? null : await shared.turn(signal);
      try {
        others = turn?.others ?? others;
        const limit = reached(spent());
        if (limit !== null) {
          refused = true;
          return { status: "spent", message: `The budget of ${whose} (${limit}) is spent.` };
        }
        const held = sumOf(mine.reserved, others.reserved);
        if (held.calls === 0 || reached(sumOf(spent(), held)) === null)
          return { status: "admitted", reservation: reserve(worst) };
      } finally {
        turn?.over();
      }
      await change(signal);
    }
  }

  /** Until something is settled, here or perhaps elsewhere, or whoever waits has gone. */
  function change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = shared === null ? undefined : setTimeout(wake, LOOK_AGAIN_MS * (0.5 + Math.random()));
      function wake(): void {
        clearTimeout(timer);
        waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      }
      waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }

  function reserve(worst: Spending): Reservation {
    const held = known(worst);
    add(mine.reserved, held, 1);
    shared?.tell(mine);
    let open = true;
    return {
      settle(actual) {
        if (!open) return;
        open = false;
        add(mine.reserved, held, -1);
        add(mine.spent, known(actual), 1);
        shared?.tell(mine);
        for (const wake of [...waiting]) wake();
      },
    };
  }

  const kinds = ["cost", "tokens", "calls"] as const;
  const look = () => {
    others = shared?.now() ?? others;
    return spent();
  };
  const limited = kinds.flatMap((kind) =>
    limits[kind] === undefined ? [] : [[kind, limits[kind]] as const],
  );
  return {
    admit,
    exhausted: () => refused,
    spent,
    left() {
      const now = look();
      return Object.fromEntries(limited.map(([kind, limit]) => [kind, Math.max(0, limit - now[kind])]));
    },
    used() {
      const now = look();
      return Math.max(0, ...limited.map(([kind, limit]) => (limit > 0 ? now[kind] / limit : 1)));
    },
  };
}

export function nothing(): Amounts {
  return { cost: 0, tokens: 0, calls: 0 };
}

function known({ cost, tokens, calls }: Spending): Amounts {
  return { cost: cost ?? 0, tokens, calls };
}

export function sumOf(one: Amounts, other: Amounts): Amounts {
  const sum = { ...one };
  add(sum, other, 1);
  return sum;
}

function add(to: Amounts, amounts: Amounts, sign: 1 | -1): void {
  to.cost += sign * amounts.cost;
  to.tokens += sign * amounts.tokens;
  to.calls += sign * amounts.calls;
}
