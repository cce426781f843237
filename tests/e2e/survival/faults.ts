import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import type { SandboxKind } from "../../../src/sandbox/kind.ts";
import { readEvents } from "../../../src/trials/trial/events.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared, shellAgent } from "../trials/setting.ts";

/** What goes wrong with the harness's own system calls, and where. */
export interface Fault {
  calls: "writes" | "opens";
  /** Once; half of it is written and the next one fails; or every one from then on. */
  kind: "once" | "half" | "on";
  code: "ENOSPC" | "EMFILE";
  /** The how-manieth; infinity only counts. */
  at: number;
}

/** Where the trials run; a container engine needs an image. */
export interface System {
  sandbox: SandboxKind;
  image?: string;
}

export const systemOptions = ({ sandbox, image }: System): string[] => [
  ...["--sandbox", sandbox],
  ...(image === undefined ? [] : ["--image", image]),
];

const MAIN = path.resolve("dist/cli/main.js");
const FAULTY = path.resolve("tests/e2e/survival/faulty-system.mjs");
const SCRIPT = `
cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"
echo something for the log
sh "\${AGENT_DIR%/agent}/validate_submission.sh" "$SUBMISSION_DIR/submission.csv"
`;

interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

export function faultScene() {
  const root = temporaryFolder();
  const made = (name: string) => {
    fs.mkdirSync(path.join(root, name));
    return path.join(root, name);
  };
  const runs = path.join(root, "runs");
  return {
    root,
    dataDir: layOutPrepared(path.join(root, "data")),
    agents: shellAgent(path.join(root, "agents"), SCRIPT),
    runs,
    group: path.join(runs, "faulty"),
    variables: { TMPDIR: made("tmp"), XDG_STATE_HOME: made("state") },
  };
}

/** Runs a group of so many trials in a harness of its own with one fault, goes on without it, and lists what is wrong. */
export async function runWithFault(
  fault: Fault,
  system: System,
  trials = 1,
): Promise<{ calls: number; problems: string[] }> {
  const { root, dataDir, agents, runs, group, variables } = faultScene();
  const env = { ...process.env, ...variables, NODE_OPTIONS: "" };
  const countFile = path.join(root, "count");
  const start = [
    ...["run", "--agent", "scripted", "--agents-dir", agents, "--data-dir", dataDir, "--runs-dir", runs],
    ...[
      "-c",
      COMPETITION,
      "--seeds",
      String(trials),
      "--workers",
      String(trials),
      "--name",
      "faulty",
      "--grade",
    ],
    ...[...systemOptions(system), "--time-limit", "60s", "--json"],
  ];
  const MLEBENCH_TEST_FAULT = JSON.stringify({ ...fault, below: root, countFile });
  const ran = await node(["--import", FAULTY, MAIN, ...start], { ...env, MLEBENCH_TEST_FAULT });
  // A harness that had to be killed has not counted.
  const calls = fs.existsSync(countFile) ? Number(fs.readFileSync(countFile, "utf8")) : Number.NaN;
  const problems = problemsOf(ran).map((problem) => `with the fault: ${problem}`);
  const goOn = fs.existsSync(path.join(group, "group.json")) ? ["resume", group, "--grade", "--json"] : start;
  const again = await node([MAIN, ...goOn], env);
  if (again.code !== 0) problems.push(`afterwards: status ${again.code}: ${again.stderr}${again.stdout}`);
  const verified = await node([MAIN, "verify", group, "--data-dir", dataDir], env);
  if (verified.code !== 0) problems.push(`it does not verify: ${verified.stdout}${verified.stderr}`);
  problems.push(...brokenChains(group), ...leftovers(root));
  if (problems.length === 0) fs.rmSync(root, { recursive: true });
  return { calls, problems };
}

async function node(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"], timeout: 120_000 });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].on("data", (piece) => {
      said[name] += piece;
    });
  const [code, signal] = await once(child, "close");
  return { code, signal, ...said };
}

/** Whatever failed, the harness ends by itself, says what it was, and blames the machine. */
function problemsOf({ code, signal, stdout, stderr }: Ended): string[] {
  const problems: string[] = [];
  if (signal !== null || code === null || code > 3) problems.push(`it ended with ${signal ?? code}`);
  if (/INTERNAL|^ {4}at /m.test(stderr)) problems.push(`it says ${stderr}`);
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  const ends = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "end");
  return [...problems, ...ends.flatMap(({ status, outcome }) => endProblems(status, outcome))];
}

/** A trial either ends as if nothing had happened, or by the harness's own fault, and then it does not count. */
export function endProblems(
  status: string,
  outcome: { stopReason: string; blame: string | null } | null | undefined,
): string[] {
  const ours = outcome?.stopReason === "harness error" && outcome.blame === "host";
  const fine = outcome?.stopReason === "exited";
  return [
    ...(ours || fine ? [] : [`a trial ended so: ${JSON.stringify(outcome)}`]),
    ...(status === "finished" && !fine ? [`it counts as finished: ${JSON.stringify(outcome)}`] : []),
  ];
}

export function brokenChains(group: string): string[] {
  const files = fs.existsSync(group)
    ? fs.readdirSync(group, { recursive: true, encoding: "utf8" })
    : [`${group} is missing`];
  return files
    .filter((file) => path.basename(file) === "events.jsonl")
    .flatMap((file) => readEvents(path.join(group, file)).problem ?? []);
}

/** Sockets of trials, drafts of files. */
export function leftovers(root: string): string[] {
  const inGroup = fs.readdirSync(path.join(root, "runs"), { recursive: true, encoding: "utf8" });
  const drafts = inGroup.filter((file) => /\.tmp$|\.lock/.test(file));
  const sockets = fs.readdirSync(path.join(root, "tmp")).filter((file) => file.endsWith(".run"));
  return [...drafts, ...sockets].map((file) => `${file} was left behind`);
}
