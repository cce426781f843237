import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { LoadedCompetition } from "../../competitions/catalogue.ts";
import { regularFiles } from "../../files/folder-digest.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { fileNames } from "./file-names.ts";
import { columnNames, disguiseFolder, sampleHeader } from "./folder.ts";
import { renameHeader } from "./header.ts";
import { disguiseText, type TextRules, wordsOf } from "./text.ts";

/** A competition as an agent sees it that shall not recognise it. */
export interface Disguise {
  /** In place of the competition's id. */
  name: string;
  /** In place of its public folder; the task's text lies in it. */
  publicFolder: string;
  /** Over the rules and the data they were applied to. */
  digest: string;
  /** The model in whose words the text is; null for the rules' own. */
  rewrittenBy: string | null;
  /** What is said to the agent, such as what is wrong with its file. */
  toAgent(text: string): string;
  /** The header of a submission, as the grader knows it. */
  undoHeader(line: string): string;
}

/** Changes whenever the rules do: what was made with others is made again. */
const RULES_VERSION = 3;

export interface DisguiseRequest {
  loaded: LoadedCompetition;
  publicFolder: string;
  /** The digest of that folder. */
  data: string;
  /** Where texts in a model's words are kept: `<data>/<id>/disguised`. */
  place: string;
  /** Where disguised data are kept. A sandbox can see where its folders are from: no competition's id is in this place. */
  shelf: string;
  /** The task's text, where the data have none of their own. */
  description: string | null;
  /** The text in a model's words, in place of the rules' own. */
  rewritten?: { text: string; model: string } | null;
}

type Source = Pick<DisguiseRequest, "loaded" | "publicFolder" | "description">;

/** The rules of a competition, applied to its text and not yet to its data. */
export function disguisedText({ loaded, publicFolder, description }: Source) {
  const { id, name: title, files } = loaded.competition;
  const sampleName = path.basename(files.sampleSubmission);
  const words = wordsOf(id, title);
  const rules: TextRules = {
    words,
    columns: columnNames(publicFolder, sampleName),
    files: fileNames(regularFiles(publicFolder), words),
  };
  const inData = path.join(publicFolder, "description.md");
  const own = fs.existsSync(inData) ? fs.readFileSync(inData, "utf8") : description;
  return { rules, sampleName, own, text: own === null ? null : disguiseText(own, rules) };
}

/** Makes, or finds, the disguised data of a competition. A kill leaves nothing that a later run would take for whole. */
export async function makeDisguise(request: DisguiseRequest): Promise<Disguise> {
  const { publicFolder, shelf, rewritten = null } = request;
  const { rules, sampleName, own, text } = disguisedText(request);
  const sample = sampleHeader(publicFolder, sampleName);
  const content = {
    version: RULES_VERSION,
    data: request.data,
    words: rules.words,
    columns: [...rules.columns],
    files: [...rules.files],
    text: own,
    ...(rewritten === null ? {} : { rewritten: rewritten.text }),
  };
  const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
  const folder = path.join(shelf, digest.slice(0, 16));
  if (!fs.existsSync(folder))
    await build(folder, { publicFolder, rules, sample, text: rewritten?.text ?? text });
  const back = new Map([...rules.columns].map(([real, shown]) => [shown, real]));
  return {
    // Not from the id alone: whoever knows all ids could find it again.
    name: `task-${digest.slice(-6)}`,
    publicFolder: folder,
    digest,
    rewrittenBy: rewritten?.model ?? null,
    toAgent: (said) => disguiseText(`\`${said}\``, rules).slice(1, -1),
    undoHeader: (line) => renameHeader(line, back),
  };
}

async function build(
  folder: string,
  {
    publicFolder,
    rules,
    sample,
    text,
  }: { publicFolder: string; rules: TextRules; sample: string; text: string | null },
): Promise<void> {
  const draft = `${folder}.${process.pid}.partial`;
  fs.rmSync(draft, { recursive: true, force: true });
  makeFolder(draft);
  await disguiseFolder(publicFolder, draft, { ...rules, sample });
  if (text !== null) fs.writeFileSync(path.join(draft, "description.md"), text);
  try {
    fs.renameSync(draft, folder);
  } catch (error) {
    // Another run of the same group may have been quicker.
    if (!fs.existsSync(folder)) throw error;
    fs.rmSync(draft, { recursive: true, force: true });
  }
}
