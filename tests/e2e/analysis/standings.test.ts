import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import published from "../../../src/analysis/standings/published.json" with { type: "json" };
import type { StandingsRow } from "../../../src/analysis/standings/schema.ts";
import splits from "../../../src/competitions/splits.json" with { type: "json" };
import { createKey } from "../../../src/trials/certificate/signing.ts";
import { type CliResult, json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { runScript } from "../trials/setting.ts";
import { PUBLISHED_ROWS, writePublishedRow } from "./published-rows.ts";
import { writeOriginalReport } from "./synthetic-group.ts";

const root = temporaryFolder();

/** Three seeds over all 75: gold on every competition of `low`, and in seed 0 on the first of `high`. */
const reports = [0, 1, 2].map((seed) =>
  writeOriginalReport(
    path.join(root, `${seed}_grading_report.json`),
    splits.split75.map((competitionId) => ({
      competitionId,
      seed,
      medal:
        splits.low.includes(competitionId) || (seed === 0 && competitionId === splits.high[0])
          ? "gold"
          : null,
    })),
  ),
);

const DISCLOSURE = {
  agent: "mine | <b>bold</b>",
  models: "model, one",
  reports: reports.map((file) => path.basename(file)),
  date: "2026-03-01",
  hours: 24,
  cpus: 36,
  memoryGiB: 440,
  gpus: "one 24 GB A10",
  internet: false,
  externalKnowledge: "papers",
  testSetFeedback: false,
  sourceAvailable: true,
  source: "https://example.org/mine",
};
const disclosure = writeText(root, "mine.yaml", JSON.stringify(DISCLOSURE));

function rows(result: CliResult): StandingsRow[] {
  return (json(result) as { rows: StandingsRow[] }).rows;
}

describe("a disclosed experiment", () => {
  test("has its medals by split as the original computes them, and every disclosure in its row", () => {
    const [row, ...others] = rows(mlebench(["standings", disclosure, "--no-published", "--json"]));
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      agent: DISCLOSURE.agent,
      low: { mean: 100, sem: 0 },
      medium: { mean: 0, sem: 0 },
      high: { mean: expect.closeTo(100 / 45, 10), sem: expect.closeTo(100 / 45, 10) },
      all: { mean: expect.closeTo((100 * 67) / 225, 10) },
      hours: [24],
      hardware: "36 vCPU, 440 GiB, one 24 GB A10",
      seeds: 3,
      internet: false,
      externalKnowledge: "papers",
      testSetFeedback: false,
      artefacts: null,
      competitionVersion: "v1",
      deviations: [],
      comparable: true,
      trust: "declared",
      trustReason: "a grading report alone",
    });
  });

  test("stands among the rows of the published leaderboard, best first, what is not comparable below", () => {
    const all = rows(mlebench(["standings", disclosure, "--json"]));
    expect(all).toHaveLength(published.length + 1);
    const comparable = all.filter((row) => row.comparable);
    expect(all.slice(0, comparable.length)).toEqual(comparable);
    const means = comparable.map((row) => row.all!.mean);
    expect(means).toEqual(means.toSorted((a, b) => b - a));
    expect(all.filter((row) => !row.comparable).map(({ agent }) => agent)).toEqual(["Disarray", "LoongFlow"]);
    expect(all.find(({ agent, models }) => agent === "AIDE" && models === "o1-preview")).toMatchObject({
      all: { mean: 17.12, sem: 0.61 },
      trust: "declared",
      published: true,
    });
  });

  test("with feedback from the test set is not comparable", () => {
    const file = writeText(root, "told.yaml", JSON.stringify({ ...DISCLOSURE, testSetFeedback: true }));
    const [row] = rows(mlebench(["standings", file, "--no-published", "--json"]));
    expect(row).toMatchObject({ comparable: false, testSetFeedback: true });
  });

  test("missing competitions leave a split open, and count as failed when it is padded", () => {
    const partial = writeOriginalReport(
      path.join(root, "partial_grading_report.json"),
      splits.low.slice(1).map((competitionId) => ({ competitionId, seed: 0, medal: "gold" })),
    );
    const [open] = rows(mlebench(["standings", partial, "--no-published", "--json"]));
    expect(open).toMatchObject({ low: null, all: null, covered: { mean: 100, competitions: 21 }, seeds: 1 });
    expect(open.deviations).toContain("21 of the 75 competitions");
    const [padded] = rows(mlebench(["standings", partial, "--pad-missing", "--no-published", "--json"]));
    expect(padded).toMatchObject({ low: { mean: expect.closeTo(2100 / 22, 10) }, notes: ["padded"] });
  });
});

