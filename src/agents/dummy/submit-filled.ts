import fs from "node:fs";
import path from "node:path";
import { nextDouble, seededByInteger } from "../../random/mt19937.ts";
import { readTextTable } from "../baseline/reading/text-table.ts";
import { submissionFile } from "../baseline/submission-file.ts";
import type { AgentContract } from "../kit/contract.ts";
import { type Check, mustBe, noted } from "./check.ts";
import { FILLS, type Fill, fillTargets } from "./fill.ts";

/** Beyond this the sample submission stays as it is: it is only a test of the sandbox. */
const MAX_BYTES = 2 ** 26;

/** What `--fill` asks for: null when it was not given. */
export function wantedFill(args: readonly string[]): Fill | "unknown" | null {
  const at = args.indexOf("--fill");
  if (at === -1) return null;
  return FILLS.find((name) => name === args[at + 1]) ?? "unknown";
}

/** Replaces the sample submission that stands there by one with other values, unless the harness calls it invalid. */
export async function submitFilled(contract: AgentContract, fill: Fill | "unknown"): Promise<Check> {
  if (fill === "unknown") return mustBe("fill", false, `--fill takes ${FILLS.join(", ")}`);
  const file = path.join(contract.submission, "submission.csv");
  const sample = isSmall(file) ? readTextTable(file) : null;
  if (sample === null || sample.rows === 0 || sample.header.length < 2)
    return noted("fill", "the sample submission stays as it is: too large, or no table");
  const trainFile = path.join(contract.data, "train.csv");
  const train = isSmall(trainFile) ? readTextTable(trainFile) : null;
  const generator = seededByInteger(contract.seed);
  const targets = fillTargets(fill, sample, train, () => nextDouble(generator));
  const outcome = await submissionFile(contract, sample)(targets);
  const detail = outcome.status === "placed" ? fill : `the sample submission stays: ${outcome.reason}`;
  return noted("fill", detail);
}

function isSmall(file: string): boolean {
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size <= MAX_BYTES;
}
