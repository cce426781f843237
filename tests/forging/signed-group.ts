import path from "node:path";
import {
  createKey,
  readFingerprint,
  readSigningKey,
  type SigningKey,
} from "../../src/trials/certificate/signing.ts";
import { gradeGroup } from "../../src/trials/group/grade.ts";
import { plan, runPlanned, scene } from "../e2e/trials/setting.ts";

const SCRIPT = `
echo "id,EAP,HPL,MWS" > "$SUBMISSION_DIR/submission.csv"
sleep 0.8
cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"
echo hello > "$LOGS_DIR/agent.log"
`;

/** A signed and graded group of two trials, the first of which was interrupted and started again. */
export async function signedGroup(): Promise<{ folder: string; trustedKey: string; mallory: SigningKey }> {
  const setting = scene(SCRIPT);
  const keys = path.join(setting.root, "keys");
  createKey(keys, "alice");
  createKey(keys, "mallory");
  const folder = await plan(
    setting,
    { sandbox: "process", signingKey: path.join(keys, "alice.key") },
    { seeds: 2 },
  );
  const stop = new AbortController();
  await runPlanned(folder, {
    interrupted: stop.signal,
    onTrialStart: () => void setTimeout(() => stop.abort(), 300),
  });
  await runPlanned(folder);
  const reportFile = (group: string) => path.join(group, "2026-01-01T00-00-00-UTC_grading_report.json");
  const graded = await gradeGroup(folder, { reportFile });
  if (graded.status !== "graded") throw new Error(graded.problem.message);
  return {
    folder,
    trustedKey: readFingerprint(path.join(keys, "alice.pub"))!,
    mallory: readSigningKey(path.join(keys, "mallory.key"))!,
  };
}
