import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createChunkedFile } from "../../table/csv/chunked-file.ts";
import { csvField, csvRow } from "../../table/csv/writer.ts";
import type { AgentContract } from "../kit/contract.ts";
import { validateSubmission } from "../kit/validate-client.ts";
import { formatProblem } from "./format-check.ts";
import type { Cells } from "./reading/cells.ts";
import type { TextTable } from "./reading/text-table.ts";

export type OfferOutcome = { status: "placed" } | { status: "refused"; reason: string };

/** Places a file at the submission's path by renaming, if it is well-formed. */
export type Offer = (targets: readonly Cells[]) => Promise<OfferOutcome>;

const VALIDATION_SECONDS = 5;

/**
 * The submission of a trial. At every moment a whole file stands there, and one that is valid is never replaced by
 * one that is not: our own check decides, and the harness where it answers in time.
 */
export function submissionFile(contract: AgentContract, sample: TextTable): Offer {
  const target = path.join(contract.submission, "submission.csv");
  const fresh = path.join(contract.submission, ".submission.csv.new");
  return async (targets) => {
    const columns = [sample.columns[0], ...targets];
    fs.rmSync(fresh, { force: true });
    const file = createChunkedFile(fresh);
    file.write(lineOf(sample.header));
    for (let row = 0; row < sample.rows; row++)
      file.write(lineOf(columns.map((cells) => cells.at(row) ?? "")));
    file.close();
    const reason = formatProblem(fresh, sample) ?? (await harnessProblem(contract.validateUrl, fresh));
    if (reason !== null) {
      fs.rmSync(fresh, { force: true });
      return { status: "refused", reason };
    }
    fs.renameSync(fresh, target);
    return { status: "placed" };
  };
}

function lineOf(cells: readonly string[]): string {
  return csvRow(cells.map((cell) => csvField(cell)));
}

/** What the harness finds wrong; null too when it does not answer. */
async function harnessProblem(url: string, file: string): Promise<string | null> {
  const silence = new AbortController();
  const reply = await Promise.race([
    validateSubmission(url, file),
    wait(VALIDATION_SECONDS * 1000, null, { signal: silence.signal }),
  ]);
  silence.abort();
  return reply?.status === "answered" && !reply.isValid ? reply.result : null;
}
