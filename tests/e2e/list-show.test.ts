import path from "node:path";
import { describe, expect, test } from "vitest";
import { FULL } from "../full.ts";
import { json, mlebench } from "./cli.ts";
import { goldenIds, layOutGoldenData } from "./golden-data.ts";
import { temporaryFolder, writeText } from "./temporary-folder.ts";

const LEAF = "leaf-classification";
const folder = temporaryFolder();
const dataDir = layOutGoldenData(path.join(folder, "data"), [LEAF]);

const COMMANDS = [...mlebench(["--help"]).stdout.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name);

describe("mlebench", () => {
  test("has the commands of the issue", () => {
    expect(COMMANDS).toEqual(expect.arrayContaining(["grade-sample", "grade", "validate", "list", "show"]));
  });

  test.each(COMMANDS.filter((name, i) => name !== "help" && (FULL || i % 4 === 0)))(
    "%s --help shows an example",
    (name) => {
      const { code, stdout } = mlebench([name, "--help"]);
      expect(code).toBe(0);
      expect(stdout).toContain(`$ mlebench ${name} `);
      expect(mlebench(["help", name]).stdout).toBe(stdout);
    },
  );

  test.each([
    ["an unknown command", ["garde"]],
    ["an unknown option", ["list", "--bogus"]],
    ["a missing argument", ["show"]],
    ["too many arguments", ["show", LEAF, LEAF]],
  ])("leaves with 2 for %s", (_, args) => {
    const { code, stderr } = mlebench(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error/);
  });

  test("prints no colour into a pipe, and does when it is forced", () => {
    const colour = String.fromCharCode(27);
    for (const args of [["list"], ["show", LEAF], ["show", "nothing"]]) {
      const { stdout, stderr } = mlebench(args);
      expect(stdout + stderr).not.toContain(colour);
    }
    expect(mlebench(["show", LEAF], { FORCE_COLOR: "1" }).stdout).toContain(colour);
  });

  test("tells its version", () => {
    expect(mlebench(["--version"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });
});

interface Listed {
  id: string;
  category: string;
  complexity: string;
  prepared: boolean;
}

describe("mlebench list", () => {
  const list = (...args: string[]) =>
    json(mlebench(["list", "--data-dir", dataDir, "--json", ...args])) as Listed[];

  test("lists the 82 competitions and the starter suite, and says which are prepared", () => {
    const all = list();
    const starter = list("--split", "starter").map(({ id }) => id);
    expect(all.map(({ id }) => id).toSorted()).toEqual([...goldenIds(), ...starter].toSorted());
    expect(all.filter(({ prepared }) => prepared).map(({ id }) => id)).toEqual([LEAF]);
  });

  test.each([
    ["low", 22],
    ["lite", 22],
    ["medium", 38],
    ["high", 15],
    ["split75", 75],
    ["all", 75],
    ["dev", 7],
    ["starter", 15],
  ])("knows the split %s", (split, count) => {
    expect(list("--split", split)).toHaveLength(count);
  });

  test("takes a text file of ids for a split", () => {
    const file = writeText(folder, "mine.txt", `# mine\n${LEAF}\n\nspaceship-titanic\n`);
    expect(
      list("--split", file)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([LEAF, "spaceship-titanic"]);
  });

  test("narrows to a category", () => {
    const audio = list("--category", "AUDIO");
    expect(audio.length).toBeGreaterThan(1);
    for (const { category } of audio) expect(category.toLowerCase()).toContain("audio");
  });

  test("has a sentence for a split that does not exist", () => {
    const { code, stderr } = mlebench(["list", "--split", "tiny"]);
    expect(code).toBe(2);
    expect(stderr).toContain('"tiny" is neither a split (');
  });

  test("prints one line a competition and a line of totals", () => {
    const { stdout } = mlebench(["list", "--split", "lite", "--data-dir", dataDir]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(24);
    expect(lines.at(-1)).toBe(`22 competitions, 1 prepared in ${dataDir}`);
  });
});

describe("mlebench show", () => {
  test("shows facts, thresholds, and whether the data is prepared", () => {
    const { code, stdout } = mlebench(["show", LEAF, "--data-dir", dataDir]);
    expect(code).toBe(0);
    for (const part of ["Leaf Classification", "gold 0", "1596 teams (kaggle)", "enough to grade"])
      expect(stdout).toContain(part);
    const other = mlebench(["show", "spooky-author-identification", "--data-dir", dataDir]);
    expect(other.stdout).toContain("mlebench prepare -c spooky-author-identification");
  });

  test("shows known defects", () => {
    expect(mlebench(["show", "random-acts-of-pizza"]).stdout).toContain("reveals the outcome");
  });

  test("gives the same as JSON", () => {
    const facts = json(mlebench(["show", LEAF, "--data-dir", dataDir, "--json"]));
    expect(facts).toMatchObject({
      id: LEAF,
      metric: { direction: "minimize" },
      leaderboard: { gold: 0, teams: 1596, crowded: expect.any(Boolean) },
      data: { canGrade: true, canRun: false },
    });
  });

  test("prints the description an agent gets", () => {
    expect(mlebench(["show", LEAF, "--description"]).stdout).toMatch(/^# Leaf Classification\n\n## Task/);
  });

  test("names the nearest competitions for an unknown id", () => {
    const { code, stderr, stdout } = mlebench(["show", "spooky"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("did you mean: spooky-author-identification");
  });
});
