// full: four agents are written, checked and run as their READMEs say
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { hasProgram } from "../../tools.ts";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { ISOLATES, KINDS } from "../trials/kinds.ts";

const root = temporaryFolder();
/** As a definition writes it. */
const SECRET = ["$", "{{ secrets.NEVER_SET_ANYWHERE }}"].join("");
const data = path.join(root, "data");
const places = ["--data-dir", data, "--runs-dir", path.join(root, "runs")];

beforeAll(() => {
  expect(mlebench(["prepare", "-c", "starter-spam", "--data-dir", data]).code).toBe(0);
}, 120_000);

const MAIN = path.resolve("dist/cli/main.js");

/** What a README says to type. */
function readmeCommands(text: string): string[] {
  return text.split("\n").filter((line) => line.startsWith("mlebench "));
}

describe("agents init", () => {
  const HAS_PYTHON = hasProgram("python3", "the template of an agent in Python");

  test.each(["command", "python", "node", "coding-cli"])(
    "--from %s writes an agent that is ready, and leaves a valid submission",
    (template) => {
      const folder = path.join(root, `my-${template}`);
      const created = json(mlebench(["agents", "init", folder, "--from", template, "--json"])) as {
        id: string;
        files: string[];
        commands: string[];
      };
      expect(created.id).toBe(`my-${template}`);
      expect(created.files).toEqual(expect.arrayContaining(["README.md", "config.yaml"]));
      const readme = fs.readFileSync(path.join(folder, "README.md"), "utf8");
      expect(readme).toContain(`mlebench run --agent my-${template}`);
      expect(readme).not.toContain("example-");
      if (template === "python" && !HAS_PYTHON) return;
      // What the command itself says to type is the same from the folder above: tried once.
      const others = template === "command" ? created.commands : [];
      for (const line of [...readmeCommands(readme), ...others]) {
        const given = line.split(" ").slice(1);
        // As they are written, and where they are to be started; the data are there.
        const cwd = created.commands.includes(line) ? root : folder;
        if (given[0] === "prepare") continue;
        const isolated = given[0] !== "run" || ISOLATES ? [] : ["--sandbox", "process"];
        const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...given, ...isolated], {
          ...{ cwd, encoding: "utf8", timeout: 120_000 },
          env: { ...process.env, MLEBENCH_DATA_DIR: data },
        });
        const words = `${line}: ${stderr}`;
        if (given[0] === "run")
          expect([status, stdout.match(/\d+ valid/)?.[0]], words).toEqual([0, "1 valid"]);
        else expect(stdout, words).not.toContain("no such program");
      }
    },
    150_000,
  );

  test("never writes into what is there", () => {
    const folder = path.join(root, "taken");
    writeText(folder, "mine.txt", "mine");
    const { code, stderr } = mlebench(["agents", "init", folder]);
    expect([code, stderr.includes("NOT_EMPTY"), fs.readdirSync(folder)]).toEqual([2, true, ["mine.txt"]]);
    for (const name of ["no good", "sample", "codex"])
      expect(mlebench(["agents", "init", path.join(root, name)]).stderr).toContain("BAD_NAME");
  });
});

test("every example definition in docs/examples/agents is sound", () => {
  const { agents, problems } = json(
    mlebench(["agents", "check", "--json", "--agents-dir", "docs/examples/agents"]),
  ) as { agents: { id: string; problems: { message: string }[]; notes: string[] }[]; problems: string[] };
  expect(problems).toEqual([]);
  for (const id of ["aider", "openhands", "mini-swe-agent", "goose", "example-coding-cli"]) {
    const agent = agents.find((one) => one.id === id);
    expect([id, agent?.notes.some((note) => note.includes("nothing reads"))]).toEqual([id, false]);
    // An image that nobody has built, or a sandbox that is missing here, is all that may keep one from running.
    for (const { message } of agent?.problems ?? [])
      expect(message).not.toMatch(/config\.yaml|no such program/);
  }
});

describe("agents check", () => {
  const agents = path.join(root, "agents");
  beforeAll(() => {
    const sh = ["sh", "-c", "true"];
    writeText(
      agents,
      "mine/config.yaml",
      JSON.stringify({
        misspelt: { command: ["pyhton3", "/home/agent/x.py"] },
        scriptless: { command: ["sh", "/home/agent/nope.sh"] },
        secretless: { command: sh, env_vars: { K: SECRET } },
        keyless: { command: sh, models: "anthropic:claude-sonnet-5" },
        misnamed: { command: sh, models: { code: "antropic:claude" } },
        thinking: { command: sh, needs_model: true },
        behind: { command: ["sh", "-e", "/home/agent/nope.sh"] },
        variant: { extends: "sample" },
        wrong: { extends: "sample", runtime: "perl" },
        theirs: { extends: "sample", env_vars: { NODE_OPTIONS: "--import=/tmp/theirs.mjs" } },
      }),
    );
  });

  test.each([
    ["misspelt", 1, 'starts "pyhton3"'],
    ["scriptless", 1, "its folder has no nope.sh"],
    ["behind", 1, "its folder has no nope.sh"],
    ["variant", 0, ""],
    ["wrong", 1, "mine/config.yaml: wrong: "],
    ["secretless", 1, "NEVER_SET_ANYWHERE"],
    ["keyless", 1, "ANTHROPIC_API_KEY is not set"],
    ["misnamed", 1, "antropic:claude"],
    ["tree", 0, "it needs a model: mlebench run --agent tree --model"],
    ["thinking", 0, "it needs a model: mlebench run --agent thinking --model"],
  ])("finds what keeps %s from running", (id, code, words) => {
    const checked = mlebench(["agents", "check", id, "--agents-dir", agents, "--json"], {
      ANTHROPIC_API_KEY: "",
    });
    const [{ problems, notes }] = (
      json(checked) as { agents: { problems: { message: string }[]; notes: string[] }[] }
    ).agents;
    // Where there is no sandbox at all, that is said first.
    if (problems.some(({ message }) => /no sandbox|isolat/i.test(message))) return;
    const all = [...problems.map(({ message }) => message), ...notes].join("\n");
    expect(all).toContain(words);
    expect(all).not.toContain("nothing reads");
    expect(checked.code).toBe(code);
  });

  test("what somebody else wrote, or a model tells our agents to run, never runs without isolation unasked", () => {
    const nothing = path.join(root, "no-programs");
    fs.mkdirSync(nothing);
    const ids = ["theirs", "variant", "tools/codeact", "claude-code", "sample"];
    const checked = mlebench(["agents", "check", ...ids, "--agents-dir", agents, "--json"], {
      PATH: nothing,
    });
    const found = (json(checked) as { agents: { id: string; sandbox: string | null }[] }).agents;
    const isolated = found.filter(({ sandbox }) => sandbox !== "process").map(({ id }) => id);
    expect(isolated.sort()).toEqual(ids.slice(0, -1).sort());
    expect(found.filter(({ sandbox }) => sandbox !== null && sandbox !== "process")).toEqual([]);
  });

  test.each(KINDS)(
    "a misspelt program that is run anyway in %s ends in an outcome with the sandbox's own line",
    (kind) => {
      const ran = mlebench([
        ...["run", "--agent", "misspelt", "--agents-dir", agents, "-c", "starter-spam", ...places],
        ...["--sandbox", kind, "--name", `misspelt-${kind}`],
      ]);
      expect(ran.code).toBe(1);
      const own = kind === "process" ? "" : "bwrap: execvp ";
      expect(ran.stderr).toContain(`It could not be started: ${own}pyhton3: No such file or directory`);
    },
  );
});
