import http from "node:http";
import { z } from "zod";
import type { ModelPlace } from "./model-client.ts";

/** What the gateway says of the budget; a limit that is not there is none. */
const BudgetLeft = z.object({
  left: z.object({
    cost: z.number().optional(),
    tokens: z.number().optional(),
    calls: z.number().optional(),
  }),
  /** The largest share of a limit that is spent. */
  used: z.number(),
});
export type BudgetLeft = z.infer<typeof BudgetLeft>;

const WAIT_MS = 5000;

/** Null where there is no gateway, or it gives no answer: an agent goes on without knowing. */
export function budgetLeft({ url, token }: ModelPlace): Promise<BudgetLeft | null> {
  return new Promise((resolve) => {
    const request = http.get(`${url}/budget`, {
      headers: { authorization: `Bearer ${token}` },
      timeout: WAIT_MS,
    });
    request.on("timeout", () => request.destroy());
    request.on("error", () => resolve(null));
    request.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text += piece;
      });
      response.on("error", () => resolve(null));
      response.on("end", () => resolve(readBudget(text)));
    });
  });
}

function readBudget(text: string): BudgetLeft | null {
  try {
    return BudgetLeft.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** "" where nothing is limited. Each amount stands behind the word left, which recordings know as something that changes. */
export function budgetWords(budget: BudgetLeft | null): string {
  const { cost, tokens, calls } = budget?.left ?? {};
  return [
    ...(cost === undefined ? [] : [`money left: $${cost.toFixed(4)}`]),
    ...(tokens === undefined ? [] : [`tokens left: ${Math.floor(tokens)}`]),
    ...(calls === undefined ? [] : [`model calls left: ${Math.floor(calls)}`]),
  ].join("; ");
}
