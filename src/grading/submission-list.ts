/** A line of a submissions file. The path is null for a trial that left no submission. */
export interface ListedSubmission {
  line: number;
  competitionId: string;
  submissionPath: string | null;
}

export interface BrokenLine {
  line: number;
  message: string;
}

/**
 * Reads JSON Lines with `competition_id` and `submission_path`. Blank lines and lines that start with # or // are
 * comments. A broken line is reported and the others are read all the same.
 */
export function parseSubmissionList(text: string): { submissions: ListedSubmission[]; broken: BrokenLine[] } {
  const submissions: ListedSubmission[] = [];
  const broken: BrokenLine[] = [];
  text.split(/\r\n|\n|\r/).forEach((raw, position) => {
    const line = position + 1;
    const content = (line === 1 ? raw.replace(/^\uFEFF/, "") : raw).trim();
    if (content === "" || content.startsWith("#") || content.startsWith("//")) return;
    const entry = parseLine(content);
    if (typeof entry === "string") broken.push({ line, message: `Line ${line}: ${entry}` });
    else submissions.push({ line, ...entry });
  });
  return { submissions, broken };
}

function parseLine(content: string): Omit<ListedSubmission, "line"> | string {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    return `not JSON (${(error as Error).message}).`;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "not a JSON object.";
  const { competition_id: competitionId, submission_path: submissionPath = null } = value as Record<
    string,
    unknown
  >;
  if (typeof competitionId !== "string") return `"competition_id" must be a string.`;
  if (submissionPath !== null && typeof submissionPath !== "string")
    return `"submission_path" must be a string or null.`;
  return { competitionId, submissionPath };
}
