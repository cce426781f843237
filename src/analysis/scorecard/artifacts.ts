import fs from "node:fs";
import path from "node:path";
import { z } from "zod";

/** How far an artifact meets the contract; 1, 0.5 and 0 in the formulas. */
export interface Artifact {
  state: "valid" | "invalid" | "absent";
  problems: string[];
}

/** `metrics.json`: what the agent itself measured. */
const OwnMetrics = z.object({
  metric: z.string().min(1),
  value: z.number(),
  direction: z.enum(["maximize", "minimize"]),
  validation: z.union([
    z.string().min(1),
    z.looseObject({ folds: z.number().optional(), n: z.number().optional() }),
  ]),
  seed: z.int().optional(),
});
export type OwnMetrics = z.infer<typeof OwnMetrics>;

const MAX_BYTES = 2 ** 20;

/** Beside the submission, where the contract wants it. `metrics` is null unless it is valid. */
export function readMetrics(trialFolder: string): Artifact & { metrics: OwnMetrics | null } {
  const text = readSmall(path.join(trialFolder, "submission", "metrics.json"));
  if (text === null) return { state: "absent", problems: ["metrics.json: there is none"], metrics: null };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { state: "invalid", problems: [`metrics.json: ${(error as Error).message}`], metrics: null };
  }
  const parsed = OwnMetrics.safeParse(value);
  if (parsed.success) return { state: "valid", problems: [], metrics: parsed.data };
  const problems = parsed.error.issues.map(
    (issue) => `metrics.json: ${issue.path.join(".") || "top level"}: ${issue.message}`,
  );
  return { state: "invalid", problems, metrics: null };
}

const CutShort = z.object({ cut: z.literal(true) });

/** Whether the agent says in `metrics.json` that the clock cut its plan; only our baseline does. */
export function saysItWasCut(trialFolder: string): boolean {
  const text = readSmall(path.join(trialFolder, "submission", "metrics.json"));
  try {
    return CutShort.safeParse(JSON.parse(text ?? "null")).success;
  } catch {
    return false;
  }
}

const TOPICS: [name: string, pattern: RegExp][] = [
  ["model", /\bmodel|\bapproach|\balgorithm/i],
  ["preprocessing or features", /pre-?process|feature/i],
  ["validation", /validat|\bcv\b|hold-?out/i],
  ["limitations", /limitation|caveat|weakness/i],
];
const MIN_CHARACTERS = 200;

/** `report.md`: long enough, and a heading or a paragraph's first line for each topic. */
export function readReportText(trialFolder: string): Artifact {
  const text = readSmall(path.join(trialFolder, "submission", "report.md"));
  if (text === null) return { state: "absent", problems: ["report.md: there is none"] };
  const problems: string[] = [];
  if (text.includes("\uFFFD")) problems.push("report.md: is not UTF-8");
  const characters = text.replace(/\s/g, "").length;
  if (characters < MIN_CHARACTERS)
    problems.push(`report.md: has ${characters} characters, ${MIN_CHARACTERS} are needed`);
  const lines = text.split(/\r?\n/);
  const leading = lines.filter((line, i) => line.startsWith("#") || i === 0 || lines[i - 1].trim() === "");
  for (const [name, pattern] of TOPICS)
    if (!leading.some((line) => pattern.test(line))) problems.push(`report.md: no section on ${name}`);
  return { state: problems.length === 0 ? "valid" : "invalid", problems };
}

/** Null for what is not a regular file, or larger than anybody writes by hand. */
function readSmall(file: string): string | null {
  try {
    const stats = fs.lstatSync(file);
    return stats.isFile() && stats.size <= MAX_BYTES ? fs.readFileSync(file, "utf8") : null;
  } catch {
    return null;
  }
}
