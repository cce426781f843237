import { z } from "zod";
import { issueTexts } from "../wording/issues.ts";

const Name = z.string().min(1, "a string that is not empty");
const IsoDate = z.string().nullable();
const Columns = z.union([z.array(z.string()), z.custom<() => Iterable<string>>(isFunction)], {
  error: "a list of column names, or a function of the header",
});

const Grader = z.looseObject(
  {
    submission: Columns,
    keys: Columns,
    values: Columns,
    rounding: z.enum(["python", "numpy", "none"]),
    check: z.custom(isFunction, "a function"),
    score: z.custom(isFunction, "a function"),
    pairs: z.custom(isFunction, "a function").optional(),
    readAnswers: z.custom(isFunction, "a function").optional(),
  },
  { error: "what defineGrader, binaryAuc or another shape returns" },
);

const Files = z.strictObject({ answers: Name, sampleSubmission: Name, goldSubmission: Name.optional() });

/** A competition that a user wrote, checked before anything is done with it. */
const ExternalCompetition = z.strictObject({
  id: Name,
  name: Name,
  category: Name,
  complexity: z.enum(["low", "medium", "high", "dev", "starter"]),
  contest: z.enum(["simple", "code"]),
  dataSizeGB: z.number().nullable(),
  opened: IsoDate,
  closed: IsoDate,
  metric: z.strictObject({ name: Name, direction: z.enum(["maximize", "minimize"]) }),
  columns: z.strictObject({ id: z.array(z.string()), target: z.array(z.string()) }),
  files: Files,
  shippedRaw: Name.optional(),
  sampleScore: z.number().optional(),
  errata: z
    .array(z.object({ defect: z.string(), v2: z.string(), corrects: z.enum(["data", "grader", "nothing"]) }))
    .optional(),
  grade: Grader,
  versions: z.object({ v2: z.object({ grade: Grader.optional() }).optional() }).optional(),
});

/** What is wrong with it, one sentence each; empty when nothing is. */
export function competitionProblems(value: unknown): string[] {
  const parsed = ExternalCompetition.safeParse(value);
  if (parsed.success) return [];
  return issueTexts(parsed.error, value, Object.keys(ExternalCompetition.shape));
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}
