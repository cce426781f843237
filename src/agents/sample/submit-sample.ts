import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { AgentContract } from "../kit/contract.ts";
import { type ValidationReply, validateSubmission } from "../kit/validate-client.ts";
import { findSamples } from "./find-sample.ts";
import { unpackSample } from "./unpack-sample.ts";

export interface SampleOutcome {
  /** Below the data folder; null when there is nothing that looks like one. */
  from: string | null;
  reply: ValidationReply | null;
}

/**
 * Submits the sample submission: the first candidate that the harness calls valid, or else the first there is. The
 * submission is replaced by renaming, so that at every moment a whole file stands there.
 */
export async function submitSample(contract: AgentContract): Promise<SampleOutcome> {
  const { data, submission, validateUrl } = contract;
  const target = path.join(submission, "submission.csv");
  let first: SampleOutcome | null = null;
  for (const { file, packed } of findSamples(data)) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "sample-"));
    try {
      const source = packed ? await unpackSample(file, folder) : file;
      if (source === null) continue;
      const fresh = path.join(submission, ".submission.csv.new");
      fs.copyFileSync(source, fresh);
      const reply = await validateSubmission(validateUrl, fresh);
      const outcome = { from: path.relative(data, file), reply };
      const isValid = reply.status === "answered" && reply.isValid;
      if (isValid || first === null) fs.renameSync(fresh, target);
      else fs.rmSync(fresh);
      first ??= outcome;
      if (isValid) return outcome;
      if (reply.status === "no answer") break;
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }
  return first ?? { from: null, reply: null };
}
