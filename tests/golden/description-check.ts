import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What the catalogue knows of a competition and its description must agree with. */
export interface DescribedFacts {
  name: string;
  lowerIsBetter: boolean;
  idColumns: string[];
  targetColumns: string[];
  files: { sampleSubmission: string | null };
}

/** The public files a preparation leaves behind, and every name a reader may meet inside them. */
export interface PublicTree {
  paths: string[];
  columns: Set<string>;
  sampleHeader: string[] | null;
}

const sectionNames = ["Task", "Files", "Metric", "Submission format"] as const;
type SectionName = (typeof sectionNames)[number];

/**
 * The public tree of one golden preparation. Columns are only known for the texts kept under `expected/`:
 * names inside an archive or a binary file copied unchanged cannot be checked, so they must not be code spans.
 */
export function publicTree(goldenFolder: string, sampleSubmission: string | null): PublicTree {
  const expected = JSON.parse(readFileSync(join(goldenFolder, "expected.json"), "utf8")) as {
    public: Record<string, { members?: Record<string, string>; parquet?: { columns: { name: string }[] } }>;
  };
  const paths: string[] = [];
  const columns = new Set<string>();
  for (const [path, entry] of Object.entries(expected.public)) {
    paths.push(path, ...Object.keys(entry.members ?? {}).map((member) => `${path}/${member}`));
    for (const column of entry.parquet?.columns ?? []) columns.add(column.name);
  }
  const texts = join(goldenFolder, "expected");
  for (const file of filesBelow(join(texts, "public"))) {
    for (const name of namesInside(file)) columns.add(name);
  }
  return { paths, columns, sampleHeader: readSampleHeader(texts, sampleSubmission) };
}

/** Every rule that one description breaks, in words its author can act on. */
export function descriptionProblems(text: string, facts: DescribedFacts, tree: PublicTree): string[] {
  const problems: string[] = [];
  const title = text.split("\n", 1)[0];
  if (title !== `# ${facts.name.trim()}`) problems.push(`the first line must be "# ${facts.name.trim()}"`);
  if (/\bpandas\b|prepared\/private/i.test(text)) problems.push("mentions pandas or the private folder");

  const sections = readSections(text);
  if (sections === null) return [...problems, `the sections must be exactly: ${sectionNames.join(", ")}`];
  problems.push(...filesProblems(sections.Files, tree));
  problems.push(...metricProblems(sections.Metric, facts.lowerIsBetter));
  problems.push(...exampleProblems(sections["Submission format"], facts, tree.sampleHeader));
  return problems;
}

/** Sentences of more than 60 characters that stand in more than one description, with the ids they stand in. */
export function repeatedSentences(texts: ReadonlyMap<string, string>): { sentence: string; ids: string[] }[] {
  const seen = new Map<string, Set<string>>();
  for (const [id, text] of texts) {
    for (const sentence of longSentences(text)) {
      seen.set(sentence, (seen.get(sentence) ?? new Set()).add(id));
    }
  }
  return [...seen]
    .filter(([, ids]) => ids.size > 1)
    .map(([sentence, ids]) => ({ sentence, ids: [...ids].sort() }));
}

function longSentences(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?```/g, "\n\n");
  const blocks = prose.split(/\n\s*\n|\n(?=\s*(?:[-*#|]|\d+\.)\s)/);
  return blocks
    .flatMap((block) =>
      block
        .replace(/^\s*(?:[-*]|\d+\.)\s/, "")
        .replace(/\s+/g, " ")
        .split(/(?<=[.!?:])\s+/),
    )
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 60);
}

function readSections(text: string): Record<SectionName, string> | null {
  const [, ...parts] = text.split(/^## /m);
  const found = parts.map((part) => {
    const end = part.indexOf("\n");
    return end < 0 ? { name: part, body: "" } : { name: part.slice(0, end), body: part.slice(end + 1) };
  });
  if (found.map(({ name }) => name).join("\n") !== sectionNames.join("\n")) return null;
  return Object.fromEntries(found.map(({ name, body }) => [name, body])) as Record<SectionName, string>;
}

function filesProblems(body: string, tree: PublicTree): string[] {
  const problems: string[] = [];
  const mentioned = new Set<string>();
  for (const [, span = ""] of body.matchAll(/`([^`]+)`/g)) {
    const pattern = pathPattern(span);
    const matches = tree.paths.filter((path) => pattern.test(path));
    for (const path of matches) mentioned.add(family(path, tree.paths));
    if (matches.length === 0 && !tree.columns.has(span)) {
      problems.push(`Files: \`${span}\` is neither a public file nor a column of one`);
    }
  }
  const families = new Set(tree.paths.map((path) => family(path, tree.paths)));
  for (const name of families) {
    if (!mentioned.has(name)) problems.push(`Files: nothing names ${name}`);
  }
  return problems;
}

