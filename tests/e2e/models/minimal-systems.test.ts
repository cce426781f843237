import fs from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { USUAL_ACCESS } from "../../../src/models/settings.ts";
import { type Kind, makeMinimalSystem } from "../hostile/minimal-system.ts";
import { canTest } from "../sandbox/sandbox-rig.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { plan, runPlanned, scene } from "../trials/setting.ts";

const KINDS: readonly Kind[] = ["bubblewrap", "podman"];
const usable = await Promise.all(KINDS.map(async (kind) => ({ kind, can: await canTest(kind) })));
const { settingsFor, removeImage } = makeMinimalSystem(
  path.join(temporaryFolder(), "system"),
  usable.filter(({ can }) => can).map(({ kind }) => kind),
);
afterAll(removeImage);

for (const { kind, can } of usable) {
  describe.skipIf(!can)(`the minimal system in ${kind}`, () => {
    test("an agent without a network reaches its model on 127.0.0.1", async () => {
      const setting = scene("");
      const script = writeText(
        setting.root,
        "script.yaml",
        stringify({ replies: [{ reply: { text: "take 42" }, repeat: "forever" }] }),
      );
      const definition = { runtime: "node", command: ["/home/agent/agent.mjs"] };
      writeText(setting.agentsDir, "asker/config.yaml", JSON.stringify({ asker: definition }));
      fs.copyFileSync("tests/agents/model-asker/agent.mjs", path.join(setting.agentsDir, "asker/agent.mjs"));
      const { trial, trialFolder } = await runPlanned(
        await plan(setting, {
          agentId: "asker",
          sandbox: kind,
          ...settingsFor(kind),
          models: { default: `scripted:${script}` },
          modelAccess: USUAL_ACCESS,
        }),
      );
      expect(trial.outcome).toMatchObject({ stopReason: "exited" });
      expect(trial.network).toEqual({ mode: "none" });
      const asked = JSON.parse(fs.readFileSync(path.join(trialFolder, "logs/asked.json"), "utf8"));
      expect(asked).toMatchObject({ replies: ["take 42", "take 42", "take 42"], wrong: 401 });
      expect(trial.modelTotals).toMatchObject({ answered: 3, refused: 1 });
    });
  });
}
