import path from "node:path";
import type { JournalStep } from "../agents/tree/journal/schema.ts";
import { journalIn, repliesOf } from "../analysis/journal/of-trial.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import { readTrial } from "../trials/trial/folder.ts";
import { isolationOf, isolationText } from "../trials/trial/isolation.ts";
import { NOT_A_MODEL } from "../wording/language-models.ts";
import { onePage, pageData } from "./one-page.ts";
import { type JournalPage, journalPage, stepPage } from "./routes/journal.ts";

export interface TreePageOptions {
  /** The trial's folder. */
  folder: string;
  file: string;
  /** Values that must not appear anywhere. */
  secrets: readonly string[];
}

export type TreePageOutcome =
  | { ok: true; steps: number; withoutText: number; bytes: number }
  | { ok: false; message: string };

/** Code, changes and output of the steps together; beyond it a page opens slowly. */
const MAX_TEXT_BYTES = 16 * 2 ** 20;

/** Writes the search of a trial as one page that needs nothing else: the viewer's own tree, with its data inside. */
export async function writeTreePage({ folder, file, secrets }: TreePageOptions): Promise<TreePageOutcome> {
  const read = await journalIn(folder);
  if (read.status === "absent")
    return { ok: false, message: `${folder} has no journal: its agent does not search, or keeps none.` };
  if (read.status === "unreadable") return { ok: false, message: `The journal of ${folder}: ${read.why}.` };
  if (read.steps.length === 0)
    return { ok: false, message: `The journal of ${folder} has no step that can be shown.` };
  const group = path.basename(path.dirname(path.resolve(folder)));
  const trial = path.basename(path.resolve(folder));
  const replies = repliesOf(folder);
  const page = journalPage(read, replies);
  const calls = [pageData("journal", { group, trial }, page)];
  let bytes = 0;
  let withoutText = 0;
  for (const step of bestFirst(read.steps, page)) {
    // What was said to models is not here, so that there is nothing a link could lead to.
    const text = pageData(
      "journal-step",
      { group, trial, step: step.id },
      { ...stepPage(step, replies), calls: [] },
    );
    bytes += Buffer.byteLength(text);
    if (bytes <= MAX_TEXT_BYTES) calls.push(text);
    else withoutText++;
  }
  const note = [
    ...marksOf(folder),
    ...(withoutText === 0 ? [] : [`The texts of ${withoutText} steps are too long for one file.`]),
  ].join(" ");
  const title = `${group} · ${trial}`;
  const text = onePage({ title, only: { tree: { group, trial } }, note, data: calls, secrets });
  writeFileAtomically(file, text);
  return { ok: true, steps: read.steps.length, withoutText, bytes: Buffer.byteLength(text) };
}

/** What has to stand beside the trial's values wherever they are shown. */
function marksOf(folder: string): string[] {
  const trial = readTrial(folder);
  if (trial === null) return [];
  const offline = trial.modelAccess?.roles.every(({ languageModel }) => languageModel) === false;
  const { policy } = trial.sandbox;
  const isOpen = policy !== null && !isolationOf(policy).isolated;
  return [
    ...(offline ? [`Its model was scripted, simulated or an echo: this is ${NOT_A_MODEL}.`] : []),
    ...(isOpen ? [`Its sandbox: ${isolationText(trial)}.`] : []),
  ];
}

/** The way to the best step comes first, so that it is there whatever is left out. */
function bestFirst(steps: readonly JournalStep[], { search }: JournalPage): JournalStep[] {
  const best = new Set(search.bestPath);
  return [...steps.filter(({ id }) => best.has(id)), ...steps.filter(({ id }) => !best.has(id))];
}
