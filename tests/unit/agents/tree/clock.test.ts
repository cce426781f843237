import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readContract } from "../../../../src/agents/kit/contract.ts";
import type { AskModel } from "../../../../src/agents/kit/model-client.ts";
import { searchClock } from "../../../../src/agents/tree/engine/clock.ts";
import { runAttempt } from "../../../../src/agents/tree/execution/attempt.ts";
import { findLanguage } from "../../../../src/agents/tree/execution/language.ts";
import { askForCode, nothingSpent } from "../../../../src/agents/tree/operators/ask.ts";
import { temporaryFolder } from "../../../e2e/temporary-folder.ts";
import { ALONE, settingsWith } from "./nodes.ts";

const START = 1_000_000;

/** A clock at so many seconds after the start of a trial of so many. */
function clockAt(
  elapsed: { seconds: number },
  limit: number,
  own: Parameters<typeof settingsWith>[0] = {},
  workers = 1,
) {
  const contract = readContract({
    TIME_LIMIT_SECS: String(limit),
    MLEBENCH_DEADLINE_EPOCH: String(START + limit),
    MEMORY_LIMIT_BYTES: String(8 * 2 ** 30),
  });
  return searchClock(contract, settingsWith(own), workers, () => 1000 * (START + elapsed.seconds));
}

describe("budgets", () => {
  it("of time are never exceeded: a step that may begin ends before the reserve, an end before the deadline", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 90_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 40_000, noNaN: true }),
        fc.boolean(),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        (limit, share, longest, endgame, reserved) => {
          const elapsed = { seconds: share * limit };
          const clock = clockAt(elapsed, limit, {
            "parts.endgame": endgame,
            "parts.endgame_share": reserved,
          });
          clock.noteExecution(longest);
          const kept = endgame ? reserved * limit : 0;
          const latest = limit - Math.max(5, Math.min(30, 0.02 * limit));
          if (!clock.isSearchOver()) {
            for (const seconds of [clock.executionSeconds(), clock.baselineSeconds(), clock.searchSeconds()])
              if (elapsed.seconds + seconds > latest - kept + 1e-6) return false;
          }
          clock.enterEndgame();
          const end = elapsed.seconds + clock.executionSeconds();
          // Two seconds at least are given, and five at least were kept back.
          return end <= Math.max(latest, elapsed.seconds + 2) + 1e-6;
        },
      ),
    );
  });

  it("of time bind a model however often it is asked again", async () => {
    const end = performance.now() + 600;
    const slow: AskModel = async () => {
      await wait(400);
      return { status: "answered", text: "No program.", toolCalls: [], inputTokens: 1, outputTokens: 1 };
    };
    const written = await askForCode(slow, [], nothingSpent(), () => (end - performance.now()) / 1000);
    expect(written).toEqual({ status: "no model", spent: false, message: "the time is over" });
  });

  it("of time leave the baseline a tenth at most, whatever a program may take", () => {
    const quick = { "exec.timeout": 5, "parts.baseline_seconds": 960 };
    expect(clockAt({ seconds: 0 }, 86_400, quick).baselineSeconds()).toBe(960);
    expect(clockAt({ seconds: 0 }, 3600, quick).baselineSeconds()).toBe(360);
    expect(clockAt({ seconds: 0 }, 100, quick).baselineSeconds()).toBe(30);
    expect(clockAt({ seconds: 90 }, 100, quick).baselineSeconds()).toBe(5);
  });

  it("of memory are shared evenly by the workers, the agent's own part left out", () => {
    for (const workers of [1, 2, 3, 8]) {
      const { memoryBytes } = clockAt({ seconds: 0 }, 100, {}, workers);
      expect(workers * memoryBytes + 512 * 2 ** 20).toBeLessThanOrEqual(8 * 2 ** 30);
    }
  });

  it("of threads reach the programs", async () => {
    const folder = temporaryFolder();
    const threads = Math.max(1, Math.floor(os.availableParallelism() / 2));
    const place = {
      ...{ kept: path.join(folder, "kept"), scratch: path.join(folder, "scratch") },
      ...{ language: findLanguage("js"), seed: 0, threads, ...ALONE },
    };
    const code = `console.log(["OMP", "OPENBLAS", "MKL"].map((name) => process.env[name + "_NUM_THREADS"]).join());\n`;
    const { output } = await runAttempt(place, {
      ...{ name: "0000", code, data: folder, timeoutSeconds: 20, memoryBytes: 2 ** 30 },
    });
    expect(output.trim()).toBe(`${threads},${threads},${threads}`);
  });
});
