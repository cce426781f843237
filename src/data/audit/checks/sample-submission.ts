import fs from "node:fs";
import path from "node:path";
import type { Competition } from "../../../competitions/competition.ts";
import { agreement } from "../agreement.ts";
import { type Answers, ID_SEPARATOR } from "../answers.ts";
import { type AuditContext, NO_ANSWERS, type Skipped } from "../audit-context.ts";
import type { Finding } from "../audit-schema.ts";
import { plainCell } from "../reading/plain-cell.ts";
import { readRecords } from "../reading/record-stream.ts";

/** The sample submission as far as it matters here. */
interface Sample {
  file: string;
  columns: string[];
  ids: Set<string>;
  /** The first cells of each column that is not an id, and the rows of the answers they belong to. */
  cells: Map<string, string[]>;
  answerRows: number[];
  values: Map<string, Set<string>>;
}

const MAX_IDS = 3_000_000;
const MAX_CLASSES = 100;
const SOME_REPEAT = 0.7;

/** A sample submission that is missing from public, or disagrees with the answers in its ids, columns or classes, or is them. */
export function findSampleProblems(context: AuditContext): Finding[] | Skipped {
  const { loaded, answers, privateFolder, publicFolder } = context;
  const { competition } = loaded;
  const name = path.basename(competition.files.sampleSubmission);
  const found = context.files.find(
    ({ path: file, location }) => location?.startsWith(publicFolder) && path.basename(file) === name,
  );
  const hidden = path.join(privateFolder, name);
  const location = found?.location ?? (fs.existsSync(hidden) ? hidden : null);
  const findings = found === undefined ? [missingSample(name, location !== null)] : [];
  if (location === null) return findings;
  if (answers === null) return findings.length > 0 ? findings : NO_ANSWERS;
  const sample = readSample(
    location,
    found?.path ?? `../private/${name}`,
    answers,
    context.limits.answerRows,
  );
  if (sample === null)
    return [
      ...findings,
      defect(name, "it is not a table with a header", "The sample submission cannot be read."),
    ];
  return [
    ...findings,
    ...idFindings(sample, answers, context),
    ...columnFindings(sample, answers, context),
    ...classFindings(sample, answers, competition),
    ...answerFindings(sample, context),
  ];
}

function missingSample(name: string, inPrivate: boolean): Finding {
  const where = inPrivate ? "it lies in the private folder only" : "there is none";
  return {
    ...defect(
      name,
      `no file ${name} in public/: ${where}`,
      "The sample submission is not in public: an agent never sees it.",
    ),
    nextStep: `Write ${name} to public/ as well when preparing.`,
  };
}

function readSample(location: string, file: string, answers: Answers, mostRows: number): Sample | null {
  let sample: Sample | null = null;
  readRecords(location, file, Number.POSITIVE_INFINITY, (columns, part) => {
    if (part !== "") return null;
    const positions = answers.idColumns.map((name) => columns.indexOf(name));
    const others = columns.filter((name) => !answers.idColumns.includes(name));
    const empty = <T>(make: () => T) => new Map(others.map((name) => [name, make()]));
    const read: Sample = {
      file,
      columns,
      ids: new Set(),
      cells: empty(() => [] as string[]),
      answerRows: [],
      values: empty(() => new Set<string>()),
    };
    sample = read;
    return (cells) => {
      const id = positions.includes(-1) ? "" : positions.map((at) => cells[at]).join(ID_SEPARATOR);
      read.ids.add(plainCell(id));
      const row = answers.find(id);
      for (const [name, values] of read.values)
        if (values.size <= MAX_CLASSES) values.add(cells[columns.indexOf(name)]);
      if (row !== undefined && read.answerRows.length < mostRows) {
        read.answerRows.push(row);
        for (const [name, list] of read.cells) list.push(cells[columns.indexOf(name)]);
      }
      return read.ids.size < MAX_IDS;
    };
  });
  return sample;
}

function idFindings(sample: Sample, answers: Answers, context: AuditContext): Finding[] {
  const absent = answers.idColumns.filter((name) => !sample.columns.includes(name));
  if (absent.length > 0 || answers.idColumns.length === 0) return [];
  const gold = goldIds(answers.idColumns, context);
  const wanted = gold ?? new Set(answers.ids.map(plainCell));
  const missing = [...wanted].filter((id) => !sample.ids.has(id));
  // Of answers that were read in part nothing can be said about what they lack.
  const surplus = gold !== null || answers.complete ? [...sample.ids].filter((id) => !wanted.has(id)) : [];
  if (missing.length === 0 && surplus.length === 0) return [];
  const some = (ids: string[]) =>
    ids.length === 0 ? "" : ` (such as ${ids[0].replaceAll(ID_SEPARATOR, ", ")})`;
  const what = `${missing.length} ids of the answers are missing${some(missing)}, ${surplus.length} are not in the answers${some(surplus)}`;
  return [
    {
      ...defect(sample.file, what, "The ids of the sample submission are not those of the answers."),
      evidence: { what, column: answers.idColumns.join(", "), measuredOn: wanted.size },
    },
  ];
}

