import { join } from "node:path";
import type { Preparation } from "../../preparer.ts";
import { copyFiles } from "./copy-files.ts";

const SAMPLE = "sample_submission.csv";

/** Version v2 of competitions whose sample submission the original prepares into the private folder alone. */
export async function publishSample(preparation: Preparation): Promise<void> {
  await copyFiles(preparation, "copying the sample submission", [
    [join(preparation.private, SAMPLE), join(preparation.public, SAMPLE)],
  ]);
}
