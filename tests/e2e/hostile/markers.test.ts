import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resolveAgent } from "../../../src/agents/definition/load-definitions.ts";
import { loadCompetition } from "../../../src/competitions/catalogue.ts";
import { sandboxes } from "../../../src/sandbox/kinds.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import { dataDigest } from "../../../src/trials/certificate/data-digest.ts";
import { recordAgent } from "../../../src/trials/trial/record-agent.ts";
import type { TrialRequest } from "../../../src/trials/trial/request.ts";
import { runTrial } from "../../../src/trials/trial/run.ts";
import { canTest } from "../sandbox/sandbox-rig.ts";
import { COMPETITION } from "../trials/setting.ts";
import { type Arena, makeArena } from "./arena.ts";
import type { Kind } from "./minimal-system.ts";

const KINDS: readonly Kind[] = ["bubblewrap", "podman"];
const usable = await Promise.all(KINDS.map(async (kind) => ({ kind, can: await canTest(kind) })));

let arena: Arena;
let count = 0;
beforeAll(async () => {
  arena = await makeArena(usable.filter(({ can }) => can).map(({ kind }) => kind));
});
afterAll(() => arena.close());

/** The same sandbox, with the agent as user 0 inside. */
function asRoot(sandbox: Sandbox): Sandbox {
  return { ...sandbox, start: (request) => sandbox.start({ ...request, asRoot: true }) };
}

async function search(
  kind: Kind,
  change: Partial<TrialRequest>,
): Promise<{ exitCode: number; output: string }> {
  const resolved = resolveAgent("hostile/searches-for-answers", [arena.agentsDir]);
  if (resolved.status !== "found") throw new Error(resolved.message);
  const { agent } = resolved;
  const { image = null, rootFolder = null } = arena.systemFor(kind);
  const loaded = (await loadCompetition(COMPETITION))!;
  const folder = path.join(arena.runsDir, `searching-${count++}`);
  fs.mkdirSync(folder);
  const { interrupted, killed } = { interrupted: new AbortController(), killed: new AbortController() };
  const { trial } = await runTrial(
    {
      folder,
      runGroup: "searching",
      id: path.basename(folder),
      attempt: 1,
      loaded,
      dataDir: arena.dataDir,
      competitionVersion: "v1",
      competitionsDir: path.join(arena.root, "competitions"),
      data: await dataDigest(arena.dataDir, loaded.competition, { version: "v1" }),
      agent,
      recordedAgent: await recordAgent(agent, { sandbox: kind, image }),
      seed: 0,
      plan: null,
      sandbox: sandboxes[kind],
      limits: { timeSeconds: 120, graceSeconds: 1 },
      network: { mode: "none" },
      gpus: [],
      show: [],
      materials: null,
      image,
      rootFolder,
      hardware: "a CPU",
      place: { executor: "local", jobId: null },
      code: null,
      retain: false,
      signingKey: null,
      notes: [],
      ...change,
    },
    { interrupted: interrupted.signal, killed: killed.signal },
  );
  const output = fs.readFileSync(path.join(folder, "stdout.log"), "utf8");
  return { exitCode: trial.outcome?.exitCode ?? -1, output };
}

for (const { kind, can } of usable) {
  describe.skipIf(!can)(
    `a marker in answers, raw data, a grader, leaderboards and another trial (${kind})`,
    () => {
      test("is not found by an agent that searches everything it can open", async () => {
        expect(await search(kind, {})).toEqual({ exitCode: 0, output: "searched as user 1000\n" });
      }, 180_000);

      test("is not found by root inside either", async () => {
        const found = await search(kind, { sandbox: asRoot(sandboxes[kind]) });
        expect(found).toEqual({ exitCode: 0, output: "searched as user 0\n" });
      }, 180_000);

      test("is found by the same agent once it is mounted, so the search can find it", async () => {
        const materials = path.join(arena.root, "materials");
        fs.mkdirSync(materials, { recursive: true });
        fs.writeFileSync(path.join(materials, "leaked.txt"), arena.marker);
        const { exitCode, output } = await search(kind, { materials: { folder: materials, digest: "" } });
        expect(exitCode).toBe(9);
        expect(output).toContain("/home/materials/leaked.txt\n");
      }, 180_000);
    },
  );
}

describe.skipIf(!usable[0].can)("with the host's own system (bubblewrap)", () => {
  test("no grader or leaderboard of this package can be read", async () => {
    const { exitCode, output } = await search("bubblewrap", {
      rootFolder: null,
      agent: {
        ...(resolveAgent("hostile/slow", [arena.agentsDir]) as { agent: TrialRequest["agent"] }).agent,
        command: [
          "sh",
          "-c",
          `find / -path /proc -prune -o \\( -name leaderboard.json -o -name 'judge-child.*' \\) -print 2>/dev/null
           ls '${process.cwd()}' '${path.dirname(arena.answerFile)}' 2>/dev/null
           cat '${process.cwd()}/package.json' 2>/dev/null; exit 0`,
        ],
      },
    });
    expect({ exitCode, output }).toEqual({ exitCode: 0, output: "" });
  }, 180_000);
});
