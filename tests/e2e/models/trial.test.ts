import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { readLedger } from "../../../src/models/ledger/ledger.ts";
import type { ModelAccess } from "../../../src/models/settings.ts";
import { readTrial } from "../../../src/trials/trial/folder.ts";
import { startRun } from "../../../src/workflows/run/run.ts";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { KINDS } from "../trials/kinds.ts";
import { COMPETITION, layOutPrepared } from "../trials/setting.ts";
import { type FakeProvider, JSON_HEADERS, message, startProvider } from "./fake-provider.ts";
import { filesBelow } from "./files-below.ts";

const PLANTED = "sk-planted-provider-key-4711";
const root = temporaryFolder();
const dataDir = layOutPrepared(path.join(root, "data"));
const agentsDir = path.join(root, "agents");
const modelsFile = path.join(root, "models.yaml");
let provider: FakeProvider;

beforeAll(async () => {
  let count = 0;
  // 10,000 tokens in and out: 12 cents a call.
  provider = await startProvider(() => ({
    headers: JSON_HEADERS,
    body: [message(`take ${++count * 7}`, { input_tokens: 10_000, output_tokens: 10_000 })],
  }));
  process.env.ANTHROPIC_API_KEY = PLANTED;
  writeText(
    root,
    "models.yaml",
    stringify({
      models: {
        clever: { model: "anthropic:claude-real", base_url: provider.url, price: { input: 2, output: 10 } },
      },
    }),
  );
  for (const [name, rounds] of [
    ["asker", "3"],
    ["greedy", "50"],
  ]) {
    const entry = {
      runtime: "node",
      command: ["/home/agent/agent.mjs"],
      env_vars: { ROUNDS: rounds, SEARCH: name === "asker" ? "yes" : "no" },
    };
    writeText(agentsDir, `${name}/config.yaml`, stringify({ [name]: entry }));
    writeText(agentsDir, `${name}/agent.mjs`, fs.readFileSync("tests/agents/model-asker/agent.mjs"));
  }
});
afterAll(() => provider.close());

async function run(
  agent: string,
  kind: (typeof KINDS)[number],
  model: string,
  access: Partial<ModelAccess> = {},
  seeds = 1,
) {
  const outcome = await startRun({
    agent,
    competitions: [COMPETITION],
    seeds,
    runsDir: path.join(root, "runs"),
    name: `${agent}-${Math.random().toString(36).slice(2)}`,
    agentFolders: [agentsDir],
    dataDir,
    sandbox: kind,
    rootFolder: null,
    timeSeconds: 60,
    graceSeconds: 1,
    models: { default: model },
    modelAccess: { modelsFile, ...access },
  });
  if (outcome.status === "refused") throw new Error(outcome.problem.message);
  const trialFolder = path.join(outcome.folder, outcome.group.trials[0].id);
  return {
    folder: outcome.folder,
    trialFolder,
    trial: readTrial(trialFolder)!,
    asked: JSON.parse(fs.readFileSync(path.join(trialFolder, "logs/asked.json"), "utf8")),
    ledger: readLedger(path.join(trialFolder, "model/ledger.jsonl")).lines,
    submission: fs.readFileSync(path.join(trialFolder, "submission/submission.csv"), "utf8"),
  };
}

describe.each(KINDS)("a trial in %s", (kind) => {
  test("reaches its model through the gateway, has it on record, and can see no key", async () => {
    const { trial, asked, ledger, folder } = await run("asker", kind, "clever");
    expect(asked.replies).toHaveLength(3);
    expect(asked.wrong).toBe(401);
    if (kind !== "process") expect(asked.seesKey).toBe(false);
    expect(trial.outcome).toMatchObject({ stopReason: "exited" });
    expect(trial.modelTotals).toMatchObject({ calls: 4, answered: 3, refused: 1, complete: true });
    expect(trial.cost).toBeCloseTo(0.36, 10);
    expect(trial.models).toMatchObject([
      { asked: "anthropic:claude-real", answered: ["claude-real"], calls: 3 },
    ]);
    expect(trial.modelAccess).toMatchObject({ providerTools: "refused", transcripts: "full" });
    expect(ledger).toHaveLength(4);
    for (const file of filesBelow(folder)) expect(fs.readFileSync(file).includes(PLANTED), file).toBe(false);
    expect(mlebench(["verify", folder]).code).toBe(0);
  });

  test("ends because of its budget at most one call over it, and its submission counts", async () => {
    const { trial, asked, submission } = await run("greedy", kind, "clever", { trialLimits: { cost: 0.5 } });
    expect(asked.replies).toHaveLength(5);
    expect(asked.last.status).toBe(400);
    expect(trial.outcome).toMatchObject({ stopReason: "budget", blame: "budget" });
    expect(trial.cost).toBeCloseTo(0.6, 10);
    expect(trial.final?.sha256).not.toBeNull();
    expect(submission).toContain("0.");
  });

  test("that was recorded replays to the same submission and the same ledger without its provider", async () => {
    const cassette = path.join(root, `${kind}.jsonl`);
    const before = await run("asker", kind, "clever", { record: cassette });
    const asked = provider.seen.length;
    const after = await run("asker", kind, `recorded:${cassette}`);
    expect(provider.seen).toHaveLength(asked);
    expect(after.submission).toBe(before.submission);
    const same = (line: (typeof before.ledger)[number]) => {
      const { time: _, milliseconds: __, requestSha256: ___, bytesIn: ____, replayed: _____, ...rest } = line;
      return rest;
    };
    expect(after.ledger.map(same)).toEqual(before.ledger.map(same));
    expect(after.trial.cost).toBe(before.trial.cost);
  });
});

test("trials of a group share its budget, earlier attempts included", async () => {
  const { folder } = await run(
    "greedy",
    "process",
    "clever",
    { groupLimits: { calls: 7 }, trialLimits: { calls: 5 } },
    2,
  );
  const group = JSON.parse(fs.readFileSync(path.join(folder, "group.json"), "utf8"));
  const calls = group.trials.map(({ id }: { id: string }) => readTrial(path.join(folder, id))!.calls);
  expect(calls).toEqual([5, 2]);
});

test("a run that names a model nobody can ask is refused before anything starts", async () => {
  const refused = async (name: string, access: Partial<ModelAccess> = {}) => {
    const outcome = await startRun({
      agent: "asker",
      competitions: [COMPETITION],
      runsDir: path.join(root, "refused"),
      agentFolders: [agentsDir],
      dataDir,
      sandbox: "process",
      models: { default: name },
      modelAccess: { modelsFile, ...access },
    });
    return outcome.status === "refused" ? outcome.problem.code : "started";
  };
  expect(await refused("nonsense")).toBe("BAD_MODEL");
  expect(await refused("openai:gpt-5")).toBe("NO_MODEL_KEY");
  expect(await refused("compatible:llama")).toBe("NO_BASE_URL");
  expect(await refused("scripted:/nowhere.yaml")).toBe("BAD_SCRIPT");
  expect(await refused("recorded:/nowhere.jsonl")).toBe("BAD_CASSETTE");
  expect(await refused("simulated:genius")).toBe("NO_SUCH_MODEL");
  expect(await refused("anthropic:claude-of-tomorrow", { trialLimits: { cost: 1 } })).toBe("NO_PRICE");
  expect(fs.existsSync(path.join(root, "refused"))).toBe(false);
});