describe("formats", () => {
  test("Markdown keeps hostile names inside their cells", () => {
    const { stdout, code } = mlebench(["leaderboard", disclosure, "--format", "markdown"]);
    expect(code).toBe(0);
    const lines = stdout.split("\n").filter((line) => line.startsWith("|"));
    expect(lines).toHaveLength(published.length + 3);
    const cells = lines.map((line) => line.replaceAll("\\|", "").split("|").length);
    expect(new Set(cells).size).toBe(1);
    expect(stdout).not.toContain("<b>");
  });

  test("CSV has a line a row, with numbers in columns of their own", () => {
    const { stdout } = mlebench(["standings", disclosure, "--no-published", "--format", "csv"]);
    const [header, line, end] = stdout.split("\r\n");
    expect(header).toContain("low_mean,low_sem,medium_mean");
    expect(line).toMatch(/^100,0,0,0,/);
    expect(line).toContain('"model, one"');
    expect(end).toBe("");
  });

  test("HTML is one file that loads nothing and escapes what it shows", () => {
    const output = path.join(root, "standings.html");
    expect(mlebench(["standings", disclosure, "--format", "html", "--output", output]).code).toBe(0);
    const page = fs.readFileSync(output, "utf8");
    expect(page).toContain("mine | &lt;b&gt;bold&lt;/b&gt;");
    expect(page).not.toContain("<b>bold</b>");
    expect(page).not.toMatch(/<script [^>]|<link [^>]*href="(?!data:)|@import|url\(/);
    // Nothing but its own two scripts may run, and nothing may be loaded.
    expect(page).toMatch(
      /default-src 'none'; script-src 'sha256-\S+' 'sha256-\S+'; style-src 'unsafe-inline'/,
    );
    expect(page.match(/<tr class="(own|published)"/g)).toHaveLength(published.length + 1);
  });

  test("the terminal shows the table, and below it trust and deviations of one's own rows", () => {
    const { stdout } = mlebench(["standings", disclosure]);
    for (const part of [
      "Famou-Agent 2.0",
      "100.00 ± 0.00",
      "declared: a grading report alone",
      "deviations: none",
    ])
      expect(stdout).toContain(part);
  });
});

describe("run groups", () => {
  let folder: string;
  let dataDir: string;
  const keys = path.join(root, "keys");
  const submit = 'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"';
  beforeAll(async () => {
    const ran = await runScript(submit);
    folder = ran.folder;
    dataDir = path.join(path.dirname(folder), "../data");
    expect(mlebench(["grade", folder]).code).toBe(0);
  });

  const row = (...args: string[]) =>
    rows(mlebench(["standings", folder, "--no-published", "--json", ...args]))[0];

  test("are recomputed where the answers are at hand, and the record says how they were run", () => {
    expect(row("--data-dir", dataDir)).toMatchObject({
      agent: "scripted",
      trust: "recomputed",
      trustReason: "1 of 1 grades worked out again, 0 more attested, unsigned",
      hardware: "1 vCPU, 1 GiB, no GPU",
      externalKnowledge: false,
      seeds: 1,
    });
  });

  test("are attested where a signature covers them, by the key that counts", async () => {
    for (const name of ["mine", "other"]) createKey(keys, name);
    const { folder: signed } = await runScript(submit, { signingKey: path.join(keys, "mine.key") });
    expect(mlebench(["grade", signed]).code).toBe(0);
    const elsewhere = ["--no-published", "--json", "--data-dir", path.join(root, "nowhere")];
    const trust = (...args: string[]) =>
      rows(mlebench(["standings", signed, ...elsewhere, ...args]))[0].trust;
    expect(trust("--key", path.join(keys, "mine.pub"))).toBe("attested");
    expect(trust("--key", path.join(keys, "other.pub"))).toBe("broken");
  });

  test("are declared where they are not, and without a look at the certificates", () => {
    expect(row("--data-dir", path.join(root, "nowhere")).trust).toBe("declared");
    expect(row("--no-verify")).toMatchObject({ trust: "declared", trustReason: "not verified" });
  });

  test("a disclosure that contradicts the record is noted, and the record counts", () => {
    const file = writeText(root, "said.yaml", JSON.stringify({ agent: "said", reports: [folder], cpus: 36 }));
    const [said] = rows(mlebench(["standings", file, "--no-published", "--no-verify", "--json"]));
    expect(said.notes).toContain("cpus: said 36, the record says 1");
    expect(said.deviations).toContain("processors 1 vCPU instead of 36 vCPU");
  });

  test("a report with a medal that no certificate knows is broken, and leaves with 1", () => {
    const copy = path.join(root, "forged");
    fs.cpSync(folder, copy, { recursive: true });
    const name = fs.readdirSync(copy).find((file) => file.endsWith("grading_report.json"))!;
    const text = fs.readFileSync(path.join(copy, name), "utf8");
    fs.writeFileSync(path.join(copy, name), text.replaceAll('"gold_medal": false', '"gold_medal": true'));
    // Without the group's seal only the trial's certificate can contradict it.
    for (const sealed of [true, false]) {
      if (!sealed) fs.rmSync(path.join(copy, "certificate.json"));
      const result = mlebench(["standings", copy, "--no-published", "--json"]);
      expect([result.code, result.stderr]).toEqual([1, expect.stringContaining("BROKEN")]);
      expect(rows(result)[0]).toMatchObject({ trust: "broken", comparable: false });
    }
  });
});

test("a row like one of the published table comes out of its reports to the last digit", () => {
  const groups = writePublishedRow(path.join(root, "published-row"), PUBLISHED_ROWS[0]);
  const { stdout } = mlebench(["standings", groups.join(","), "--no-published", "--format", "markdown"]);
  expect(stdout).toContain(`| ${PUBLISHED_ROWS[0].expected.join(" | ")} |`);
});

test.each([
  ["a place that is not there", ["nowhere"], "There is no run group"],
  ["a disclosure that is not there", ["nowhere.yaml"], "does not exist"],
  ["a disclosure without an agent", [writeText(root, "a.yaml", "reports: [x]")], "agent"],
  ["a misspelled key", [writeText(root, "b.yaml", "agent: a\nreports: [x]\nhour: 3")], "hour"],
  ["broken YAML", [writeText(root, "c.yaml", "agent: [")], "cannot be read"],
  ["a key that is none", [disclosure, "--key", disclosure], "not a public key"],
])("%s is refused with what is wrong", (_, args, message) => {
  const result = mlebench(["standings", ...args]);
  expect([result.code, result.stdout, result.stderr]).toEqual([2, "", expect.stringContaining(message)]);
});