/** A file family is a top-level file, or the files of one extension below a top-level folder. */
function family(path: string, paths: readonly string[]): string {
  const top = path.split("/", 1)[0]!;
  if (top === path || paths.includes(top)) return top;
  return `${top}/**${/\.[^./]+$/.exec(path)?.[0] ?? ""}`;
}

/** `<text>` and `*` stand for any text within one path segment, `**` for any depth; a final `/` means the whole folder. */
function pathPattern(span: string): RegExp {
  const source = span
    .replace(/<[^<>]+>/g, "*")
    .replace(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*|\*/g, (star) => (star === "**" ? ".+" : "[^/]+"));
  return new RegExp(`^${source}${span.endsWith("/") ? ".+" : ""}$`);
}

function metricProblems(body: string, lowerIsBetter: boolean): string[] {
  const opening = body.trimStart().split("\n", 1)[0] ?? "";
  const direction = /^\*\*[^*]+, (higher|lower) is better\.\*\*/.exec(opening)?.[1];
  if (direction === undefined) return ['Metric: must begin with "**<name>, higher|lower is better.**"'];
  if ((direction === "lower") !== lowerIsBetter) return [`Metric: ${direction} is the wrong direction`];
  return [];
}

function exampleProblems(body: string, facts: DescribedFacts, sampleHeader: string[] | null): string[] {
  const fences = [...body.matchAll(/^```csv\n([\s\S]*?)^```$/gm)];
  const example = fences[0]?.[1];
  if (example === undefined || fences.length > 1)
    return ["Submission format: needs exactly one ```csv block"];
  const [header = [], ...rows] = example.trimEnd().split("\n").map(csvFields);
  const problems: string[] = [];
  for (const column of header) {
    if (sampleHeader !== null && !sampleHeader.includes(column)) {
      problems.push(`Submission format: column ${column} is not in the sample submission`);
    }
  }
  for (const column of [...facts.idColumns, ...facts.targetColumns]) {
    if (!header.includes(column)) problems.push(`Submission format: the example lacks column ${column}`);
  }
  if (rows.length < 1 || rows.length > 4) problems.push("Submission format: show 1 to 4 example rows");
  if (rows.some((row) => row.length !== header.length)) {
    problems.push("Submission format: an example row has another number of fields than the header");
  }
  return problems;
}

function readSampleHeader(texts: string, sampleSubmission: string | null): string[] | null {
  if (sampleSubmission === null) return null;
  const path = join(texts, sampleSubmission.replace(/^prepared\//, ""));
  const found = [path, `${path}.head`].find((candidate) => existsSync(candidate));
  return found === undefined ? null : csvFields(firstLine(readFileSync(found, "utf8")));
}

function namesInside(file: string): string[] {
  const kind = /\.(csv|tsv|txt|json|jsonl|geojson)(\.head)?$/.exec(file)?.[1];
  if (kind === undefined) return [];
  const text = readFileSync(file, "utf8");
  if (kind.endsWith("json") || kind === "jsonl") {
    // A `.head` is cut off in the middle, so the keys are found by their shape, not by parsing.
    return [...text.matchAll(/"((?:[^"\\]|\\.)*)"\s*:/g)].map((match) => match[1]!);
  }
  const line = firstLine(text);
  return kind === "csv" || !line.includes("\t") ? csvFields(line) : line.split("\t");
}

function firstLine(text: string): string {
  return text.replace(/^\uFEFF/, "").split(/\r?\n/, 1)[0]!;
}

function csvFields(line: string): string[] {
  const fields = [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)];
  return fields.map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "");
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
