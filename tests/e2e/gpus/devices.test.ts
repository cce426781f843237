// full: two device files that look like GPUs, in a /dev of its own; scripts/try-gpu.sh has real ones
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { notTested } from "../../tools.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";
import { KINDS } from "../trials/kinds.ts";
import { COMPETITION, scene } from "../trials/setting.ts";

const MAIN = path.resolve("dist/cli/main.js");
const PRIVATE_DEV = path.resolve("tests/e2e/gpus/private-dev.sh");

/** What the driver's own program prints, for two devices of which the second one is busy. */
const NVIDIA_SMI = `#!/bin/sh
if [ "$1" = -L ]; then
  echo "GPU 0: NVIDIA Test 80GB (UUID: GPU-00000000-0000-0000-0000-000000000000)"
  echo "GPU 1: NVIDIA Test 80GB (UUID: GPU-11111111-1111-1111-1111-111111111111)"
  exit
fi
case "$*" in *GPU-0*) echo "GPU-00000000-0000-0000-0000-000000000000, NVIDIA Test 80GB, 81920, 550.1, 10, 0";; esac
case "$*" in *GPU-1*) echo "GPU-11111111-1111-1111-1111-111111111111, NVIDIA Test 80GB, 81920, 550.1, 4096, 75";; esac
`;

const isRoot = process.getuid?.() === 0 && spawnSync("unshare", ["-m", "true"]).status === 0;
if (!isRoot)
  notTested({
    what: "GPUs that a trial has for itself",
    why: "a /dev of one's own needs root",
    command: "run the tests as root",
    ofThisPlace: true,
  });

function mlebenchWithGpus(programs: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, ...variables, PATH: `${programs}:${process.env.PATH}` };
  const command = ["-m", "--propagation", "private", "bash", PRIVATE_DEV, process.execPath, MAIN, ...args];
  return spawnSync("unshare", command, { env, encoding: "utf8", timeout: 120_000 });
}

test.runIf(isRoot).each(KINDS)(
  "in %s each trial has a GPU for itself, and its record says what it used",
  (kind) => {
    const programs = temporaryFolder();
    writeText(programs, "nvidia-smi", NVIDIA_SMI);
    fs.chmodSync(path.join(programs, "nvidia-smi"), 0o755);
    const setting = scene(
      'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"; ls /dev | grep -E "^nvidia[0-9]" | tr "\\n" " "; echo "$CUDA_VISIBLE_DEVICES"; sleep 2',
    );
    const { agentsDir, dataDir, runsDir } = setting;
    const places = ["--agents-dir", agentsDir, "--data-dir", dataDir, "--runs-dir", runsDir, "--name", "g"];
    const ran = mlebenchWithGpus(programs, [
      ...["run", "--agent", "scripted", ...places, "-c", COMPETITION, "--seeds", "2", "--workers", "2"],
      ...["--gpus", "1", "--sandbox", kind, "--time-limit", "60s"],
    ]);
    expect([ran.status, ran.stderr]).toEqual([0, expect.not.stringContaining("error")]);
    const group = path.join(runsDir, "g");
    const trials = fs.readdirSync(group).filter((name) => name.startsWith(COMPETITION));
    const seen = trials.map((name) => {
      const record = JSON.parse(fs.readFileSync(path.join(group, name, "trial.json"), "utf8"));
      const output = fs.readFileSync(path.join(group, name, "stdout.log"), "utf8").trim();
      return { gpus: record.gpus, output, use: record.gpuUse };
    });
    const uuidOf = (slot: string) =>
      `GPU-${slot.repeat(8)}-${slot.repeat(4)}-${slot.repeat(4)}-${slot.repeat(4)}-${slot.repeat(12)}`;
    expect(seen.flatMap(({ gpus }) => gpus).sort()).toEqual(["0", "1"]);
    for (const { gpus, output, use } of seen) {
      const [slot] = gpus;
      const devices = kind === "process" ? "nvidia0 nvidia1" : `nvidia${slot}`;
      expect(output).toBe(`${devices} ${uuidOf(slot)}`);
      expect(use).toMatchObject([
        {
          slot,
          uuid: uuidOf(slot),
          name: "NVIDIA Test 80GB",
          driver: "550.1",
          memoryBytes: 80 * 2 ** 30,
          peakMemoryBytes: slot === "1" ? 4 * 2 ** 30 : 10 * 2 ** 20,
          peakUtilisation: slot === "1" ? 0.75 : 0,
        },
      ]);
    }
    const verified = spawnSync(process.execPath, [MAIN, "verify", group], { encoding: "utf8" });
    expect(verified.status, verified.stdout).toBe(0);
  },
);

test.runIf(isRoot).each(KINDS)("env check in %s sees the devices it asked for, and refuses more", (kind) => {
  const programs = temporaryFolder();
  writeText(programs, "nvidia-smi", NVIDIA_SMI);
  fs.chmodSync(path.join(programs, "nvidia-smi"), 0o755);
  const check = (count: string, variables?: NodeJS.ProcessEnv) =>
    mlebenchWithGpus(programs, ["env", "check", "--sandbox", kind, "--gpus", count, "--json"], variables);
  const one = check("1");
  expect(one.status, one.stderr).toBe(0);
  expect(JSON.parse(one.stdout)).toMatchObject({
    gpuDevices: kind === "process" ? ["/dev/nvidia0", "/dev/nvidia1"] : ["/dev/nvidia0"],
    gpuVisible: "GPU-00000000-0000-0000-0000-000000000000",
  });
  const three = check("3");
  expect([three.status, three.stdout]).toEqual([3, expect.stringContaining("3 GPUs asked for")]);
  // Others are somebody else's.
  const second = check("1", { CUDA_VISIBLE_DEVICES: "1" });
  expect(JSON.parse(second.stdout)).toMatchObject({ gpuVisible: "GPU-11111111-1111-1111-1111-111111111111" });
  const both = check("2", { CUDA_VISIBLE_DEVICES: "1" });
  expect([both.status, both.stdout]).toEqual([3, expect.stringContaining("1 that you may use")]);
});
