import { z } from "zod";
import { readPlainText } from "../../files/plain-file.ts";

const PREFIX = "MLE_BENCH_LITE_RESULT=";
const MAX_BYTES = 2 ** 20;
/** The original keeps both streams in one run.log, where it marks the agent's lines. */
const LINE_BEGINNING = /^\s*(?:\[Container\]\s*)?$/;
/** What the sandbox writes at the end of a stream that it had to cut. */
const OUTPUT_CUT = /\[mlebench\] output limit reached/;

const CvMetric = z.object({
  name: z.string(),
  value: z.number(),
  direction: z.enum(["maximize", "minimize"]),
});

const ReportedTask = z.object({
  competition_id: z.string(),
  status: z.enum(["completed", "failed", "skipped"]),
  submission: z.string().nullish(),
  metrics: z.string().nullish(),
  report: z.string().nullish(),
  runtime_seconds: z.number().min(0).optional(),
  peak_memory_mb: z.number().min(0).optional(),
  cv_metric: CvMetric.optional(),
});

/** What an agent says about its own run. Keys that are not here are ignored. */
const ResultLine = z.object({
  seed: z.int(),
  runtime_seconds: z.number().min(0),
  peak_memory_mb: z.number().min(0),
  artifacts: z.array(
    z.union([z.string(), z.object({ path: z.string(), sha256: z.string(), bytes: z.int().min(0) })]),
  ),
  tasks: z.array(ReportedTask),
  replay: z.object({
    command: z.array(z.string()).min(1),
    code_sha256: z.string().optional(),
    submission_sha256: z.string().optional(),
    environment: z.union([z.string(), z.record(z.string(), z.unknown())]),
  }),
});
export type ResultLine = z.infer<typeof ResultLine>;

type ResultStatus = "ok" | "schema_error" | "malformed_json" | "missing" | "truncated";

export interface FoundResult {
  status: ResultStatus;
  /** Null unless the status is ok. */
  line: ResultLine | null;
  problems: string[];
}

/**
 * The last result line of either stream. The two streams are kept apart, so "last" is decided within each; a valid
 * line wins over an invalid one, and standard output over standard error.
 */
export function readResultLine(streams: readonly string[]): FoundResult {
  const found = streams.map((file) => lastResult(file)).filter((result) => result !== null);
  return (
    found.find(({ status }) => status === "ok") ??
    found.find(({ status }) => status !== "missing") ??
    found[0] ?? { status: "missing", line: null, problems: ["neither stream was kept"] }
  );
}

const MAX_OUTPUT_BYTES = 2 ** 28;

function lastResult(file: string): FoundResult | null {
  let text: string;
  try {
    text = readPlainText(file, { maxBytes: MAX_OUTPUT_BYTES, links: "refuse" });
  } catch {
    return null;
  }
  return parseResultOutput(text);
}

/** Goes back from the end: an agent may print the line of an earlier attempt first. */
export function parseResultOutput(text: string): FoundResult {
  let newest: FoundResult | null = null;
  let end = text.length;
  for (;;) {
    const at = text.lastIndexOf(PREFIX, end);
    if (at === -1) break;
    end = at - 1;
    const lineStart = text.lastIndexOf("\n", at) + 1;
    if (LINE_BEGINNING.test(text.slice(lineStart, at))) {
      const result = parseLine(text, at + PREFIX.length);
      if (result.status === "ok") return result;
      newest ??= result;
    }
    if (end < 0) break;
  }
  if (newest !== null) return newest;
  const cut = OUTPUT_CUT.test(text.slice(-200));
  return {
    status: cut ? "truncated" : "missing",
    line: null,
    problems: ["no line begins with MLE_BENCH_LITE_RESULT="],
  };
}

function parseLine(text: string, start: number): FoundResult {
  const newline = text.indexOf("\n", start);
  const content = text.slice(start, newline === -1 ? undefined : newline);
  if (Buffer.byteLength(content) > MAX_BYTES)
    return { status: "malformed_json", line: null, problems: ["the line is longer than 1 MiB"] };
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    const status = newline === -1 ? "truncated" : "malformed_json";
    return { status, line: null, problems: [(error as Error).message] };
  }
  const parsed = ResultLine.safeParse(value);
  if (parsed.success) return { status: "ok", line: parsed.data, problems: [] };
  const problems = parsed.error.issues.map(
    (issue) => `$${issue.path.map((key) => `.${String(key)}`).join("")}: ${issue.message}`,
  );
  return { status: "schema_error", line: null, problems };
}
