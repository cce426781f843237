import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readGroup } from "../../../src/trials/group/folder.ts";
import { FULL } from "../../full.ts";
import { type CliResult, mlebench, startMlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const COMPETITIONS = ["starter-births", "starter-spam"];

interface Summary {
  event: string;
  status: string;
  exitCode: number;
  report: string;
  sandbox: { kind: string; missing: { message: string } | null };
  groups: { agent: string; folder: string }[];
  competitions: {
    competitionId: string;
    scores: Record<string, number | null>;
    state: string;
    field: string | null;
    seconds: number;
  }[];
  deviations: Record<string, string[]>;
  ungraded: unknown[];
  verified: { verdict: string }[];
}

function eventsOf({ stdout }: CliResult): Record<string, unknown>[] {
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function demo(folder: string, args: readonly string[] = [], env: Record<string, string> = {}): CliResult {
  return mlebench(["demo", "--quick", "-c", ...COMPETITIONS, "--dir", folder, ...args], env);
}

describe("mlebench demo", () => {
  const folder = temporaryFolder();
  let first: Summary;

  test("prepares, runs both agents, grades, verifies and writes a page", () => {
    const result = demo(folder, ["--json"]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const events = eventsOf(result);
    expect(events.flatMap(({ event, step }) => (event === "step" ? [step] : []))).toEqual([
      ...["prepare", "sandbox", "run", "run", "grade", "verify", "report"],
    ]);
    first = events.at(-1) as unknown as Summary;
    expect(first).toMatchObject({
      event: "summary",
      schema: "mlebench/demo",
      version: 1,
      status: "shown",
      exitCode: 0,
      ungraded: [],
      groups: [{ agent: "sample" }, { agent: "baseline" }],
    });
    expect(first.competitions.map(({ competitionId }) => competitionId)).toEqual(COMPETITIONS);
    for (const { scores, seconds } of first.competitions) {
      expect(scores).toEqual({ sample: expect.any(Number), baseline: expect.any(Number) });
      expect(seconds).toBeGreaterThan(0);
    }
    // Two groups and four trials.
    expect(first.verified.map(({ verdict }) => verdict)).toEqual(Array(6).fill("consistent, but unsigned"));
    expect(first.deviations.baseline).toContain("time limit 7 s instead of 24 h");
  });

  test("the page shows both agents, every part of a report, and how the set-up deviates", () => {
    expect(first.report).toBe(path.join(folder, "report.html"));
    const page = fs.readFileSync(first.report, "utf8");
    for (const part of [
      "headline",
      "comparison",
      "grid",
      "time",
      "resources",
      "failures",
      "method",
      "missing",
    ])
      expect(page).toContain(`id="${part}"`);
    for (const agent of ["sample", "baseline"]) expect(page).toContain(`<bdi>${agent}</bdi>`);
    expect(page).toContain("time limit 7 s instead of 24 h");
    const boards = first.competitions.filter(({ field }) => field !== null);
    if (boards.length > 0) expect(page).toContain("Medals are against the starter field.");
    expect(page).not.toContain("Kaggle");
  });

  test.runIf(FULL)(
    "again in the same folder: the data are kept, the run groups are new, the page is of the last",
    () => {
      const before = fs.readFileSync(path.join(first.groups[0].folder, "metadata.json"), "utf8");
      const result = demo(folder);
      expect(result.code).toBe(0);
      expect(result.stderr).not.toContain("preparing");
      const table = result.stdout.split("\n").filter((line) => /^(starter-…|births|spam) /.test(line));
      expect(table).toHaveLength(3);
      for (const line of result.stdout.split("\n").slice(0, 15)) expect(line.length).toBeLessThanOrEqual(80);
      expect(result.stdout).toContain("Deviations from the canonical set-up:");
      expect(result.stdout).toMatch(/open it: {2}\S+ .*report\.html/);
      expect(fs.readdirSync(path.join(folder, "runs"))).toHaveLength(4);
      expect(fs.readFileSync(path.join(first.groups[0].folder, "metadata.json"), "utf8")).toBe(before);
    },
  );

  test("data of an earlier state of a task are prepared anew", () => {
    const id = "starter-births";
    const data = path.join(folder, "data");
    const file = path.join(data, id, "prepare.json");
    fs.writeFileSync(
      file,
      fs.readFileSync(file, "utf8").replace(/"reference": "\w+"/, '"reference": "earlier"'),
    );
    const outcome = (result: CliResult) => (eventsOf(result).at(-1) as { outcomes: object[] }).outcomes;
    const prepare = () => mlebench(["prepare", "-c", id, "--data-dir", data, "--json"]);
    expect(outcome(prepare())).toMatchObject([{ status: "ready" }]);
    expect(outcome(prepare())).toMatchObject([{ status: "already-prepared" }]);
  });

  test("a competition outside the starter suite is refused with the command that lists them", () => {
    const result = mlebench(["demo", "-c", "leaf-classification", "--dir", folder]);
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toContain("mlebench list --split starter");
  });

  test.runIf(FULL)(
    "interrupted, it leaves groups that can be resumed, an old page untouched, and says 130",
    async () => {
      const other = temporaryFolder();
      const page = writeText(other, "report.html", "of an earlier demo");
      const child = startMlebench(["demo", "--quick", "-c", "starter-spam", "--dir", other, "--json"]);
      let output = "";
      let stopped = false;
      child.stdout!.on("data", (chunk) => {
        output += chunk;
        if (stopped || !/"step":"run","agent":"baseline"[^\n]*\n[^\n]*"event":"start"/.test(output)) return;
        stopped = true;
        child.kill("SIGINT");
      });
      const [code] = await once(child, "exit");
      expect(code).toBe(130);
      expect(JSON.parse(output.trim().split("\n").at(-1)!)).toMatchObject({
        status: "interrupted",
        exitCode: 130,
      });
      expect(fs.readFileSync(page, "utf8")).toBe("of an earlier demo");
      const runs = path.join(other, "runs");
      const groups = fs.readdirSync(runs).map((name) => path.join(runs, name));
      expect(groups.map((group) => readGroup(group)?.settings.agentId).sort()).toEqual([
        "baseline",
        "sample",
      ]);
      const unfinished = groups.find((group) => group.endsWith("_baseline"))!;
      expect(mlebench(["resume", unfinished]).code).toBe(0);
      const left = fs.readdirSync(other, { recursive: true, encoding: "utf8" });
      expect(left.filter((name) => /\.partial|\.tmp|\.lock$/.test(name))).toEqual([]);
    },
  );
});

describe("a machine on which no sandbox works", () => {
  test("runs the demo as plain processes, says what is missing, and how to get it", () => {
    const folder = temporaryFolder();
    // As on a machine that forbids user namespaces.
    const refusing = writeText(
      folder,
      "bin/bwrap",
      "#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n",
    );
    fs.chmodSync(refusing, 0o755);
    const result = mlebench(["demo", "--quick", "-c", "starter-spam", "--dir", folder], {
      PATH: `${path.dirname(refusing)}${path.delimiter}${process.env.PATH}`,
    });
    expect(result.stderr).toContain("No sandbox: bubblewrap does not work here: ");
    expect(result.stderr).toContain("so they run as plain processes.");
    expect(result.stderr).toContain("sysctl kernel.");
    expect(result.stdout).toMatch(/^spam .*\d/m);
    expect(result.code).toBe(0);
  });
});
