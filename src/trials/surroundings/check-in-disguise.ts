import fs from "node:fs";
import path from "node:path";
import type { Disguise } from "../../data/disguise/disguise.ts";
import type { FormatCheck } from "../../grading/grade-submission.ts";
import { captureFile } from "../trial/capture-file.ts";

/** Checks an upload under the names the grader knows, and says what is wrong under those the agent knows. */
export async function checkInDisguise(
  disguise: Disguise | null,
  file: string,
  check: (file: string) => Promise<FormatCheck>,
): Promise<FormatCheck> {
  if (disguise === null) return check(file);
  const folder = path.dirname(file);
  const copied = await captureFile(file, folder, {
    maxBytes: Number.POSITIVE_INFINITY,
    keep: true,
    header: disguise.undoHeader,
  });
  if (copied.status !== "captured") return check(file);
  const plain = path.join(folder, `${copied.sha256}.csv`);
  try {
    const checked = await check(plain);
    if (checked.status === "invalid")
      return {
        ...checked,
        reasons: checked.reasons.map((reason) => ({ ...reason, message: disguise.toAgent(reason.message) })),
      };
    return "message" in checked ? { ...checked, message: disguise.toAgent(checked.message) } : checked;
  } finally {
    fs.rmSync(plain, { force: true });
  }
}
