// full: a dozen commands on groups that were damaged by hand
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { groupOverview } from "../../../src/analysis/overview/group-overview.ts";
import { factsOf } from "../../../src/analysis/overview/trial-facts.ts";
import { writeFindings } from "../../../src/integrity/findings/write.ts";
import { noTotals } from "../../../src/models/ledger/totals.ts";
import { writeGroup } from "../analysis/synthetic-group.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const ID = "spooky-author-identification";
const TRIAL = `${ID}_0-0`;

function scene() {
  const runsDir = path.join(temporaryFolder(), "runs");
  const group = writeGroup(path.join(runsDir, "g"), [{ competitionId: ID, seed: 0, medal: "gold" }]);
  const runs = ["--runs-dir", runsDir];
  return { group, runsDir, runs, run: (...args: string[]) => mlebench([...args, ...runs]) };
}

/** As a trial of a simulated model is recorded. */
function simulate(group: string): void {
  const file = path.join(group, TRIAL, "trial.json");
  const role = { role: "default", name: "simulated:steady", id: "m", price: null, priceSource: null };
  const modelAccess = {
    roles: [{ ...role, languageModel: false }],
    limits: { trial: {}, group: {} },
    providerTools: "refused",
    providerToolsRefused: {},
    transcripts: "full",
  };
  const trial = JSON.parse(fs.readFileSync(file, "utf8"));
  fs.writeFileSync(file, JSON.stringify({ ...trial, modelAccess, modelTotals: noTotals() }));
}

const LATER = '{"schema":"mlebench/run-group","version":9,"mlebenchVersion":"9.0.0"}';

describe.each([
  ["newer", LATER, "mlebench 9.0.0 wrote it"],
  ["damaged", "{", "it is not JSON"],
])("a group whose plan is %s", (_, text, why) => {
  test("keeps the marks of its trials wherever it is shown, and says that its plan cannot be used", () => {
    const { group, runsDir, run } = scene();
    simulate(group);
    writeText(group, "group.json", text);
    const { rows } = json(run("standings", "g", "--json", "--no-published")) as {
      rows: Record<string, unknown>[];
    };
    expect(rows[0]).toMatchObject({ languageModels: false, isolation: "process, never started" });
    expect(String(rows[0].notes)).toContain(why);
    const markdown = run("report", "g", "--format", "markdown").stdout;
    expect(markdown).toContain("not a language model's result");
    expect(markdown).toContain(why);
    const [one] = (json(run("report", "g", "--json")) as { agents: { trials: unknown[] }[] }).agents;
    expect(one.trials[0]).toMatchObject({ id: TRIAL, isolation: "process, never started", modelCalls: 0 });
    const [cell] = groupOverview(runsDir, group)!.cells;
    expect(cell).toMatchObject({ id: TRIAL, state: "gold" });
    expect(factsOf(path.join(group, cell.id), null)?.languageModels).toBe(false);
    run("integrity", "decide", path.join(group, TRIAL), "--disqualify", "--why", "typed");
    expect(groupOverview(runsDir, group)!.cells[0].state).toBe("disqualified");
  });

  test("is not called finished by status, with records and without", () => {
    const { group, run } = scene();
    writeText(group, "group.json", text);
    const { stdout } = run("status", "g");
    expect(stdout.replace(/\s+/g, " ")).toContain(why);
    expect(stdout).toContain("1 trial left a record");
    fs.rmSync(path.join(group, TRIAL), { recursive: true });
    const bare = run("status", "g").stdout;
    expect(bare).toContain("its plan cannot be used");
    expect(bare).not.toMatch(/0 of 0|done/);
  });
});

test.each([
  ["cut short", (text: string) => text.slice(0, 40)],
  ["empty", () => ""],
  ["changed", (text: string) => text.replace('"disqualify"', '"keep"')],
])("decisions that are %s do not bring a medal back silently", (_, damage) => {
  const { group, run } = scene();
  run("integrity", "decide", ID, "--disqualify", "--why", "typed");
  expect(run("report", "g", "--format", "markdown").code).toBe(0);
  const file = path.join(group, "integrity/decisions.jsonl");
  fs.writeFileSync(file, damage(fs.readFileSync(file, "utf8")));
  const report = run("report", "g", "--format", "markdown");
  expect(report.code).toBe(1);
  expect(report.stdout).toMatch(/of its decisions|its decisions are empty/);
  expect(report.stdout).toContain("DOUBTFUL");
  for (const verify of [[], ["--no-verify"]]) {
    const standings = run("standings", "g", "--no-published", ...verify);
    expect(standings.code).toBe(1);
    expect(standings.stdout).toContain("a medal may have been disqualified");
  }
  const shown = run("integrity", "show", "g");
  expect(shown.code).toBe(1);
  expect(shown.stdout.split("\n")[0]).toContain("g: DAMAGED, ");
});

test("damaged findings are called that, and are kept when a check runs again", () => {
  const { group, run } = scene();
  for (const n of [1, 2]) {
    writeText(group, "integrity/findings.json", `{ damaged ${n}`);
    const shown = run("integrity", "show", "g");
    expect(shown.code).toBe(1);
    expect(shown.stdout.split("\n")[0]).toContain("DAMAGED, its findings cannot be used");
    expect(shown.stdout).not.toContain("nobody has looked");
    writeFindings(group, [{ check: "rules", trials: 1, notes: [], findings: [] }]);
    expect(fs.readFileSync(path.join(group, `integrity/findings.damaged-${n}.json`), "utf8")).toContain(
      `damaged ${n}`,
    );
    const after = run("integrity", "show", "g");
    expect(after.code).toBe(0);
    expect(after.stdout).toContain(`kept as findings.damaged-${n}.json`);
  }
});
