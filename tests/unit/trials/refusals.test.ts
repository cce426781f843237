import fc from "fast-check";
import { expect, test } from "vitest";
import { firstRefusal, REFUSAL_ORDER, type RefusalStage } from "../../../src/trials/refusals.ts";

test("the first reason in the fixed order is told, however the judges are listed, and no later one is asked", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...REFUSAL_ORDER]),
      fc.shuffledSubarray([...REFUSAL_ORDER]),
      async (listed, wrong) => {
        const asked: RefusalStage[] = [];
        const judges = Object.fromEntries(
          listed.map((stage) => [
            stage,
            () => {
              asked.push(stage);
              return wrong.includes(stage) ? { code: stage, message: "", nextStep: "" } : null;
            },
          ]),
        );
        const refusal = await firstRefusal(judges);
        const inOrder = REFUSAL_ORDER.filter((stage) => listed.includes(stage));
        const first = inOrder.find((stage) => wrong.includes(stage)) ?? null;
        expect(refusal?.stage ?? null).toBe(first);
        expect(asked).toEqual(first === null ? inOrder : inOrder.slice(0, inOrder.indexOf(first) + 1));
      },
    ),
  );
});
