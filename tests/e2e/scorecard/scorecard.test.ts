import { createHash } from "node:crypto";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { json, mlebench } from "../cli.ts";
import { type Planted, plantGroup } from "../report/planted-group.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const ROOT = temporaryFolder();
let folders = 0;
const fresh = () => path.join(ROOT, String(folders++));

const COMPETITION = "spaceship-titanic";
const CODE = "print('hello')\n";
const CODE_HASH = createHash("sha256").update(CODE).digest("hex");
const ZEROS = "0".repeat(64);
const REPORT = `# Model\n${"Gradient boosting over folds. ".repeat(10)}\n\n# Features\nAll.\n\n# Validation\nFive folds.\n\n# Limitations\nFew.\n`;
const METRICS = { metric: "accuracy", value: 0.8, direction: "maximize", validation: { folds: 5 }, seed: 0 };

const RESULT = {
  seed: 0,
  runtime_seconds: 3850,
  peak_memory_mb: 16_000,
  artifacts: ["/home/submission/metrics.json", "/home/code/train.py"],
  tasks: [{ competition_id: COMPETITION, status: "completed" }],
  replay: {
    command: ["python", "train.py"],
    code_sha256: CODE_HASH,
    submission_sha256: ZEROS,
    environment: { python: "3.11", packages: ["numpy"], os: "linux", data_sha256: ZEROS },
  },
};

/** The worked example of the specification, as a trial. */
const EXAMPLE: Planted = {
  competitionId: COMPETITION,
  seed: 0,
  wallSeconds: 3847,
  peakMemoryBytes: 16_384 * 2 ** 20,
  grade: { percentile: 80, score: 0.805, above_median: true },
  stderr: `MLE_BENCH_LITE_RESULT=${JSON.stringify(RESULT)}\n`,
  files: {
    "submission/metrics.json": JSON.stringify(METRICS),
    "submission/report.md": REPORT,
    "code/train.py": CODE,
  },
};

interface Card {
  cards: {
    overall: number;
    band: string;
    formulasVersion: string;
    seeds: {
      dimensions: Record<string, number>;
      caps: string[];
      units: { flags: string[]; O: number[]; resultStatus: string; computed: number }[];
    }[];
  }[];
}

function score(trials: Planted[], ...args: string[]) {
  const group = plantGroup(fresh(), "agent", trials);
  const result = mlebench(["scorecard", group, "--json", ...args]);
  return { code: result.code, card: (json(result) as Card).cards[0] };
}

describe("mlebench scorecard", () => {
  test("the worked example gives 86.20 in the top band, with every dimension as stated", () => {
    const { code, card } = score([EXAMPLE]);
    expect(card.seeds[0].units[0].flags).toEqual([]);
    expect(card.seeds[0].dimensions).toEqual({
      quality: 80,
      efficiency: 97.98,
      reproducibility: 83.33,
      operations: 100,
    });
    expect(card).toMatchObject({ overall: 86.2, band: "top", formulasVersion: "clawbench-lite/1" });
    expect(code).toBe(0);
  });

  test("without the result line it is capped at 39.99 and says by which rule", () => {
    const { code, card } = score([{ ...EXAMPLE, stderr: "" }]);
    expect(card).toMatchObject({ overall: 39.99, band: "low" });
    expect(card.seeds[0].caps).toEqual([`${COMPETITION}: result line missing: at most 39.99`]);
    expect(card.seeds[0].units[0].computed).toBeCloseTo(67.7, 2);
    expect(code).toBe(1);
  });

  test("a wrong seed takes all reproducibility", () => {
    const stderr = EXAMPLE.stderr!.replace('"seed":0', '"seed":1');
    expect(score([{ ...EXAMPLE, stderr }]).card.seeds[0].dimensions.reproducibility).toBe(0);
  });

  test("a budget of its own is kept, and breaking it leaves no efficiency", () => {
    const request = {
      competitionIds: [COMPETITION],
      resourceBudgets: {
        maxRuntimeSeconds: 86_400,
        perCompetition: { [COMPETITION]: { maxRuntimeSeconds: 3000 } },
      },
    };
    const file = writeText(fresh(), "request.json", JSON.stringify(request));
    const { code, card } = score([EXAMPLE], "--request", file);
    expect(card.seeds[0].dimensions.efficiency).toBe(0);
    expect(card.seeds[0].units[0].O[1]).toBe(0);
    expect(code).toBe(1);
  });

  test("a task that was asked for and never tried counts as 0", () => {
    const request = { competitionIds: [COMPETITION, "leaf-classification"] };
    const file = writeText(fresh(), "request.json", JSON.stringify(request));
    expect(score([EXAMPLE], "--request", file).card.overall).toBe(43.1);
  });

  test("missing artifacts lower the score, and with --strict-artifacts leave nothing", () => {
    const files = { "code/train.py": CODE };
    const trial = { ...EXAMPLE, files };
    const graded = score([trial]).card;
    expect(graded.overall).toBeGreaterThan(60);
    expect(graded.overall).toBeLessThan(86.2);
    expect(score([trial], "--strict-artifacts").card.overall).toBe(0);
  });

  test("what the agent reports and the harness knows better lowers its honesty", () => {
    const stderr = EXAMPLE.stderr!.replace('"runtime_seconds":3850', '"runtime_seconds":10');
    const [unit] = score([{ ...EXAMPLE, stderr }]).card.seeds[0].units;
    expect(unit.O[4]).toBeCloseTo(0.8, 5);
    expect(unit.flags).toEqual(["not so: runtime as measured"]);
  });

  test("prints its formulas and inputs for people", () => {
    const group = plantGroup(fresh(), "agent", [EXAMPLE]);
    const { stdout } = mlebench(["scorecard", group]);
    for (const text of ["86.20", "0.04453", "0.03636", "0.55·quality", "3847 s measured, 3850 s reported"])
      expect(stdout).toContain(text);
  });

  test.each(["text", "markdown", "json"])(
    "says in %s how far the set-up was from the canonical one",
    (format) => {
      const group = plantGroup(fresh(), "agent", [EXAMPLE]);
      const { stdout } = mlebench(["scorecard", group, "--format", format]);
      expect(stdout).toContain("1 seed instead of at least 3");
    },
  );

  test("what does not exist is refused, and so is a folder that is not a group", () => {
    const absent = mlebench(["scorecard", path.join(ROOT, "absent")]);
    expect(absent.code).toBe(2);
    expect(absent.stderr).toContain("NO_GROUP");
    const { code, stderr } = mlebench(["scorecard", ROOT]);
    expect(code).toBe(2);
    expect(stderr).toContain("NO_TRIALS");
  });
});
