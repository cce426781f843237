import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { PrepareOutcome } from "../../../src/data/prepare/outcome.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { prepare, rawZip, recordedTree, treeOf, withoutDescription } from "./golden-raw.ts";

const LEAF = "leaf-classification";
const SPOOKY = "spooky-author-identification";
const PIZZA = "random-acts-of-pizza";

function leaf(data: string, ...more: string[]) {
  return prepare(["-c", LEAF, "--raw", rawZip(LEAF), "--data-dir", data, ...more]);
}

describe("a competition prepared from an archive", () => {
  it.each([LEAF, SPOOKY, "aerial-cactus-identification"])(
    "%s has the files that the original makes",
    (id) => {
      const data = temporaryFolder();
      const { code, outcomes } = prepare([
        "-c",
        id,
        "--raw",
        rawZip(id),
        "--data-dir",
        data,
        "--skip-verification",
      ]);
      expect(code).toBe(0);
      expect(outcomes).toMatchObject([{ status: "ready", verification: "skipped", official: false }]);
      PrepareOutcome.parse(outcomes[0]);
      const tree = treeOf(path.join(data, id, "prepared"));
      expect(tree).toMatchObject(recordedTree(id));
      expect(tree["public/description.md"]).toBeDefined();
      expect(fs.readdirSync(path.join(data, id)).sort()).toEqual(["prepare.json", "prepared"]);
    },
  );

  it("is not prepared a second time, and not even its raw data is looked for", () => {
    const data = temporaryFolder();
    leaf(data, "--skip-verification");
    const again = prepare(["-c", LEAF, "--data-dir", data]);
    expect(again.code).toBe(0);
    expect(again.outcomes).toMatchObject([{ status: "already-prepared", verification: "skipped" }]);
  });

  it("is prepared anew when a file has another size since", () => {
    const data = temporaryFolder();
    leaf(data, "--skip-verification");
    const train = path.join(data, LEAF, "prepared/public/train.csv");
    const before = fs.readFileSync(train);
    fs.appendFileSync(train, "x\n");
    const again = leaf(data, "--skip-verification");
    expect(again.notes.join()).toContain("public/train.csv had");
    expect(again.outcomes).toMatchObject([{ status: "ready" }]);
    expect(fs.readFileSync(train)).toEqual(before);
  });

  it("keeps what was unpacked when asked to", () => {
    const data = temporaryFolder();
    leaf(data, "--skip-verification", "--keep-raw");
    expect(fs.existsSync(path.join(data, LEAF, "raw/train.csv.zip"))).toBe(true);
  });

  it("gets the official description once it was imported", () => {
    const data = temporaryFolder();
    writeText(data, `${LEAF}/description.md`, "the official words\n");
    leaf(data, "--skip-verification");
    const placed = path.join(data, LEAF, "prepared/public/description.md");
    expect(fs.readFileSync(placed, "utf8")).toBe("the official words\n");
  });
});

describe("a folder with raw data", () => {
  it("is used where it is and left as it was", () => {
    const data = temporaryFolder();
    leaf(data, "--skip-verification", "--keep-raw");
    const raw = path.join(data, LEAF, "raw");
    const before = treeOf(raw);
    const other = temporaryFolder();
    const { outcomes } = prepare(["-c", LEAF, "--raw", raw, "--data-dir", other, "--skip-verification"]);
    expect(outcomes).toMatchObject([{ status: "ready" }]);
    expect(treeOf(raw)).toEqual(before);
    expect(treeOf(path.join(other, LEAF, "prepared"))).toEqual(treeOf(path.join(data, LEAF, "prepared")));
  });

  it("may hold many competitions, and one that fails stops no other", () => {
    const raw = temporaryFolder();
    for (const id of [LEAF, SPOOKY]) fs.copyFileSync(rawZip(id), path.join(raw, `${id}.zip`));
    fs.writeFileSync(path.join(raw, `${PIZZA}.zip`), fs.readFileSync(rawZip(PIZZA)).subarray(0, 1000));
    const data = temporaryFolder();
    const ids = [PIZZA, LEAF, "no-such-competition", SPOOKY];
    const run = prepare([
      "-c",
      ...ids,
      "--raw",
      raw,
      "--data-dir",
      data,
      "--skip-verification",
      "--jobs",
      "3",
    ]);
    expect(run.code).toBe(1);
    const states = new Map(run.outcomes.map((outcome) => [outcome.competitionId, outcome]));
    expect(states.get(LEAF)).toMatchObject({ status: "ready" });
    expect(states.get(SPOOKY)).toMatchObject({ status: "ready" });
    expect(states.get(PIZZA)).toMatchObject({ status: "failed", stage: "extract", code: "TRUNCATED" });
    expect(states.get("no-such-competition")).toMatchObject({ code: "UNKNOWN_COMPETITION", blame: "user" });
    expect(fs.readdirSync(path.join(data, PIZZA))).toEqual([]);
  });

  it("that lacks a file is named with what to do", () => {
    const raw = temporaryFolder();
    writeText(raw, "something.csv", "a\n");
    const data = temporaryFolder();
    const { code, outcomes } = prepare(["-c", LEAF, "--raw", raw, "--data-dir", data]);
    expect(code).toBe(3);
    expect(outcomes).toMatchObject([{ status: "failed", code: "RAW_FILE_MISSING", retryable: false }]);
    expect(String(outcomes[0].message)).toContain("train.csv.zip");
  });
});

