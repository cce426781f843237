import fs from "node:fs";
import path from "node:path";
import type { AskModel } from "../../../agents/kit/model-client.ts";
import { readWindow } from "../../../files/window.ts";
import { trialPaths } from "../../../trials/trial/folder.ts";
import type { Finding } from "../../findings/schema.ts";
import { sourceFiles } from "../../plagiarism/source-files.ts";
import {
  asEvidence,
  binarise,
  chunksOf,
  combine,
  type Material,
  PREAMBLES,
  QUESTIONS,
  type Question,
} from "./questions.ts";

export interface JudgedQuestion {
  question: Question;
  /** Every part's answer; empty when there was nothing to ask about. */
  text: string;
  verdict: boolean | null;
  /** Why some part was not answered. */
  problems: string[];
}

export interface JudgedTrial {
  trial: string;
  competitionId: string;
  submissionPath: string | null;
  answers: JudgedQuestion[];
}

/** Parts of one trial; of more, the beginning and the end are asked about, and the answer says so. */
const MAX_CHUNKS = 8;
/** Of one file, from its beginning and again from its end. */
const MAX_BYTES = 2 ** 20;
const MAX_FILES = 200;

/** Asks the three questions about one trial. What the model does not answer is null, never a guess. */
export async function judgeTrial(
  ask: AskModel,
  { trial, competitionId, folder }: { trial: string; competitionId: string; folder: string },
): Promise<JudgedTrial> {
  const materials: Record<Material, Joined> = { logs: logsOf(folder), code: codeOf(folder) };
  const answers: JudgedQuestion[] = [];
  for (const question of QUESTIONS) {
    const { text: whole, left } = materials[question.material];
    const all = chunksOf(whole);
    const chunks = someOf(all);
    const texts: string[] = [];
    const unasked = [...left];
    if (all.length > chunks.length)
      unasked.push(`${all.length - chunks.length} of ${all.length} parts were not asked about`);
    const problems = [...unasked];
    const verdicts: (boolean | null)[] = [];
    for (const chunk of chunks) {
      const answer = await ask(
        [
          { role: "system", content: PREAMBLES[question.material] },
          { role: "user", content: asEvidence(chunk) },
          { role: "system", content: question.text },
        ],
        [],
      );
      if (answer.status === "answered") {
        texts.push(answer.text);
        verdicts.push(binarise(answer.text));
      } else {
        problems.push(answer.message);
        verdicts.push(null);
      }
    }
    const said = combine(verdicts);
    // A part that nobody was asked about is not cleared by the others.
    const verdict = said === false && unasked.length > 0 ? null : said;
    answers.push({ question, text: texts.join("\n\n"), verdict, problems });
  }
  const submission = path.join(trialPaths(folder).submission, "submission.csv");
  return { trial, competitionId, submissionPath: fs.existsSync(submission) ? submission : null, answers };
}

/** What the judge calls a broken rule; a person decides. */
export function judgeFindings({ trial, answers }: JudgedTrial): Finding[] {
  return answers
    .filter(({ verdict }) => verdict === true)
    .map(({ question, text }) => ({
      trial,
      check: "judge",
      kind: question.id
        .toLowerCase()
        .replace(/_question$/, "")
        .replaceAll("_", "-"),
      severity: "suspicious",
      sentence: `A model says yes to: ${question.text.split("? ")[0]}?`,
      evidence: [{ file: question.material, line: null, quotation: text }],
      explained: null,
    }));
}

function someOf(chunks: readonly string[]): readonly string[] {
  if (chunks.length <= MAX_CHUNKS) return chunks;
  return [...chunks.slice(0, MAX_CHUNKS / 2), ...chunks.slice(-MAX_CHUNKS / 2)];
}

function logsOf(folder: string): Joined {
  const { stdout, stderr, runLog, logs } = trialPaths(folder);
  const streams = [stdout, stderr].filter((file) => fs.existsSync(file));
  const own = fs.existsSync(logs)
    ? fs
        .readdirSync(logs, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => path.join(logs, name))
    : [];
  const files = [
    ...(streams.length > 0 ? streams : [runLog]),
    ...own.filter((name) => /\.(log|txt|jsonl?|md)$/i.test(name)),
  ];
  return joined(files.map((file) => ({ name: path.relative(folder, file), path: file })));
}

function codeOf(folder: string): Joined {
  const { files, notes } = sourceFiles(trialPaths(folder).code);
  const { text, left } = joined(files);
  return { text, left: [...notes, ...left] };
}

interface Joined {
  text: string;
  /** What is not in it. */
  left: string[];
}

/** Each behind a line with its name, as the original joins them. */
function joined(files: readonly { name: string; path: string }[]): Joined {
  const left = files.length > MAX_FILES ? [`${files.length - MAX_FILES} files were not shown to it`] : [];
  const parts = files.slice(0, MAX_FILES).flatMap((file) => {
    const head = readWindow(file.path, 0, MAX_BYTES);
    if (head === null || head.size === 0) return [];
    const end = head.size > MAX_BYTES ? readWindow(file.path, "end", MAX_BYTES) : null;
    if (end !== null && head.size > 2 * MAX_BYTES)
      left.push(`of ${file.name} only the first and the last megabyte were shown to it`);
    const from = end === null ? 0 : Math.max(0, head.to - end.from);
    const text = `${head.bytes.toString("utf8")}${end?.bytes.toString("utf8", from) ?? ""}`;
    return [`=== ${file.name} ===\n${text}`];
  });
  return { text: parts.join("\n\n"), left };
}
