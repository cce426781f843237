import fs from "node:fs";
import path from "node:path";
import type { AgentContract } from "../kit/contract.ts";
import { findSamples } from "./find-sample.ts";

/** A copy of the sample submission as it lies there, before anything is read: on a busy machine reading takes seconds. */
export function placeSample({ data, submission }: AgentContract): void {
  const plain = findSamples(data).find(({ packed }) => !packed);
  if (plain === undefined) return;
  const fresh = path.join(submission, ".submission.csv.new");
  fs.copyFileSync(plain.file, fresh);
  fs.renameSync(fresh, path.join(submission, "submission.csv"));
}
