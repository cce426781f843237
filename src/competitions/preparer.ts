/** Constants of a preparer that `--set key=value` may replace. A changed one makes the result unofficial. */
export type Settings = Readonly<Record<string, number | string | boolean>>;

/** What a preparer works with. All folders exist; `public`, `private` and `scratch` are empty. */
export interface Preparation<S extends Settings = Settings> {
  /** The unpacked download. Never changed: what has to be unpacked further goes to `scratch`. */
  readonly raw: string;
  readonly public: string;
  readonly private: string;
  /** For intermediate files, on the disk of the results, so that moving from here to there costs nothing. Removed at the end. */
  readonly scratch: string;
  readonly settings: S;
  /** For official sizes that do not hold and the like: reported in the summary, never a stop. */
  warn(message: string): void;
  progress(step: PreparationStep): void;
  /** Set when the user interrupts. The shared blocks look at it between steps. */
  readonly signal: AbortSignal;
}

export interface PreparationStep {
  readonly what: string;
  readonly done: number;
  readonly total?: number;
  /** What is counted; steps unless it says bytes. */
  readonly unit?: "bytes";
}

/** Why raw data could not be prepared, in words for whoever has to do something about it. */
export interface PrepareProblem {
  readonly code:
    | "RAW_FILE_MISSING"
    | "RAW_MALFORMED"
    | "RAW_ARCHIVE"
    | "SPLIT_IMPOSSIBLE"
    | "BAD_SETTING"
    | "NO_SUCH_VERSION"
    | "DISK_FULL"
    | "HOST_FAILED";
  /** The file at fault, relative to the raw folder where it lies there. */
  readonly file: string | null;
  readonly message: string;
  /** What to do about it. */
  readonly next: string;
}

export type PrepareOutcome =
  | { readonly status: "prepared"; readonly warnings: readonly string[] }
  | { readonly status: "failed"; readonly problem: PrepareProblem; readonly warnings: readonly string[] }
  | { readonly status: "interrupted" };

export interface Preparer<S extends Settings = Settings> {
  /** Defaults of the constants; only these keys can be set. */
  readonly settings?: S;
  /** Fills `public` and `private`. Data that cannot be prepared ends it through `stopPreparing`. */
  prepare(preparation: Preparation<S>): Promise<void>;
  /** The corrected version of the data, where a known defect can be repaired. It shares the settings. */
  prepareV2?(preparation: Preparation<S>): Promise<void>;
}

/** The contract of a competition's `prepare.ts`, which exports the result as `preparer`. */
export function definePreparer<S extends Settings>(preparer: Preparer<S>): Preparer {
  return preparer as unknown as Preparer;
}
