import fs from "node:fs";
import path from "node:path";
import type { LoadedCompetition } from "../../competitions/catalogue.ts";
import type { Competition } from "../../competitions/competition.ts";

/** Where things lie in a container of another harness: as in ours. */
export const PLACES = {
  data: "/home/data",
  submission: "/home/submission",
  code: "/home/code",
  logs: "/home/logs",
} as const;

/** What an agent is told that another harness starts: nothing of ours listens there, so it can ask nobody. */
export function instructionText(
  { id, metric }: Competition,
  timeSeconds: number,
  description: string | null,
): string {
  const hours = Number((timeSeconds / 3600).toPrecision(3));
  const { data, submission, code, logs } = PLACES;
  return `You are taking part in MLE-bench: machine-learning competitions, held offline. Yours is ${id}.

- Everything there is to know about the data lies in ${data}. It cannot be changed there.
- Train on the training data, predict the test data, and write your predictions to ${submission}/submission.csv. This one file is graded by the competition's own metric (${metric.name}, ${metric.direction}), whatever else the text below says about how to submit.
- The data were split anew from the competition's training data, so that names and numbers of files and rows may differ from the text.
- You have ${hours} hours and no network. Write an early submission and replace it when you have a better one: the file that stands there at the end counts.
- Put your code into ${code} and your logs into ${logs}; both are kept.

Not allowed: labelling the test data by hand, writing predictions from memory, using other people's solutions of this competition, looking for the answers.

${description ?? `The task's text is in ${data}/description.md, if there is one.`}
`;
}
/** What an agent of ours would read: the text that was prepared, else the competition's own; null without either. */
export function descriptionOf({ folder }: LoadedCompetition, publicFolder: string): string | null {
  const prepared = path.join(publicFolder, "description.md");
  const own = new URL("description.md", folder);
  const file = fs.existsSync(prepared) ? prepared : fs.existsSync(own) ? own : null;
  return file === null ? null : fs.readFileSync(file, "utf8");
}
