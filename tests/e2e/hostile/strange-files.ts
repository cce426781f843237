import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared, shellAgent } from "../trials/setting.ts";

const SCRIPT = `cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"
echo hello > "$LOGS_DIR/agent.log"; echo "print(1)" > "$CODE_DIR/train.py"; echo said`;
const SECRET = "a-secret-of-the-reader";
const PATIENCE_MS = 20_000;

/** What somebody who sends a group may have put in place of one of its files. */
export const STRANGE = {
  pipe: (file: string) => execFileSync("mkfifo", [file]),
  "link to the reader's file": (file: string, secret: string) => fs.symlinkSync(secret, file),
  "link to a device without an end": (file: string) => fs.symlinkSync("/dev/zero", file),
  folder: (file: string) => fs.mkdirSync(file),
} as const;
export type StrangeKind = keyof typeof STRANGE;

interface Places {
  group: string;
  trial: string;
  dataDir: string;
  agents: string;
  out: string;
}

/** Every command that is given a group of somebody's. */
export const COMMANDS: Record<string, (places: Places) => string[]> = {
  verify: ({ group }) => ["verify", group],
  status: ({ group }) => ["status", group],
  logs: ({ trial }) => ["logs", trial],
  "logs --json": ({ trial }) => ["logs", trial, "--json"],
  "logs --turns": ({ trial }) => ["logs", trial, "--turns"],
  grade: ({ group, dataDir }) => ["grade", group, "--data-dir", dataDir, "--no-sign"],
  resume: ({ group, dataDir, agents }) => [
    ...["resume", group, "--agents-dir", agents, "--data-dir", dataDir, "--sandbox", "process"],
  ],
  report: ({ group, out }) => ["report", group, "--format", "html", "-o", path.join(out, "report.html")],
  failures: ({ group }) => ["failures", group],
  scorecard: ({ group }) => ["scorecard", group],
  standings: ({ group }) => ["standings", group],
  aggregate: ({ group }) => ["aggregate", group],
  compare: ({ group }) => ["compare", group, group],
  rules: ({ group }) => ["rules", group],
  plagiarism: ({ group }) => ["plagiarism", group],
  integrity: ({ group }) => ["integrity", "report", group],
  "make-submission": ({ group }) => ["make-submission", group],
  "export inspect": ({ group, out }) => ["export", "inspect", group, path.join(out, "log.eval")],
  "export atif": ({ group, out }) => ["export", "atif", group, path.join(out, "atif")],
  "view --export": ({ group, out }) => [
    ...["view", "--export", path.join(out, "pages"), "--runs-dir", path.dirname(group)],
  ],
};

export interface StrangeScene {
  root: string;
  group: string;
  dataDir: string;
  agents: string;
  /** Of the group itself and of its first trial, relative to the group. */
  files: string[];
}

/** A graded group as somebody may send it. */
export function strangeScene(): StrangeScene {
  const root = temporaryFolder();
  const dataDir = layOutPrepared(path.join(root, "data"));
  const agents = shellAgent(path.join(root, "agents"), SCRIPT);
  const runs = path.join(root, "runs");
  const { code, stderr } = mlebench([
    ...["run", "--agent", "scripted", "--agents-dir", agents, "--data-dir", dataDir, "--runs-dir", runs],
    ...["-c", COMPETITION, "--seeds", "2", "--name", "sent", "--sandbox", "process", "--grade"],
  ]);
  if (code !== 0) throw new Error(stderr);
  const group = path.join(runs, "sent");
  const [first, second] = trialsOf(group);
  const files = (fs.readdirSync(group, { recursive: true }) as string[])
    .filter((name) => !name.startsWith(second) && fs.statSync(path.join(group, name)).isFile())
    .sort();
  if (!files.some((name) => name.startsWith(first))) throw new Error("no files of the trial");
  return { root, group, dataDir, agents, files };
}

export function trialsOf(group: string): string[] {
  const { trials } = JSON.parse(fs.readFileSync(path.join(group, "group.json"), "utf8"));
  return trials.map(({ id }: { id: string }) => id);
}

/** Shows a command a copy of the group in which some files are something else; lists what is wrong with what comes of it. */
export function tryStrange(
  { group: original, dataDir, agents }: StrangeScene,
  { kind, files, command }: { kind: StrangeKind; files: readonly string[]; command: string },
): string[] {
  const root = temporaryFolder();
  const group = path.join(root, "runs", path.basename(original));
  fs.cpSync(original, group, { recursive: true });
  const secret = writeText(root, "of-the-reader/secret.txt", `${SECRET}\n`);
  const out = path.join(root, "out");
  fs.mkdirSync(out);
  for (const file of files) {
    fs.rmSync(path.join(group, file));
    STRANGE[kind](path.join(group, file), secret);
  }
  const trial = path.join(group, trialsOf(original)[0]);
  const args = COMMANDS[command]({ group, trial, dataDir, agents, out });
  const ran = spawnSync(process.execPath, [path.resolve("dist/cli/main.js"), ...args], {
    encoding: "utf8",
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
    maxBuffer: 2 ** 28,
    env: { ...process.env, XDG_STATE_HOME: path.join(root, "state") },
  });
  const problems: string[] = [];
  if (ran.signal !== null || ran.error !== undefined) problems.push("it does not end");
  if (/INTERNAL|^ {4}at /m.test(ran.stderr)) problems.push(`it says ${ran.stderr.slice(0, 300)}`);
  if (`${ran.stdout}${ran.stderr}`.includes(SECRET)) problems.push("it prints the reader's file");
  if (fs.readFileSync(secret, "utf8") !== `${SECRET}\n`) problems.push("it changed the reader's file");
  const leaked = (fs.readdirSync(root, { recursive: true }) as string[]).filter(
    (name) => !name.startsWith("of-the-reader/") && holdsSecret(path.join(root, name)),
  );
  if (leaked.length > 0) problems.push(`the reader's file is in ${leaked.join(", ")}`);
  fs.rmSync(root, { recursive: true, force: true });
  return problems.map((problem) => `${command}, a ${kind} in place of ${files.join(", ")}: ${problem}`);
}

function holdsSecret(file: string): boolean {
  const stats = fs.lstatSync(file);
  return stats.isFile() && stats.size < 2 ** 28 && fs.readFileSync(file, "latin1").includes(SECRET);
}
