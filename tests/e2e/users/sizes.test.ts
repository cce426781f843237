import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { json, mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { KIND } from "../trials/kinds.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";

const root = temporaryFolder();
const dataDir = layOutPrepared(path.join(root, "data"));
const agentsDir = path.join(root, "agents");

function agentWith(name: string, memory: string): string {
  const entry = {
    // Beside the agent's folder everywhere; beside the data only where they are mounted.
    command: ["sh", "-c", 'cp "$AGENT_DIR/../instructions.txt" "$LOGS_DIR"'],
    limits: { memory },
  };
  writeText(agentsDir, `${name}/config.yaml`, JSON.stringify({ [name]: entry }));
  return name;
}

describe("a size means the same wherever it is written or read", () => {
  test.each([
    ["gib", "1GiB", 2 ** 30, "1 GiB"],
    ["gb", "1GB", 1e9, "1 GB"],
    ["bare", "1G", 2 ** 30, "1 GiB"],
  ])(
    "%s: in an agent's file, its record, what the run says and what the agent is told",
    (name, written, bytes, said) => {
      const runsDir = path.join(root, "runs");
      const result = mlebench([
        ...["run", "--agent", agentWith(name, written), "--agents-dir", agentsDir, "-c", COMPETITION],
        ...["--data-dir", dataDir, "--runs-dir", runsDir, "--name", name, "--sandbox", KIND],
      ]);
      expect(result.stderr + result.stdout).toContain(`${said} of memory`);
      const [trial] = fs
        .readdirSync(path.join(runsDir, name))
        .filter((entry) => entry.startsWith(COMPETITION));
      const folder = path.join(runsDir, name, trial);
      expect(JSON.parse(fs.readFileSync(path.join(folder, "trial.json"), "utf8"))).toMatchObject({
        limits: { memoryBytes: { value: bytes } },
      });
      expect(fs.readFileSync(path.join(folder, "logs/instructions.txt"), "utf8")).toContain(
        `${said} of memory`,
      );
    },
  );

  test("options and experiments refuse the same texts with the same sentence", () => {
    const option = mlebench(["run", "--agent", "dummy", "-c", COMPETITION, "--memory", "16 gigs"]);
    const file = writeText(
      root,
      "experiment.yaml",
      JSON.stringify({
        name: "x",
        competitions: [COMPETITION],
        agents: ["dummy"],
        defaults: { memory: "16 gigs" },
      }),
    );
    const experiment = mlebench(["experiment", "run", file]);
    for (const { code, stderr } of [option, experiment]) {
      expect(code).toBe(2);
      expect(stderr).toContain(
        "Write a size such as 16GiB (2^30 bytes each), 16GB (10^9 bytes each) or 512MiB.",
      );
    }
    agentWith("wrong", "16 gigs");
    const checked = mlebench(["agents", "check", "wrong", "--agents-dir", agentsDir, "--json"]);
    expect(checked.code).not.toBe(0);
    expect(JSON.stringify(json(checked))).toContain("write a size such as 16GiB");
  });
});
