import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { mlebench } from "../cli.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

/**
 * An agent is given a copy of its own folder, and materials as they are: what nobody may show it must not lie in either, or it
 * reads the answers, or the results of its earlier trials, in its own home.
 */
function ownFolder() {
  const folder = temporaryFolder();
  writeText(
    folder,
    "mine/agent.sh",
    'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"\n',
  );
  const entry = { command: ["sh", "/home/agent/agent.sh"] };
  writeText(folder, "mine/config.yaml", JSON.stringify({ mine: entry }));
  const elsewhere = temporaryFolder();
  const run = (options: Record<string, string>) => {
    const given = {
      ...{ "--agents-dir": path.join(folder, "mine"), "--data-dir": path.join(elsewhere, "data") },
      ...{ "--runs-dir": path.join(elsewhere, "runs"), "--sandbox": "process", ...options },
    };
    return mlebench(["run", "--agent", "mine", "-c", "starter-spam", ...Object.entries(given).flat()]);
  };
  return { folder, mine: path.join(folder, "mine"), elsewhere, run };
}

test("an agent's folder in which runs, data, competitions or keys lie is refused before anything is written", () => {
  const { folder, mine, elsewhere, run } = ownFolder();
  const key = path.join(mine, "keys");
  expect(mlebench(["keys", "create", "--folder", key, "--name", "key"]).code).toBe(0);
  const asked: [string, Record<string, string>, string][] = [
    ["the run groups", { "--runs-dir": path.join(mine, "runs") }, "--runs-dir <folder>"],
    ["the prepared data", { "--data-dir": path.join(mine, "deep/data") }, "keep one of the two elsewhere"],
    ["your own competitions", { "--competitions": mine }, "keep one of the two elsewhere"],
    ["the signing key", { "--sign": path.join(key, "key.key") }, "keep one of the two elsewhere"],
  ];
  // A link to a folder is that folder.
  fs.symlinkSync(mine, path.join(folder, "link"));
  asked.push(["the prepared data", { "--data-dir": path.join(folder, "link/data") }, "elsewhere"]);
  for (const [what, options, nextStep] of asked) {
    const { code, stderr } = run(options);
    expect([code, stderr]).toEqual([2, expect.stringContaining("NOT_TO_BE_SHOWN")]);
    expect(stderr).toContain(`The agent's folder (${mine}) would be shown to the agent with ${what} in it`);
    expect(stderr).toContain(nextStep);
  }
  expect(fs.existsSync(path.join(mine, "runs"))).toBe(false);
  // Beside it is where they belong: then only the data are missing.
  const beside = run({ "--runs-dir": path.join(folder, "runs"), "--data-dir": path.join(folder, "data") });
  expect([beside.code, beside.stderr]).toEqual([2, expect.stringContaining("NOT_PREPARED")]);
  const materials = run({ "--materials": elsewhere });
  expect([materials.code, materials.stderr]).toEqual([2, expect.stringContaining("--materials (")]);
}, 60_000);
