// full: every command that prints what a stranger wrote
import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared, shellAgent } from "../trials/setting.ts";

const ESCAPE = String.fromCharCode(27);
/** Draws a green "verified" over what stands there, as bytes, as a one-byte sequence and by turning the writing. */
const PAINT = `${ESCAPE}[1A${ESCAPE}[2K${ESCAPE}[32mverified${ESCAPE}[0m\u009b31m\u202e`;

const root = temporaryFolder();
const dataDir = layOutPrepared(path.join(root, "data"));
const agentsDir = shellAgent(
  path.join(root, "agents"),
  `printf '\\033[2K\\033[32mverified\\233' ; printf 'Error: \\033[2K\\033[32mverified\\n' >&2; touch "$LOGS_DIR/$(printf '\\033[31m')"; exit 3`,
);
const places = ["--data-dir", dataDir, "--runs-dir", path.join(root, "runs"), "--agents-dir", agentsDir];
const group = path.join(root, "runs", "painted");

beforeAll(() => {
  const config = {
    scripted: { command: ["sh", "/home/agent/start.sh"], description: `fine\n${PAINT}` },
  };
  writeText(agentsDir, "scripted/config.yaml", JSON.stringify(config));
  const args = ["run", "--agent", "scripted", "-c", COMPETITION, "--sandbox", "process", "--name", "painted"];
  expectPlain(mlebench([...args, ...places]));
  mlebench(["grade", group, "--data-dir", dataDir]);
  for (const name of fs.readdirSync(group).filter((file) => file.includes("_"))) {
    const file = path.join(group, name, "certificate.json");
    if (!fs.existsSync(file)) continue;
    const text = fs.readFileSync(file, "utf8");
    // A certificate that somebody else wrote may say anything, also where we print its words.
    const painted = JSON.stringify(PAINT).slice(1, -1);
    fs.writeFileSync(file, text.replace(/"message": "/g, `"message": "${painted}`));
  }
});

/** Files of others that newer commands read: each says the same wherever it may say anything. */
const repository = path.join(root, "repository");
const experiment = path.join(root, "experiment.yaml");
const job = path.join(root, "job");
const kernels = path.join(root, "kernels");
beforeAll(() => {
  writeText(repository, "README.md", `# ${PAINT}\n`);
  writeText(
    repository,
    `painted${ESCAPE}[32m.py`,
    `"""${PAINT}"""\ndef solve():\n    """${PAINT}"""\n    return 1\n`,
  );
  writeText(repository, "plain.py", `import os\n\n\ndef ${"plain"}():\n    """${PAINT}"""\n    return os\n`);
  writeText(root, "experiment.yaml", JSON.stringify({ name: PAINT, agents: [PAINT], [PAINT]: PAINT }));
  writeText(job, "result.json", JSON.stringify({ id: PAINT, name: PAINT }));
  writeText(job, "trial/result.json", JSON.stringify({ task_name: PAINT, agent_info: { name: PAINT } }));
  writeText(kernels, `somebody_${ESCAPE}[32m.py`, `# ${PAINT}\nprint(1)\n`);
});

function expectPlain({ stdout, stderr }: { stdout: string; stderr: string }): void {
  const left = `${stdout}${stderr}`.match(/[^\P{Cc}\n\t]|\u202e/gu);
  expect(left).toBeNull();
}

test.each([
  ["verify", ["verify", group]],
  ["verify as JSON", ["verify", group, "--json"]],
  ["status", ["status", group]],
  ["failures", ["failures", group]],
  ["failures as JSON", ["failures", group, "--json"]],
  ["agents list", ["agents", "list", "--agents-dir", agentsDir]],
  ["agents show", ["agents", "show", "scripted", "--agents-dir", agentsDir]],
  ["agents check", ["agents", "check", "scripted", "--agents-dir", agentsDir]],
  ["grade", ["grade", group, "--data-dir", dataDir]],
  ["report as Markdown", ["report", group, "--format", "markdown"]],
  ["standings", ["standings", group, "--no-published"]],
  ["aggregate", ["aggregate", group]],
  ["compare", ["compare", group, group]],
  ["scorecard", ["scorecard", group]],
  ["plagiarism", ["plagiarism", group, "--data-dir", dataDir]],
  ["rules", ["rules", group, "--data-dir", dataDir]],
  ["integrity report", ["integrity", "report", group, "--data-dir", dataDir]],
  ["familiarity", ["familiarity", "-c", PAINT, "--model", PAINT]],
  ["kernels import", ["kernels", "import", kernels, "--data-dir", dataDir]],
  ["repo map", ["repo", "map", repository]],
  ["repo map as JSON", ["repo", "map", repository, "--json"]],
  ["repo ask", ["repo", "ask", repository, "plain"]],
  ["models check", ["models", "check", PAINT]],
  ["models list", ["models", "list"]],
  ["experiment run", ["experiment", "run", experiment, "--runs-dir", path.join(root, "runs")]],
  ["experiment report", ["experiment", "report", experiment, "--runs-dir", path.join(root, "runs")]],
  ["export atif", ["export", "atif", group, path.join(root, "out", PAINT)]],
  ["export inspect", ["export", "inspect", group, path.join(root, `${PAINT}.eval`)]],
  ["export harbor", ["export", "harbor", "-c", PAINT, path.join(root, "harbor")]],
  ["import harbor-job", ["import", "harbor-job", job, "--runs-dir", path.join(root, "runs")]],
  ["view --tree", ["view", "--tree", PAINT, "--runs-dir", path.join(root, "runs")]],
  ["view --export", ["view", "--export", path.join(root, "pages"), "--runs-dir", path.join(root, "runs")]],
])("%s shows nothing of what an agent or a certificate would draw", (_, args) => {
  const result = mlebench(args, { FORCE_COLOR: "" });
  expect(`${result.stdout}${result.stderr}`).not.toBe("");
  expectPlain(result);
});

test("logs spell out what the agent printed", () => {
  const [trial] = fs.readdirSync(group).filter((name) => name.startsWith(COMPETITION));
  const result = mlebench(["logs", trial!, "--runs-dir", path.join(root, "runs")]);
  expectPlain(result);
  expect(result.stdout).toContain("\\u001b[2K");
});

test("on a terminal with colours only those of ours are left", () => {
  const { stdout } = mlebench(["verify", group], { FORCE_COLOR: "1" });
  const sequences = stdout.match(new RegExp(`${ESCAPE}[^m]*m`, "g")) ?? [];
  expect(sequences.length).toBeGreaterThan(0);
  for (const sequence of sequences) expect(sequence.slice(1)).toMatch(/^\[\d+m$/);
});

test("nothing but the one printer writes to a terminal", () => {
  // Agents and their children talk to their own log, which is printed by us; the printer itself is the exception.
  const allowed =
    /^src\/(agents|models\/offline|workflows\/exchange\/harbor\/verifier-files|sandbox\/process\/with-environment)/;
  const found = fs
    .readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((name) => path.join("src", name))
    .filter((file) => file.endsWith(".ts") && !allowed.test(file) && file !== "src/cli/print.ts")
    .filter((file) =>
      /process\.std(out|err)\.write\(|console\.(log|error|warn|info)\(/.test(fs.readFileSync(file, "utf8")),
    );
  expect(found).toEqual([]);
});
