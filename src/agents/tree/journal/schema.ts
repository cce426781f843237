import { z } from "zod";

/**
 * The journal of a search agent, `logs/journal.jsonl` of the trial's folder (the agent writes `$LOGS_DIR/journal.jsonl`;
 * while it runs, the file grows there). One JSON object a line, only ever appended to. The first line is the head, each
 * other line one step, in the order in which the steps ended; `step` counts from 0. A kill may leave half a line at the
 * end: readers pass over it, the agent cuts it off before it goes on.
 *
 * `logs/journal.json` beside it is the same in the form of AIDE (version "2"), written when the search ends.
 */
export const JOURNAL_SCHEMA = "mlebench/journal";
export const STEP_SCHEMA = "mlebench/journal-step";
export const JOURNAL_VERSION = 1;

const Direction = z.enum(["maximize", "minimize"]);

export const JournalHead = z.object({
  schema: z.literal(JOURNAL_SCHEMA),
  version: z.int(),
  /** The preset, such as `tree/aide`. */
  preset: z.string(),
  /** Every setting of the search by its full name. */
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  competition: z.string(),
  seed: z.int(),
  language: z.string(),
  /** The models asked, by role. */
  models: z.record(z.string(), z.string()),
  /** Null where the description does not say which way is better, and no step has told yet. */
  direction: Direction.nullable(),
  metric: z.string().nullable(),
  /** Who measures: `hold-out` (the agent itself, on hidden rows), `reported` (what scripts print). */
  measuredBy: z.string(),
  startedAt: z.string(),
});
export type JournalHead = z.infer<typeof JournalHead>;

const Metric = z.object({
  name: z.string(),
  value: z.number(),
  direction: Direction,
  /** `hold-out`: hidden rows, our own metric; `reported`: the script's METRIC line; `review`: the reviewing model. */
  source: z.string(),
  /** The value on each fold of the hidden rows; empty where it was measured once. */
  folds: z.array(z.number()),
  /** Standard deviation over the folds; null for fewer than two. */
  spread: z.number().nullable(),
});

export const JournalStep = z.object({
  schema: z.literal(STEP_SCHEMA),
  version: z.int(),
  step: z.int().min(0),
  id: z.string(),
  /** The step it was made from; null for a draft. There is never more than one. */
  parent: z.string().nullable(),
  /** Further steps that it took something from: the other half of a crossover, the members of an ensemble. */
  sources: z.array(z.string()),
  /** Today: draft, improve, debug, refine, crossover, ensemble, baseline, reevaluate, final. More may come. */
  operator: z.string(),
  /** As AIDE derives it: no parent, a parent with a fault, or a good one. */
  stage: z.enum(["draft", "debug", "improve"]),
  /** `search` guides, `endgame` only chooses. */
  phase: z.enum(["search", "endgame"]),
  /** What the model said it would do. */
  plan: z.string(),
  /** Of the messages sent, times and remaining steps left out; null where no model was asked. */
  promptSha256: z.string().nullable(),
  language: z.string(),
  /** Beside the journal, such as `attempts/0007/solution.py`. */
  codePath: z.string().nullable(),
  codeSha256: z.string().nullable(),
  /** The code itself; null where it is too long to stand here. */
  code: z.string().nullable(),
  /** Against the parent's code, as a unified diff; "" for a draft. */
  diff: z.string(),
  /** What the script printed, its middle left out where it is long. */
  output: z.string(),
  /** What the reviewer, or the check that stands for it, says in a sentence or two. */
  analysis: z.string(),
  metric: Metric.nullable(),
  /** On the rows that only choose the end; steps of the endgame alone have it. */
  choice: Metric.nullable(),
  validity: z.object({
    status: z.enum(["valid", "invalid", "unchecked", "none"]),
    message: z.string(),
  }),
  buggy: z.boolean(),
  /**
   * Why it gave nothing that can be used. Kinds today: no code, model, exception, timeout, memory, disk, output, no submission,
   * invalid submission, no metric, absurd metric, other metric, leak, too good, sample copy, review.
   */
  why: z.object({ kind: z.string(), message: z.string() }).nullable(),
  submissionSha256: z.string().nullable(),
  tokens: z.object({ input: z.number(), output: z.number() }),
  /** USD; null where the agent is not told. The ledger of the trial has it, by `modelCalls`. */
  cost: z.number().nullable(),
  /** The ids of the replies, as the ledger has them. */
  modelCalls: z.array(z.string()),
  startedAt: z.string(),
  endedAt: z.string(),
  modelSeconds: z.number(),
  executionSeconds: z.number(),
  /** The most memory the script and what it started held at a time, in bytes; null where it was not measured. */
  memory: z.number().nullable(),
  exitCode: z.int().nullable(),
  /** Whether it was the best of all when it ended; the last step with `true` is the best one. */
  isBest: z.boolean(),
});
export type JournalStep = z.infer<typeof JournalStep>;
export type StepMetric = z.infer<typeof Metric>;
