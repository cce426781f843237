import fc from "fast-check";
import { expect, it } from "vitest";
import { meanAveragePrecision } from "../../../src/competitions/shapes/graders/mean-average-precision.ts";
import { averagePrecisionAtK } from "../../../src/metrics/sequences/average-precision-at-k.ts";
import { readCsvBytes } from "../../../src/table/csv/reader.ts";

const K = 3;
const label = fc.constantFrom("w_1", "w_12", "w_2", "é", "new whale", "w_1 w_2");
const list = fc.array(fc.constantFrom("w_1", "w_12", "w_2", "é", "", "x"), { minLength: 1, maxLength: 5 });

function column(cells: string[]) {
  const read = readCsvBytes(Buffer.from(`c\n${cells.map((cell) => `"${cell}"`).join("\n")}\n`));
  if (!read.ok) throw new Error(read.problem.message);
  return read.table.column("c")!;
}

it("a row with one true label scores as the general metric does on its list", () => {
  fc.assert(
    fc.property(label, list, (truth, ranked) => {
      // Another text keeps the columns texts, whatever the cell looks like.
      const actual = column([truth, "text"]);
      const predicted = column([`x ${ranked.join(" ")}`, "text"]);
      const rows = Uint32Array.of(0);
      const score = meanAveragePrecision(predicted, actual, { submission: rows, answers: rows }, K);
      expect(score).toBe(averagePrecisionAtK(new Set(truth.split(" ")), ["x", ...ranked].slice(0, K), K));
    }),
  );
});

it("a label that only begins like an entry is not found", () => {
  const rows = Uint32Array.of(0);
  const score = (truth: string, ranked: string) =>
    meanAveragePrecision(column([ranked]), column([truth]), { submission: rows, answers: rows }, 5);
  expect(score("w_1", "w_12 w_1")).toBe(0.5);
  expect(score("w_12", "w_1")).toBe(0);
});
