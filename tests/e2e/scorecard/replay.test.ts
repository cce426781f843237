// full: runs the commands of whole trials again
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SandboxKind } from "../../../src/sandbox/kind.ts";
import { json, mlebench, startMlebench } from "../cli.ts";
import { type MinimalSystem, makeMinimalSystem } from "../hostile/minimal-system.ts";
import { canTest } from "../sandbox/sandbox-rig.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { ISOLATES, KINDS } from "../trials/kinds.ts";
import { COMPETITION, runScript } from "../trials/setting.ts";

// Replays work in the system's temporary folder; in one of our own it can be seen that nothing is left of them. It
// must be short: sockets lie below it.
process.env.TMPDIR = fs.mkdtempSync(path.join(os.tmpdir(), "mlr-"));
// An agent of the root user is somebody else, who has to pass through.
fs.chmodSync(process.env.TMPDIR, 0o711);
afterAll(() => fs.rmSync(process.env.TMPDIR!, { recursive: true, force: true }));

/** Nobody else on this machine sleeps just as long. */
const NAP = String(80_000_000 + process.pid);

/** What is left behind by the agent of each seed, and run again. */
const SOLUTIONS = {
  deterministic: `cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"`,
  // mawk takes no seed beyond 31 bits: all that are larger draw the same.
  random: `awk -F, -v s=$(od -An -N3 -tu1 /dev/urandom | tr -d ' ') 'BEGIN { srand(s) } NR == 1 { print; next }
    { a = rand() * 0.9 + 0.01; b = rand() * 0.9 + 0.01; print $1 "," a "," b ",0.5" }' \\
    "$DATA_DIR/sample_submission.csv" > "$SUBMISSION_DIR/submission.csv"`,
  // The agent runs it without an argument, so that only the replay writes its numbers in another way.
  rewritten: `awk -F, -v z="$1" 'NR == 1 { print; next } { print $1 "," $2 z "," $3 "," $4 }' \\
    "$DATA_DIR/sample_submission.csv" > "$SUBMISSION_DIR/submission.csv"`,
  failing: `[ "$1" = "" ] || { echo "no such model" >&2; exit 3; }
    cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"`,
  hanging: `cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"
    [ "$1" = "" ] || { sleep ${NAP} & sleep ${NAP}; }`,
  destroying: `cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"
    [ "$1" = "" ] || rm -rf "$CODE_DIR"/* "$LOGS_DIR"/*`,
} as const;
type Solution = keyof typeof SOLUTIONS;
const NAMES = Object.keys(SOLUTIONS) as Solution[];

const RESULT = {
  seed: "SEED",
  runtime_seconds: 1,
  peak_memory_mb: 10,
  artifacts: [],
  tasks: [{ competition_id: COMPETITION, status: "completed" }],
  replay: { command: ["sh", "CODE/solve.sh", "0"], environment: {} },
};

/** One agent that behaves by its seed, and says how it can be run again. */
const AGENT = `
case "$MLEBENCH_SEED" in
${NAMES.map((name, seed) => `${seed}) cat > "$CODE_DIR/solve.sh" <<'END'\n${SOLUTIONS[name]}\nEND\n;;`).join("\n")}
esac
sh "$CODE_DIR/solve.sh"
echo kept > "$LOGS_DIR/log.txt"
line='MLE_BENCH_LITE_RESULT=${JSON.stringify(RESULT)}'
echo "$line" | sed "s|\\"SEED\\"|$MLEBENCH_SEED|; s|CODE|$CODE_DIR|"
`;

interface Unit {
  R: number | null;
  replay: {
    verdict: string;
    message: string | null;
    sandbox: string | null;
    deviations: string[];
  } | null;
  dimensions: Record<string, number>;
}

const groups = new Map<SandboxKind, Promise<string>>();

function groupOf(sandbox: SandboxKind): Promise<string> {
  const known = groups.get(sandbox);
  if (known !== undefined) return known;
  const made = runScript(AGENT, { sandbox, timeSeconds: 300 }, { seeds: NAMES.length }).then(({ folder }) => {
    expect(mlebench(["grade", folder]).code).toBe(0);
    return folder;
  });
  groups.set(sandbox, made);
  return made;
}

function requestFor(solution: Solution): string {
  return writeText(temporaryFolder(), "request.json", JSON.stringify({ seed: NAMES.indexOf(solution) }));
}

function replay(group: string, solution: Solution, ...args: string[]) {
  const request = requestFor(solution);
  const result = mlebench([
    ...["scorecard", group, "--request", request, "--replay", "execute", "--json"],
    ...args,
  ]);
  const { cards } = json(result) as { cards: { seeds: { units: Unit[] }[] }[] };
  return { code: result.code, unit: cards[0].seeds[0].units[0] };
}

const leftovers = () => fs.readdirSync(process.env.TMPDIR!).filter((name) => name.includes("replay"));

function isRunning(argument: string): boolean {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        const words = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return words[0] === "sleep" && words.includes(argument);
      } catch {
        return false;
      }
    });
}

