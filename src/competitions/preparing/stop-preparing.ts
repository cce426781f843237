import type { PrepareProblem } from "../preparer.ts";

/**
 * Carries a problem of the raw data from wherever it is met to `runPreparer`, which turns it into an outcome. The one deliberate
 * exception: 82 preparers call these blocks on every line, and passing an outcome by hand each time would bury what they do.
 */
export class PreparationStopped extends Error {
  override name = "PreparationStopped";
  readonly problem: PrepareProblem;

  constructor(problem: PrepareProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Ends the preparation with a problem. */
export function stopPreparing(problem: PrepareProblem): never {
  throw new PreparationStopped(problem);
}

/** Ends the preparation because a file of the download is not what it should be; `message` reads on from the file's name. */
export function malformed(file: string, message: string): never {
  return stopPreparing({
    code: "RAW_MALFORMED",
    file,
    message: `${file} ${message}.`,
    next: "Check that the download is complete and belongs to this competition; if in doubt download it again.",
  });
}

/** Ends the preparation because there are too few items for what is asked of them. */
export function impossibleSplit(message: string): never {
  return stopPreparing({
    code: "SPLIT_IMPOSSIBLE",
    file: null,
    message,
    next: "Check that the download is complete, or set another size.",
  });
}

/** Ends the preparation because a file of the download is not there. */
export function missingFile(file: string): never {
  return stopPreparing({
    code: "RAW_FILE_MISSING",
    file,
    message: `${file} is not in the raw data.`,
    next: "Check that the download is complete and unpacked; if in doubt download it again.",
  });
}
