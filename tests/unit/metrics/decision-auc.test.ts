import fc from "fast-check";
import { expect, test } from "vitest";
import { decisionAuc } from "../../../src/metrics/classification/decision-auc.ts";
import { rocAuc } from "../../../src/metrics/classification/roc-auc.ts";

test("four counts give the same bits as ranking the rows", () => {
  const rows = fc.array(fc.record({ truth: fc.nat(1), decided: fc.nat(1) }), { maxLength: 60 });
  fc.assert(
    fc.property(rows, (table) => {
      const count = (truth: number, decided: number[]) =>
        table.filter((row) => row.truth === truth && decided.includes(row.decided)).length;
      const area = decisionAuc({
        positives: count(1, [0, 1]),
        truePositives: count(1, [1]),
        negatives: count(0, [0, 1]),
        falsePositives: count(0, [1]),
      });
      const truth = table.map((row) => row.truth);
      expect(area).toBe(
        rocAuc(
          truth,
          Float64Array.from(table, (row) => row.decided),
        ),
      );
    }),
  );
});

test("one class only has no area", () => {
  expect(decisionAuc({ positives: 0, truePositives: 0, negatives: 5, falsePositives: 2 })).toBeNull();
  expect(decisionAuc({ positives: 5, truePositives: 2, negatives: 0, falsePositives: 0 })).toBeNull();
});
