import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../../files/make-folder.ts";
import { type Tree, type TreeNode, treeOf, withoutTexts } from "../engine/tree.ts";
import { guardedLines, hiddenFile } from "./guarded-lines.ts";
import { readJournal } from "./read.ts";
import type { JournalHead, JournalStep } from "./schema.ts";

/** What the search does not hold in memory. */
export type StepTexts = Pick<JournalStep, "code" | "output">;

export interface Journal {
  head: JournalHead;
  tree(): Tree;
  /** Written before it returns, so that no kill undoes it; the disk follows, and a power cut costs the last steps. */
  append(step: JournalStep): TreeNode;
  /** As they were written, whatever programs have done to files since; null for a step that there is not. */
  texts(id: string): StepTexts | null;
  /** Puts the file right where a program has changed or removed it. True if it had to. */
  mend(): boolean;
  /** Whether steps of an earlier process were found. */
  resumed: boolean;
}

/** Fields by which two searches are the same one. */
const SAME = ["preset", "competition", "seed", "language", "measuredBy"] as const;

/**
 * Goes on with the journal that stands there, if it is of the same search; one of another is set aside, and so is one
 * that was damaged: the steps before the damage count. `scratch` is a folder for a copy that programs cannot reach.
 */
export async function openJournal(file: string, head: JournalHead, scratch: string): Promise<Journal> {
  makeFolder(path.dirname(file));
  // What a program has put in its place is no journal.
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) fs.renameSync(file, freeName(file));
  cutHalfLine(file);
  const read = await readJournal(file);
  const found = read.status === "read" ? read.head : null;
  const goesOn =
    found !== null &&
    SAME.every((name) => found[name] === head[name]) &&
    JSON.stringify(found.settings) === JSON.stringify(head.settings);
  const whole = read.status === "read" && read.doubts.length === 0;
  if (read.status !== "absent" && !(goesOn && whole)) fs.renameSync(file, freeName(file));
  const steps = read.status === "read" && goesOn ? (whole ? read.steps : untilGap(read.steps)) : [];
  const own = goesOn ? found : head;
  const copy = hiddenFile(scratch);
  const lines = guardedLines(file, copy);
  if (goesOn && whole) for (const line of [own, ...steps]) copy.add(textOf(line));
  else for (const line of [own, ...steps]) lines.add(textOf(line));
  const places = new Map(steps.map(({ id }, at) => [id, at + 1]));
  const nodes: TreeNode[] = steps.map(withoutTexts);
  let tree = treeOf(nodes);
  return {
    head: own,
    tree: () => tree,
    resumed: nodes.length > 0,
    append(step) {
      places.set(step.id, lines.add(textOf(step)));
      const node = withoutTexts(step);
      nodes.push(node);
      tree = treeOf(nodes);
      return node;
    },
    texts(id) {
      const place = places.get(id);
      if (place === undefined) return null;
      const { code, output } = JSON.parse(copy.line(place)) as JournalStep;
      return { code, output };
    },
    mend: lines.mend,
  };
}

const textOf = (line: object) => `${JSON.stringify(line)}\n`;

function untilGap(steps: readonly JournalStep[]): JournalStep[] {
  const gap = steps.findIndex(({ step }, at) => step !== at);
  return steps.slice(0, gap === -1 ? steps.length : gap);
}

function cutHalfLine(file: string): void {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return;
  const handle = fs.openSync(file, "r+");
  try {
    const piece = Buffer.alloc(1 << 16);
    for (let end = size; end > 0; ) {
      const from = Math.max(0, end - piece.length);
      const read = fs.readSync(handle, piece, 0, end - from, from);
      const at = piece.subarray(0, read).lastIndexOf(10);
      if (at !== -1) {
        fs.ftruncateSync(handle, from + at + 1);
        return;
      }
      end = from;
    }
    fs.ftruncateSync(handle, 0);
  } finally {
    fs.closeSync(handle);
  }
}

function freeName(file: string): string {
  for (let number = 1; ; number++) {
    const name = `${file.replace(/\.jsonl$/, "")}.${number}.jsonl`;
    if (!fs.existsSync(name)) return name;
  }
}
