// full: fills disks and fails writes one by one, each with a trial of its own
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { trialPaths } from "../../../src/trials/trial/folder.ts";
import type { Outcome } from "../../../src/trials/trial/schema.ts";
import { FULL } from "../../full.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { KIND } from "./kinds.ts";
import { plan, runPlanned, runScript, scene } from "./setting.ts";

/** Mounting a disk of a few megabytes takes root. */
const IS_ROOT = process.getuid?.() === 0 && process.platform === "linux";
const mounted: string[] = [];
afterAll(() => {
  for (const folder of mounted) execFileSync("umount", ["-l", folder]);
});

function smallDisk(): string {
  const folder = path.join(temporaryFolder(), "disk");
  fs.mkdirSync(folder);
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "none", folder]);
  mounted.push(folder);
  return folder;
}

const SUBMIT = `cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"`;
const FILL = `sleep 1\ncat /dev/zero > "$LOGS_DIR/filler" 2>/dev/null`;

describe.skipIf(!IS_ROOT)("an agent that fills the host's own disk", () => {
  test("loses lines of its log, ends as it would have, and harms no other trial", async () => {
    const talk = `for n in 1 2 3 4 5 6 7 8; do yes "line $n" | head -c 100000; sleep 0.3; done\nrm "$LOGS_DIR/filler"\nexit 0`;
    const full = { ...scene(`${SUBMIT}\n${FILL}\n${talk}`), runsDir: smallDisk() };
    const [ran, other] = await Promise.all([
      plan(full, { sandbox: KIND }).then((folder) => runPlanned(folder)),
      runScript(`${SUBMIT}\nsleep 4`, { sandbox: KIND }),
    ]);
    expect(ran.trial.outcome).toMatchObject({ stopReason: "exited" });
    expect(ran.trial.final?.sha256).not.toBeNull();
    expect(fs.existsSync(trialPaths(ran.trialFolder).certificate)).toBe(true);
    expect(other.trial.outcome).toMatchObject({ stopReason: "exited" });
    expect(other.trial.measurements?.wallSeconds).toBeLessThan(30);
  });

  test("until the end, so that its submission cannot be kept, is started again, and the machine is blamed", async () => {
    const ask = `while :; do sh "\${AGENT_DIR%/agent}/validate_submission.sh" "$SUBMISSION_DIR/submission.csv"; sleep 0.2; done`;
    const full = { ...scene(`${SUBMIT}\n${FILL}\n${ask}`), runsDir: smallDisk() };
    const folder = await plan(full, { sandbox: KIND, timeSeconds: 5, graceSeconds: 1 });
    const outcomes: (Outcome | null)[] = [];
    // Where not even the group's own file can be written, that is what is said.
    await runPlanned(folder, { onTrialEnd: ({ trial }) => outcomes.push(trial.outcome) }).catch(
      (error: NodeJS.ErrnoException) => expect(error.code).toBe("ENOSPC"),
    );
    expect(outcomes).toEqual([
      expect.objectContaining({
        stopReason: "harness error",
        blame: "host",
        message: expect.stringContaining("The disk of this machine is full."),
      }),
    ]);
  });
});

test.skipIf(!FULL)("an upload may take what is left of the disk limit, not all of it once more", async () => {
  const MIB = 2 ** 20;
  const check = (file: string) =>
    `echo "$(sh "\${AGENT_DIR%/agent}/validate_submission.sh" "${file}" 2>&1 | tr '\\n' ' ')"`;
  const script = [
    `head -c ${6 * MIB} /dev/zero > "$LOGS_DIR/half"`,
    SUBMIT,
    check("$LOGS_DIR/half"),
    check("$SUBMISSION_DIR/submission.csv"),
  ].join("\n");
  const diskBytes = { value: 10 * MIB, required: false };
  const { trial, trialFolder } = await runScript(script, { sandbox: KIND, diskBytes });
  expect(trial.outcome).toMatchObject({ stopReason: "exited" });
  const said = fs.readFileSync(trialPaths(trialFolder).stdout, "utf8").split("\n");
  // Where the client hangs up before it has read the answer, it says so itself.
  expect(said[0]).toMatch(/larger than the|reset|broken|closed|52|56/i);
  expect(said[0]).not.toMatch(/submission is/i);
  expect(said[1]).toMatch(/submission is valid/i);
});