describe("checksums", () => {
  it("of the original that do not match are a failure that says what differs, and nothing counts as prepared", () => {
    const data = temporaryFolder();
    const { code, outcomes } = leaf(data);
    expect(code).toBe(3);
    expect(outcomes).toMatchObject([{ status: "failed", stage: "verify", code: "CHECKSUMS_DIFFER" }]);
    const { checks } = PrepareOutcome.parse(outcomes[0]);
    expect(checks.map(({ status }) => status)).toEqual(["different", "different", "different", "different"]);
    expect(checks.find(({ file }) => file === "public/train.csv")?.explanation.join(" ")).toMatch(
      /30 rows and 194 columns/,
    );
    expect(fs.readdirSync(path.join(data, LEAF))).toEqual(["prepared.differs"]);
  });

  it("of the user's own take precedence and stay in the data folder", () => {
    const data = temporaryFolder();
    expect(leaf(data, "--overwrite-checksums").outcomes).toMatchObject([{ verification: "matches-own" }]);
    expect(fs.existsSync(path.join(data, LEAF, "checksums.json"))).toBe(true);
    fs.rmSync(path.join(data, LEAF, "prepared"), { recursive: true });
    const again = leaf(data);
    expect(again.code).toBe(0);
    expect(again.outcomes).toMatchObject([{ status: "ready", verification: "matches-own", official: false }]);
  });

  it("that match no more show rows, columns and the first differing line against the earlier version", () => {
    const data = temporaryFolder();
    leaf(data, "--overwrite-checksums");
    const folder = path.join(data, LEAF);
    const train = path.join(folder, "prepared/public/train.csv");
    const lines = fs.readFileSync(train, "utf8").split("\n");
    lines[2] = lines[2].replace(/^\d+/, "77777");
    fs.writeFileSync(train, [...lines.slice(0, -1), "1", ""].join("\n").replace("species", "kind"));
    fs.writeFileSync(
      path.join(folder, "checksums.json"),
      fs.readFileSync(path.join(folder, "checksums.json"), "utf8").replace(/("train.csv": ")\w{4}/, "$10000"),
    );
    const { outcomes } = leaf(data);
    const { checks } = PrepareOutcome.parse(outcomes[0]);
    const explanation = checks.find(({ file }) => file === "public/train.csv")?.explanation.join("\n");
    expect(explanation).toContain("It has 30 rows and 194 columns");
    expect(explanation).toContain("your earlier version has 31 rows");
    expect(explanation).toContain("Columns missing here: kind.");
    expect(explanation).toContain("The first differing line is 1");
    expect(fs.existsSync(path.join(folder, "prepared"))).toBe(true);
  });

  it("of data that the original has prepared are compared once and recorded", () => {
    const data = temporaryFolder();
    leaf(data, "--overwrite-checksums");
    fs.rmSync(path.join(data, LEAF, "prepare.json"));
    expect(prepare(["-c", LEAF, "--data-dir", data]).outcomes).toMatchObject([
      { status: "already-prepared", verification: "matches-own" },
    ]);
    fs.rmSync(path.join(data, LEAF, "checksums.json"));
    fs.rmSync(path.join(data, LEAF, "prepare.json"));
    const differs = prepare(["-c", LEAF, "--data-dir", data]);
    expect(differs.code).toBe(1);
    expect(differs.outcomes).toMatchObject([
      { status: "already-prepared", verification: "differs", official: false },
    ]);
  });
});

describe("--set", () => {
  it("changes a constant, is recorded, and makes the result unofficial", () => {
    const data = temporaryFolder();
    const { outcomes } = leaf(data, "--set", "test_size=0.5");
    expect(outcomes).toMatchObject([
      { status: "ready", settings: { test_size: 0.5 }, official: false, verification: "not-comparable" },
    ]);
    const test = fs.readFileSync(path.join(data, LEAF, "prepared/private/test.csv"), "utf8");
    expect(test.trimEnd().split("\n")).toHaveLength(1 + 17);
    const plain = mlebench(["prepare", "-c", LEAF, "--data-dir", data, "--set", "test_size=0.5"]);
    expect(plain.stdout).toContain("not official: prepared with test_size=0.5");
  });

  it("to another value prepares again, so that experiments are never taken for the task itself", () => {
    const data = temporaryFolder();
    leaf(data, "--set", "test_size=0.5");
    const { outcomes, notes } = leaf(data, "--skip-verification");
    expect(notes.join()).toContain("other settings");
    expect(outcomes).toMatchObject([{ status: "ready", settings: {} }]);
    expect(withoutDescription(treeOf(path.join(data, LEAF, "prepared")))).toMatchObject(recordedTree(LEAF));
  });

  it("of a constant that does not exist is refused with those that do", () => {
    const { code, outcomes } = leaf(temporaryFolder(), "--set", "colour=red");
    expect(code).toBe(3);
    expect(outcomes).toMatchObject([
      { code: "BAD_SETTING", nextStep: expect.stringContaining("test_size (0.1)") },
    ]);
  });
});

describe("version v2", () => {
  it("lies beside v1, and grading reads the version it was asked for", () => {
    const data = temporaryFolder();
    const options = ["-c", PIZZA, "--raw", rawZip(PIZZA), "--data-dir", data, "--skip-verification"];
    expect(prepare([...options, "--competition-version", "v2"]).outcomes).toMatchObject([
      { status: "ready", competitionVersion: "v2", official: false },
    ]);
    expect(fs.readdirSync(path.join(data, PIZZA)).sort()).toEqual(["prepare.json", "prepared-v2"]);
    const sample = path.join(data, PIZZA, "prepared-v2/public/sampleSubmission.csv");
    const grade = (...more: string[]) =>
      mlebench(["grade-sample", sample, PIZZA, "--data-dir", data, "--json", ...more]);
    expect(JSON.parse(grade().stdout)).toMatchObject({ status: "unprepared", competition_version: "v1" });
    expect(JSON.parse(grade("--competition-version", "v2").stdout)).toMatchObject({
      status: "scored",
      competition_version: "v2",
    });
    expect(fs.readFileSync(path.join(data, PIZZA, "prepared-v2/public/train.json"), "utf8")).not.toContain(
      "giver",
    );
  });

  it("of a competition without one is refused by prepare and by grading", () => {
    const data = temporaryFolder();
    expect(leaf(data, "--competition-version", "v2").outcomes).toMatchObject([{ code: "NO_SUCH_VERSION" }]);
    leaf(data, "--skip-verification");
    const sample = path.join(data, LEAF, "prepared/public/sample_submission.csv");
    const graded = mlebench([
      "grade-sample",
      sample,
      LEAF,
      "--data-dir",
      data,
      "--competition-version",
      "v2",
    ]);
    expect(graded.code).toBe(3);
    expect(graded.stderr).toContain("has no version v2");
  });
});

describe("what was typed wrongly", () => {
  it.each([
    [["prepare"], "NO_COMPETITION"],
    [["prepare", "--split", "no-such-split"], "NO_COMPETITION"],
    [["prepare", "-c", LEAF, SPOOKY, "--raw", rawZip(LEAF)], "ONE_ARCHIVE"],
    [["prepare", "-c", LEAF, "--set", "nonsense"], "key=value"],
    [["prepare", "-c", "leaf-clasification"], "leaf-classification"],
  ])("%j leaves with 2 and says how to go on", (args, words) => {
    const { code, stderr } = mlebench([...args, "--data-dir", temporaryFolder()]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });

  it("help lists the ids and an example", () => {
    const { code, stdout } = mlebench(["prepare", "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("$ mlebench prepare -c");
    expect(stdout).toContain("  whale-categorization-playground");
  });

  it("a raw path with nothing there, or no archive, is named", () => {
    const data = temporaryFolder();
    const text = writeText(data, "notes.txt", "no archive");
    expect(prepare(["-c", LEAF, "--raw", "/no/such", "--data-dir", data]).outcomes).toMatchObject([
      { code: "NO_RAW_DATA" },
    ]);
    expect(prepare(["-c", LEAF, "--raw", text, "--data-dir", data]).outcomes).toMatchObject([
      { code: "NO_RAW_DATA" },
    ]);
  });
});