/** Where the answers are not themselves a submission, a perfect submission lies beside them, and its ids count. */
function goldIds(idColumns: readonly string[], { loaded, privateFolder }: AuditContext): Set<string> | null {
  const { goldSubmission } = loaded.competition.files;
  if (goldSubmission === undefined) return null;
  const ids = new Set<string>();
  const location = path.join(privateFolder, path.basename(goldSubmission));
  readRecords(location, goldSubmission, Number.POSITIVE_INFINITY, (columns) => {
    const positions = idColumns.map((name) => columns.indexOf(name));
    if (positions.includes(-1)) return null;
    return (cells) => {
      ids.add(plainCell(positions.map((at) => cells[at]).join(ID_SEPARATOR)));
      return ids.size < MAX_IDS;
    };
  });
  return ids.size === 0 ? null : ids;
}

/** Label columns that train and answers have and the sample lacks, recognised by holding 0 and 1 as the others do. */
function columnFindings(sample: Sample, answers: Answers, { loaded, tables }: AuditContext): Finding[] {
  const { id, target } = loaded.competition.columns;
  const required = [...id, ...target].filter((name) => !sample.columns.includes(name));
  const flags = (name: string) => {
    const domain = [...(answers.domains.get(name) ?? [])].map(plainCell);
    return domain.length > 0 && domain.every((value) => value === "0" || value === "1");
  };
  const asked = target.filter((name) => sample.columns.includes(name));
  const trained = new Set(tables.filter(({ role }) => role === "train").flatMap(({ columns }) => columns));
  const given = new Set(tables.filter(({ role }) => role === "test").flatMap(({ columns }) => columns));
  const unasked =
    asked.length >= 3 && asked.every(flags)
      ? answers.header.filter(
          (name) => !sample.columns.includes(name) && trained.has(name) && !given.has(name) && flags(name),
        )
      : [];
  const lacking = [...new Set([...required, ...unasked])];
  if (lacking.length === 0) return [];
  const what = `it has ${sample.columns.length} columns and lacks ${lacking.map((name) => `"${name}"`).join(", ")}`;
  return [
    {
      ...defect(sample.file, what, "The columns of the sample submission differ from the label columns."),
      evidence: { what, column: lacking[0], measuredOn: lacking.length },
      nextStep:
        "Write the sample submission with all label columns, or drop the others from train and answers.",
    },
  ];
}

function classFindings(sample: Sample, answers: Answers, { columns }: Competition): Finding[] {
  return columns.target.flatMap((name) => {
    const asked = sample.values.get(name);
    const cells = answers.columns.get(name)?.cells;
    if (asked === undefined || cells === undefined || asked.size > MAX_CLASSES) return [];
    const classes = new Set(cells);
    const areLabels =
      classes.size <= Math.min(MAX_CLASSES, SOME_REPEAT * cells.length) &&
      [...classes, ...asked].every((label) => /^\p{L}[^\d]*$/u.test(label));
    // One label for all rows, if it is a class at all, is a placeholder that says nothing about the others.
    const placeholder = asked.size === 1 && [...asked].every((label) => classes.has(label));
    const unknown = [...classes].filter((label) => !asked.has(label));
    if (!areLabels || placeholder || unknown.length === 0) return [];
    const affected = cells.filter((label) => !asked.has(label)).length;
    const what = `${unknown.length} classes of the answers (${unknown.slice(0, 5).join(", ")}${unknown.length > 5 ? ", …" : ""}) are not among the ${asked.size} of the sample submission (${[...asked].slice(0, 5).join(", ")}${asked.size > 5 ? ", …" : ""})`;
    const finding: Finding = {
      ...defect(sample.file, what, "The answers hold classes that the sample submission does not know."),
      evidence: { what, column: name, figure: affected / cells.length, measuredOn: cells.length },
      nextStep: "Map the answers to the classes of the task when preparing.",
    };
    return [finding];
  });
}

function answerFindings(sample: Sample, { targets }: AuditContext): Finding[] {
  return targets.flatMap(({ name, cells }) => {
    const given = sample.cells.get(name);
    if (given === undefined || given.length === 0) return [];
    const found = agreement(
      given,
      sample.answerRows.map((row) => cells[row]),
    );
    if (found.beyondChance < 0.98 || found.bits < 4) return [];
    const what = `column "${name}" equals the answers in ${(found.share * 100).toFixed(1)} % of the rows`;
    const finding: Finding = {
      ...defect(sample.file, what, "The sample submission contains the answers."),
      severity: "leak",
      evidence: { what, column: name, row: 1, figure: found.share, measuredOn: found.rows },
      nextStep: "Fill the sample submission with a constant or with random values when preparing.",
    };
    return [finding];
  });
}

function defect(file: string, what: string, message: string): Finding {
  return {
    check: "sample-submission",
    severity: "defect",
    file,
    evidence: { what },
    message,
    nextStep: "Write the sample submission from the ids of the answers when preparing.",
  };
}
