// full: an agent process is killed ten times, with real scripts and a real gateway
import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { seededRandom } from "../../../src/learning/seeded-random.ts";
import { treeSetting } from "./agent-setting.ts";
import { lasting } from "./starter-setting.ts";

const STEPS = 16;
const ARGS = [
  "preset=tree",
  `agent.steps=${STEPS}`,
  "agent.language=js",
  "exec.timeout=20",
  "agent.review=fallback",
  "search.policy=mixed",
  "parts.endgame=true",
  "parts.endgame_top=2",
  "parts.ensemble=true",
  "parts.crossover=true",
  "parts.refine=true",
  "parts.memory=scoped",
  "parts.debug_turns=2",
  "search.stagnation=3",
  "search.fuse_prob=0.5",
];
const KILLS = 10;

/** Scripts outlive a killed agent where there is no sandbox to end them. */
function endScriptsBelow(folder: string): void {
  for (const pid of fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    try {
      const command = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8");
      if (command.includes(path.join(folder, "agent/tree-work-"))) process.kill(Number(pid), "SIGKILL");
    } catch {
      // It is gone.
    }
}

test("killed at ten random moments it ends with the journal of an undisturbed run", async () => {
  const calm = await treeSetting("simulated:clumsy");
  const { code, output } = await calm.run(ARGS);
  expect([code, output]).toEqual([0, expect.stringContaining("ended: steps")]);
  const shaken = await treeSetting("simulated:clumsy", calm.data);
  const random = seededRandom(Number(process.env.TREE_KILL_SEED ?? 11));
  for (let kill = 0; kill < KILLS; kill++) {
    const child = shaken.start(ARGS);
    const ended = new Promise((resolve) => child.on("close", resolve));
    await Promise.race([ended, wait(300 + random() * 2200)]);
    child.kill("SIGKILL");
    await ended;
    endScriptsBelow(shaken.folder);
    // At every moment a whole submission stands there, from the first steps on.
    const file = path.join(shaken.folder, "submission/submission.csv");
    if (fs.existsSync(file)) expect(fs.readFileSync(file, "utf8").split("\n")).toHaveLength(62);
  }
  const last = await shaken.run(ARGS);
  expect([last.code, last.output]).toEqual([0, expect.stringContaining("ended: steps")]);
  const [undisturbed, resumed] = [await calm.journal(), await shaken.journal()];
  expect(resumed.doubts).toEqual([]);
  expect(lasting(resumed.steps)).toEqual(lasting(undisturbed.steps));
  expect(undisturbed.steps.filter(({ phase }) => phase === "search")).toHaveLength(STEPS);
  expect(shaken.text("submission/submission.csv")).toBe(calm.text("submission/submission.csv"));
  await calm.end();
  await shaken.end();
}, 280_000);
