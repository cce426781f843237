import fs from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { readJournal } from "../../../src/agents/tree/journal/read.ts";
import type { JournalStep } from "../../../src/agents/tree/journal/schema.ts";
import type { SandboxKind } from "../../../src/sandbox/kind.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { KIND } from "../trials/kinds.ts";

export interface StarterTrial {
  competition: string;
  group: string;
  folder: string;
  steps: JournalStep[];
  doubts: unknown[];
  submission: string;
}

/** Prepared starter competitions, and agents that extend `tree` by these settings, each under a name. */
export function starterSetting(competitions: readonly string[], agents: Readonly<Record<string, object>>) {
  const root = temporaryFolder();
  const data = path.join(root, "data");
  const folder = path.join(root, "agents");
  const small = {
    "agent.language": "js",
    "exec.timeout": 8,
    "parts.baseline": false,
    "parts.endgame_top": 2,
  };
  const lines = Object.entries(agents).map(
    ([name, own]) => `${name}: ${JSON.stringify({ extends: "tree", kwargs: { ...small, ...own } })}\n`,
  );
  const places = (dataDir: string, kind: SandboxKind) => {
    const runs = fs.mkdtempSync(path.join(root, "runs-"));
    const model = ["--model", "simulated:clumsy", "--time-limit", "600"];
    const options = ["--agents-dir", folder, "--data-dir", dataDir, "--runs-dir", runs, "--sandbox", kind];
    return { runs, options: [...options, ...model] };
  };
  return {
    root,
    data,
    prepare() {
      const prepared = mlebench(["prepare", "-c", ...competitions, "--data-dir", data], {}, 240_000);
      expect(prepared.stderr + prepared.stdout).toContain(
        `${competitions.length} of ${competitions.length} prepared`,
      );
      writeText(folder, "mine/config.yaml", lines.join(""));
    },
    /** What a run of an agent is started with, and where its group will be. */
    command(agent: string, chosen: readonly string[], kind: SandboxKind = KIND) {
      const { runs, options } = places(data, kind);
      return { runs, args: ["run", "--agent", agent, "-c", ...chosen, ...options, "--workers", "2"] };
    },
    async run(agent: string, chosen: readonly string[], dataDir = data, timeout = 280_000) {
      const { runs, options } = places(dataDir, KIND);
      const args = ["run", "--agent", agent, "-c", ...chosen, ...options, "--workers", "2"];
      const ran = mlebench(args, {}, timeout);
      expect(ran.stderr).not.toMatch(/INTERNAL/);
      return trialsOf(onlyGroup(runs));
    },
  };
}

export const onlyGroup = (runs: string) => path.join(runs, fs.readdirSync(runs)[0]);

export function trialFolders(group: string): string[] {
  return fs
    .readdirSync(group)
    .filter((name) => name.startsWith("starter-"))
    .map((name) => path.join(group, name));
}

export function trialsOf(group: string): Promise<StarterTrial[]> {
  return Promise.all(
    trialFolders(group).map(async (folder) => {
      const read = await readJournal(path.join(folder, "logs/journal.jsonl"));
      if (read.status !== "read") throw new Error(`${folder}: the journal is ${read.status}`);
      const submission = fs.readFileSync(path.join(folder, "submission/submission.csv"), "utf8");
      const { steps, doubts } = read;
      return { competition: path.basename(folder).split("_")[0], group, folder, steps, doubts, submission };
    }),
  );
}

/** What does not depend on the clock. */
export function lasting(steps: readonly JournalStep[]): object[] {
  return steps.map(
    ({ startedAt, endedAt, modelSeconds, executionSeconds, memory, modelCalls, tokens, ...rest }) => rest,
  );
}
