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

/**
 * A signed and graded group of two trials, the first of which was interrupted and started again; and another one of the
 * same agent, competition, seeds and signer.
 */
export async function signedGroup(): Promise<{
  folder: string;
  other: string;
  trustedKey: string;
  publicKey: string;
  mallory: SigningKey;
}> {
  const setting = scene(SCRIPT);
  const keys = path.join(setting.root, "keys");
  createKey(keys, "alice");
  createKey(keys, "mallory");
  const planned = () =>
    plan(setting, { sandbox: "process", signingKey: path.join(keys, "alice.key") }, { seeds: 2 });
  const folder = await planned();
  const stop = new AbortController();
  await runPlanned(folder, {
    interrupted: stop.signal,
    onTrialStart: () => void setTimeout(() => stop.abort(), 300),
  });
  await runPlanned(folder);
  await grade(folder);
  const other = await planned();
  await runPlanned(other);
  await grade(other);
  return {
    folder,
    other,
    trustedKey: readFingerprint(path.join(keys, "alice.pub"))!,
    publicKey: path.join(keys, "alice.pub"),
    mallory: readSigningKey(path.join(keys, "mallory.key"))!,
  };
}

async function grade(folder: string): Promise<void> {
  const graded = await gradeGroup(folder, {});
  if (graded.status !== "graded") throw new Error(graded.problem.message);
}