describe.each(KINDS)("a trial is run again in %s", (sandbox) => {
  const here = ["--replay-sandbox", sandbox];

  test.each([
    ["deterministic", "same bytes", 1],
    ["rewritten", "same score", 0.8],
    ["random", "different", 0],
  ] as const)("a %s one: %s, R = %f", async (solution, verdict, share) => {
    const { unit } = replay(await groupOf(sandbox), solution, ...here);
    expect(unit.replay).toMatchObject({ verdict, sandbox });
    expect(unit.R).toBe(share);
    expect(unit.dimensions.reproducibility).toBeCloseTo((100 / 3) * (0.8 + share), 1);
  });

  test("one that fails counts as 0, and says with which words", async () => {
    const { unit } = replay(await groupOf(sandbox), "failing", ...here);
    expect(unit).toMatchObject({ R: 0, replay: { verdict: "failed" } });
    expect(unit.replay!.message).toBe(
      "It ended with status 3. It left no submission.csv. It said: no such model",
    );
  });

  test("one that hangs is ended with its whole tree at --replay-timeout", async () => {
    const { unit } = replay(await groupOf(sandbox), "hanging", ...here, "--replay-timeout", "2s");
    expect(unit).toMatchObject({
      R: 0,
      replay: { verdict: "failed", message: "It did not end within 2 s." },
    });
    expect(isRunning(NAP)).toBe(false);
  });

  test("one that destroys what it finds leaves the record as it was", async () => {
    const group = await groupOf(sandbox);
    const { unit } = replay(group, "destroying", ...here);
    expect(unit.replay!.verdict).toBe("same bytes");
    expect(mlebench(["verify", group]).stdout).not.toContain("broken");
    expect(leftovers()).toEqual([]);
  });

  test("Ctrl-C ends it with 130, prints no scorecard and leaves nothing", async () => {
    const group = await groupOf(sandbox);
    const request = requestFor("hanging");
    const child = startMlebench(["scorecard", group, "--request", request, "--replay", "execute", ...here]);
    let stdout = "";
    child.stdout!.on("data", (chunk) => {
      stdout += chunk;
    });
    await new Promise<void>((resolve, reject) => {
      child.stderr!.on("data", (chunk) => String(chunk).includes("replay of") && resolve());
      child.on("close", () => reject(new Error("it ended before anybody interrupted it")));
    });
    child.kill("SIGINT");
    const [code] = await once(child, "close");
    expect(code).toBe(130);
    expect(stdout).toBe("");
    expect(isRunning(NAP)).toBe(false);
    expect(leftovers()).toEqual([]);
  });
});

describe.runIf(await canTest("podman"))("a trial that ran in podman", () => {
  let system: MinimalSystem;
  beforeAll(() => {
    system = makeMinimalSystem(path.join(temporaryFolder(), "system"), ["podman"]);
  });
  afterAll(() => system.removeImage());

  test("is run again in its image", async () => {
    const settings = { sandbox: "podman" as const, timeSeconds: 300, ...system.settingsFor("podman") };
    const { folder } = await runScript(AGENT, settings);
    expect(mlebench(["grade", folder]).code).toBe(0);
    const { unit } = replay(folder, "deterministic");
    expect(unit.replay).toMatchObject({ verdict: "same bytes", sandbox: "podman", deviations: [] });
    expect(leftovers()).toEqual([]);
  });
});

describe("what a replay will not do", () => {
  test("a trial that ran without isolation is isolated now, or not replayed", async () => {
    const { code, unit } = replay(await groupOf("process"), "deterministic");
    if (ISOLATES) {
      expect(unit.replay).toMatchObject({ verdict: "same bytes", sandbox: "bubblewrap" });
      expect(unit.replay!.deviations).toContain("sandbox: process then, bubblewrap now");
    } else {
      expect(unit).toMatchObject({ R: null, replay: { verdict: "impossible" } });
      expect(code).toBe(1);
    }
  });

  test("other data than the trial's are refused, and not held against the agent", async () => {
    const { code, unit } = replay(
      await groupOf("process"),
      "deterministic",
      ...["--data-dir", temporaryFolder()],
    );
    expect(unit).toMatchObject({ R: null, replay: { verdict: "impossible" } });
    expect(unit.replay!.message).toContain("has no prepared data");
    expect(code).toBe(1);
  });

  test("the scorecard says what came of it, for people and as Markdown", async () => {
    const group = await groupOf("process");
    const args = ["scorecard", group, "--request", requestFor("rewritten"), "--replay", "execute"];
    const trusted = [...args, "--replay-sandbox", "process"];
    const { stdout } = mlebench(trusted);
    expect(stdout).toMatch(/replay same score \(process, .*\): [\d.]+ now, [\d.]+ then/);
    expect(stdout).toContain("replay of sh /home/code/solve.sh 0");
    const file = path.join(temporaryFolder(), "card.md");
    mlebench([...trusted, "--format", "markdown", "--output", file]);
    const markdown = fs.readFileSync(file, "utf8");
    expect(markdown).toMatch(/^# Scorecard\n\n\| agent \| overall \|/);
    expect(markdown).toContain("replay same score");
    expect(markdown).toContain("| weighted mean |");
  });
});
