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
