import fs from "node:fs";
import path from "node:path";
import { stringify } from "yaml";
import { gradeRun } from "../../../src/workflows/run/grade.ts";
import { startRun } from "../../../src/workflows/run/run.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";

export interface AskingGroup {
  root: string;
  dataDir: string;
  runsDir: string;
  /** The group's folder. */
  folder: string;
  trials: string[];
}

/** A graded group of two seeds whose agent asks a model three times; no tool is needed, and no network. */
export async function askingGroup(): Promise<AskingGroup> {
  const root = temporaryFolder();
  const dataDir = layOutPrepared(path.join(root, "data"));
  const agentsDir = path.join(root, "agents");
  const runsDir = path.join(root, "runs");
  const entry = { runtime: "node", command: ["/home/agent/agent.mjs"], env_vars: { ROUNDS: "3" } };
  writeText(agentsDir, "asker/config.yaml", stringify({ asker: entry }));
  writeText(agentsDir, "asker/agent.mjs", fs.readFileSync("tests/agents/model-asker/agent.mjs"));
  const outcome = await startRun({
    agent: "asker",
    competitions: [COMPETITION],
    seeds: 2,
    runsDir,
    name: "asking",
    agentFolders: [agentsDir],
    dataDir,
    sandbox: "process",
    rootFolder: null,
    timeSeconds: 60,
    graceSeconds: 1,
    models: { default: "echo" },
  });
  if (outcome.status === "refused") throw new Error(outcome.problem.message);
  const graded = await gradeRun(outcome.folder, {});
  if (graded?.status !== "graded") throw new Error("the group was not graded");
  return { root, dataDir, runsDir, folder: outcome.folder, trials: outcome.group.trials.map(({ id }) => id) };
}
