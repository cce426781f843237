import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../../files/write-file.ts";
import { disguiseText, type TextRules, wordPattern } from "./text.ts";

/** A task's text in a model's words: made once, kept by the digest of what was asked. */
export const RewrittenText = z.looseObject({
  schema: z.literal("mlebench/rewritten-description"),
  version: z.literal(1),
  /** Over the rules' own text, the prompt and the model's name. */
  digest: z.string(),
  model: z.string(),
  /** False: a scripted or simulated model wrote it. */
  languageModel: z.boolean(),
  time: z.string(),
  /** Words of the competition that the model brought back; the rules took them out again. */
  broughtBack: z.array(z.string()),
  sha256: z.string(),
  text: z.string(),
});
export type RewrittenText = z.infer<typeof RewrittenText>;

/** Changes whenever the prompt does. */
const PROMPT_VERSION = 1;
const MAX_TRIES = 3;
const PROMPT = `Rewrite this description of a prediction task so that nobody recognises where it is from. Use other words and another framing; change no fact that is needed to solve the task. Keep every file name, column name, value and example in backticks or code blocks exactly as it is, keep the metric and the submission format, keep it Markdown. Name no company, person, place, data set, website or competition. Answer with the new description and nothing else.`;

/** What was asked of which model; the same question is never paid for twice. */
export function rewriteDigest(plain: string, model: string): string {
  return sha256(JSON.stringify([PROMPT_VERSION, PROMPT, model, plain]));
}

export type RewriteOutcome =
  | { status: "rewritten"; text: string; broughtBack: string[] }
  | { status: "failed"; message: string };

/**
 * Asks a model for the text in other words, and again if names of files or columns got lost. What the rules remove is
 * removed from its answer as well: a model may remember what it was not told.
 */
export async function rewriteText(
  ask: (prompt: string) => Promise<string | { message: string }>,
  plain: string,
  { words }: Pick<TextRules, "words">,
): Promise<RewriteOutcome> {
  const needed = namesIn(plain);
  let lost: string[] = [];
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const again = lost.length === 0 ? "" : `\n\nYour last answer left these out: ${lost.join(", ")}`;
    const answer = await ask(`${PROMPT}${again}\n\n<description>\n${plain}\n</description>`);
    if (typeof answer !== "string") return { status: "failed", message: answer.message };
    const said = answer.replace(/<\/?description>/g, "").trim();
    const broughtBack = words.filter((word) => wordPattern(word).test(said));
    const text = disguiseText(`${said}\n`, { words, columns: new Map(), files: new Map() });
    lost = needed.filter((name) => !text.includes(name));
    if (lost.length === 0 && said !== "") return { status: "rewritten", text, broughtBack };
  }
  return {
    status: "failed",
    message: `after ${MAX_TRIES} answers these names were still missing: ${lost.slice(0, 5).join(", ")}`,
  };
}

/** What must come back as it is: everything in backticks, and the lines of code blocks. */
function namesIn(text: string): string[] {
  const blocks = [...text.matchAll(/```[^\n]*\n([\s\S]*?)```/g)].flatMap(([, block]) => block.split("\n"));
  const spans = [...text.replace(/```[\s\S]*?```/g, "").matchAll(/`([^`\n]+)`/g)].map(([, span]) => span);
  return [...new Set([...blocks, ...spans].map((name) => name.trim()).filter(Boolean))];
}

const fileOf = (place: string, digest: string) => path.join(textFolder(place, digest), "text.json");

/** Where a text lies, with the ledger of what it cost: `<data>/<id>/disguised/texts/<digest>`. */
export function textFolder(place: string, digest: string): string {
  return path.join(place, "texts", digest.slice(0, 16));
}

/** Null where it was never made, was damaged or changed: what counts is the hash it was written with. */
export function readRewritten(place: string, digest: string): RewrittenText | null {
  try {
    const read = RewrittenText.parse(JSON.parse(fs.readFileSync(fileOf(place, digest), "utf8")));
    return read.digest === digest && read.sha256 === sha256(read.text) ? read : null;
  } catch {
    return null;
  }
}

export function keepRewritten(
  place: string,
  made: Pick<RewrittenText, "digest" | "model" | "languageModel" | "text"> & { broughtBack: string[] },
): RewrittenText {
  const record: RewrittenText = {
    schema: "mlebench/rewritten-description",
    version: 1,
    ...made,
    time: new Date().toISOString(),
    sha256: sha256(made.text),
  };
  writeFileAtomically(fileOf(place, made.digest), `${JSON.stringify(record, null, 2)}\n`);
  return record;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
