import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCsvBytes } from "../../../../src/table/csv/reader.ts";
import { descriptionText } from "../../../../src/workflows/init/description.ts";
import { competitionModule, prepareModule } from "../../../../src/workflows/init/files.ts";
import { propose, slugOf, type Wishes } from "../../../../src/workflows/init/proposal.ts";
import type { Proposal } from "../../../../src/workflows/init/schema.ts";
import { orderWarnings, shellWord } from "../../../../src/workflows/init/trial.ts";
import { formatCells } from "../../../soak/mutations/cells.ts";

const WISHES: Wishes = {
  target: "t",
  metric: null,
  id: null,
  group: null,
  time: null,
  drop: [],
  testSize: 0.2,
  seed: 0,
};

function proposalOf(cells: string[][], wishes: Partial<Wishes> = {}) {
  const read = readCsvBytes(formatCells(cells));
  if (!read.ok) throw new Error(read.problem.message);
  const source = { file: "a.csv", bytes: 1, sha256: "", separator: "," as const, table: read.table };
  return { proposal: propose("mine", source, { ...WISHES, ...wishes }), table: read.table };
}

/** A target column beside a column that tells nothing. */
function withTarget(cell: (row: number) => string | number, rows = 100) {
  const lines = Array.from({ length: rows }, (_, row) => [String((row * 37) % 101), String(cell(row))]);
  return proposalOf([["x", "t"], ...lines]).proposal;
}

describe("what kind of target it is, and the metric for it", () => {
  it.each<[string, (row: number) => string | number, string, string]>([
    ["0 and 1", (row) => row % 2, "binary", "auc"],
    ["two words", (row) => (row % 3 ? "up" : "down"), "binary", "auc"],
    ["true and false", (row) => (row % 3 ? "True" : "False"), "binary", "auc"],
    ["three words", (row) => ["a", "b", "c"][row % 3], "classes", "log-loss"],
    ["few whole numbers", (row) => row % 5, "classes", "log-loss"],
    ["many words", (row) => `w${row % 20}`, "classes", "accuracy"],
    ["words too long for a column", (row) => "abc"[row % 3].repeat(50), "classes", "accuracy"],
    ["many whole numbers", (row) => row % 40, "number", "rmse"],
    ["numbers", (row) => Math.sin(row), "number", "rmse"],
    ["amounts over orders of magnitude", (row) => 10 ** (row / 20), "number", "rmsle"],
    ["numbers with one far away", (row) => (row === 50 ? -1e6 : row % 40), "number", "mae"],
  ])("%s", (_, cell, kind, metric) => {
    expect(withTarget(cell)).toMatchObject({ target: { kind }, metric: { metric } });
  });

  it.each<[string, [string, string], string]>([
    ["the one that says yes", ["no", "yes"], "yes"],
    ["the larger number", ["2", "1"], "2"],
    ["the rarer one", ["many", "few"], "few"],
  ])("of two classes, 1 is %s", (_, [common, rare], positive) => {
    expect(withTarget((row) => (row % 4 ? common : rare))).toMatchObject({ target: { positive } });
  });
});

describe("which column names the rows", () => {
  const ascending = (row: number) => row;
  const idOf = (name: string, cell: (row: number) => number, target: (row: number) => boolean) => {
    const rows = Array.from({ length: 90 }, (_, row) => [
      String(cell(row)),
      String(row % 7),
      target(row) ? "a" : "b",
    ]);
    return proposalOf([[name, "x", "t"], ...rows]).proposal as Proposal;
  };
  const scattered = (row: number) => Math.sin(row * row) > 0;

  it.each(["id", "ID", "house_id", "PassengerId", "customer id", ""])('finds "%s"', (name) => {
    const column = name === "" ? "Unnamed: 0" : name;
    expect(idOf(name, ascending, scattered).id).toMatchObject({ made: false, column });
  });

  it.each(["humid", "grid", "price"])('does not take "%s" for one', (name) => {
    expect(idOf(name, ascending, scattered).id).toMatchObject({ made: true, column: "row_id" });
  });

  it("leaves out one that is in the order of the target", () => {
    expect(idOf("id", ascending, (row) => row < 45)).toMatchObject({ id: { made: true }, dropped: ["id"] });
  });

  it("does not take one with repetitions", () => {
    expect(idOf("id", (row) => row % 50, scattered).id.made).toBe(true);
  });
});

describe("the files that are written", () => {
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });

  it("hold names of columns and classes as they are, whatever these are", () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 6, maxLength: 6 }), ([x, target, a, b, c, id]) => {
        const rows = Array.from({ length: 30 }, (_, row) => [
          String(row),
          `${(row * 7) % 30}`,
          [a, b, c][row % 3],
        ]);
        const { proposal, table } = proposalOf([[id, x, target], ...rows], { target });
        if ("code" in proposal) return;
        const { competition, preparer } = evaluated(proposal);
        expect(competition.columns.id).toEqual([proposal.id.column]);
        expect(preparer.target.column).toBe(proposal.target.column);
        expect(preparer.target).toMatchObject(
          proposal.metric.metric === "log-loss" ? { classes: proposal.target.classes } : {},
        );
        expect(descriptionText(proposal, table).match(/^## /gm)).toHaveLength(4);
      }),
    );
  });
});

/** Runs the two modules with stand-ins for what they import. */
function evaluated(proposal: Proposal) {
  const run = (text: string, name: string) => {
    const body = text.replace(/^import .*$/gm, "").replace(`export const ${name} =`, "return");
    const same = (value: unknown) => value;
    const names =
      "defineCompetition splitOwnTable binaryAuc binaryLogLoss labelAccuracy gradeKappa regression";
    const all = [...names.split(" "), "multiclassLogLoss", "isRoughlyOne", "rmse", "mae", "rmsle"];
    return new Function(...all, body)(...all.map(() => same));
  };
  return {
    competition: run(competitionModule(proposal), "competition") as { columns: { id: string[] } },
    preparer: run(prepareModule(proposal), "preparer") as { target: { column: string; classes?: string[] } },
  };
}

describe("names", () => {
  it("become ids of small letters, digits and dashes, or nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(slugOf(text)).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/);
      }),
    );
    expect(slugOf("Année_2024 (v2)")).toBe("annee-2024-v2");
  });

  it("are quoted for a shell where they must be", () => {
    expect(["plain", "two words", "it's"].map(shellWord)).toEqual(["plain", "'two words'", "'it'\\''s'"]);
  });
});

describe("the order of the three scores", () => {
  const scored = (score: number) => ({ status: "scored", score }) as const;
  const warned = (sample: number, baseline: number, perfect: number) =>
    orderWarnings(
      { sample: scored(sample), baseline: scored(baseline), perfect: scored(perfect) },
      perfect > 0 ? "maximize" : "minimize",
    ).join();

  it("is as it should be, or the task is trivial", () => {
    expect(warned(0.5, 0.8, 1)).toBe("");
    expect(warned(9, 3, 0)).toBe("");
    expect(warned(9, 0, 0)).toContain("perfect");
  });
});
