import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";

const root = temporaryFolder();
const agentsDir = path.join(root, "agents");
writeText(
  agentsDir,
  "mine/config.yaml",
  `mine:
  description: one of ours
  command: [sh, /home/agent/start.sh]
  env_vars: { KEY: "\${{ secrets.MINE_KEY }}" }
  netwrok: open
mine/broken: { command: [] }
mine/unisolated: { command: [sh, -c, "touch $CODE_DIR/ran"], sandbox: process }
`,
);
const PLACES = ["--agents-dir", agentsDir];

interface Listed {
  agents: { id: string; builtIn: boolean; description: string }[];
}

describe("mlebench agents", () => {
  test("list has the built-in agents and one's own", () => {
    const result = mlebench(["agents", "list", ...PLACES, "--json"]);
    expect(result.code).toBe(0);
    const { agents } = json(result) as Listed;
    expect(agents.filter(({ builtIn }) => builtIn).map(({ id }) => id)).toEqual(
      expect.arrayContaining(["dummy", "sample"]),
    );
    expect(agents).toContainEqual(
      expect.objectContaining({ id: "mine", builtIn: false, description: "one of ours" }),
    );
    expect(mlebench(["agents", "list", ...PLACES]).stdout).toMatch(/^mine +one of ours$/m);
  });

  test("show masks what must not be seen", () => {
    const result = mlebench(["agents", "show", "mine", ...PLACES, "--json"], { MINE_KEY: "hidden-value" });
    expect(result.code).toBe(0);
    expect(json(result)).toMatchObject({
      id: "mine",
      env: { KEY: "***" },
      definitionDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(result.stdout).not.toContain("hidden-value");
    expect(mlebench(["agents", "show", "mine", ...PLACES], { MINE_KEY: "hidden-value" }).stdout).toContain(
      "KEY=***",
    );
  });

  test("show says which agents there are not, and leaves with 2", () => {
    const { code, stderr } = mlebench(["agents", "show", "nobody", ...PLACES]);
    expect(code).toBe(2);
    expect(stderr).toContain("NO_AGENT");
  });

  test("check names the missing variable, the broken entry and the misspelt field", () => {
    const result = mlebench(["agents", "check", "mine", "mine/broken", ...PLACES, "--json"]);
    expect(result.code).toBe(1);
    const { agents } = json(result) as {
      agents: { id: string; problems: { message: string }[]; notes: string[] }[];
    };
    expect(agents[0]).toMatchObject({
      id: "mine",
      problems: [{ message: expect.stringContaining("MINE_KEY") }],
      notes: ['nothing reads its field "netwrok"; did you mean "network"?'],
    });
    expect(agents[1].problems[0].message).toContain("command");
  });

  test("a definition that asks for no isolation is refused with the flag, and runs with it", () => {
    const data = layOutPrepared(path.join(root, "unisolated-data"));
    const runs = path.join(root, "unisolated");
    const args = [
      ...["run", "--agent", "mine/unisolated", "-c", COMPETITION, "--data-dir", data],
      ...["--runs-dir", runs, ...PLACES],
    ];
    const { code, stderr } = mlebench(args);
    expect(code, stderr).toBe(3);
    expect(stderr).toContain("NOT_ISOLATED");
    expect(stderr).toContain("mine/unisolated asks to run without isolation (sandbox: process)");
    expect(stderr).toContain("--sandbox process");
    expect(fs.existsSync(runs) ? fs.readdirSync(runs) : []).toEqual([]);
    const check = json(mlebench(["agents", "check", "mine/unisolated", ...PLACES, "--json"]));
    expect(check).toMatchObject({ agents: [{ sandbox: null, problems: [{ code: "NOT_ISOLATED" }] }] });
    const asked = mlebench([...args, "--sandbox", "process"]);
    expect(asked.code, asked.stderr).toBe(0);
  });

  test("a built-in agent runs by its name, with nothing in the folder of agents", () => {
    fs.mkdirSync(path.join(root, "none"));
    const data = layOutPrepared(path.join(root, "data"));
    const runs = path.join(root, "runs");
    const { code, stderr } = mlebench([
      ...["run", "--agent", "sample", "--sandbox", "process", "-c", COMPETITION],
      ...["--data-dir", data, "--runs-dir", runs, "--agents-dir", path.join(root, "none"), "--name", "group"],
    ]);
    expect(code, stderr).toBe(0);
    const trial = fs.readdirSync(path.join(runs, "group")).find((name) => name.startsWith(COMPETITION))!;
    expect(fs.existsSync(path.join(runs, "group", trial, "submission/submission.csv"))).toBe(true);
  });
});
