export interface InstructionFacts {
  competitionId: string;
  timeLimit: string;
  memoryLimit: string | null;
  network: "none" | "allow-list" | "open";
  hasMaterials: boolean;
  /** Where the task's text lies. */
  description: string;
}

const NETWORKS: Record<InstructionFacts["network"], string> = {
  none: "There is no network.",
  "allow-list":
    "Only a few hosts can be reached, through the proxy that the usual environment variables name.",
  open: "There is a network.",
};

/** What every agent is told, whatever the competition. */
export function instructionsText(facts: InstructionFacts): string {
  const { competitionId, timeLimit, memoryLimit, network, hasMaterials, description } = facts;
  return `You are taking part in MLE-bench: machine-learning competitions, held offline. Yours is ${competitionId}.

What to do
  - Read the task in ${description}. Everything there is to know about the data lies in /home/data, read-only.
  - Train on the training data, predict the test data, and write your predictions to
    /home/submission/submission.csv. This one file is graded, whatever else the task's text says about how to submit.
  - It is graded by the competition's own metric, on labels you cannot see. The better the score the better.

Good to know
  - The training and test data were split anew from the competition's training data, so that names and numbers of
    files and rows may differ from the task's text.
  - Check your file as often as is useful: /home/validate_submission.sh /home/submission/submission.csv, or POST it as
    the form field "file" to the address in MLEBENCH_VALIDATE_URL. You learn whether the format is right, never a score.
  - You have ${timeLimit}${memoryLimit === null ? "" : ` and ${memoryLimit} of memory`}. The end is in /home/DEADLINE.txt and in MLEBENCH_DEADLINE_EPOCH, in seconds since 1970;
    GET /time beside the address above says how many are left. At the end you get SIGTERM, a little later SIGKILL.
  - The file that stands there at the end counts, so write an early one and replace it when you have a better one.
    Nothing is accepted after the deadline.
  - Put your code in /home/code and your logs in /home/logs; both are kept.
  - ${NETWORKS[network]}${hasMaterials ? "\n  - There is material to read in /home/materials." : ""}
  - Random numbers: use the seed in MLEBENCH_SEED.

What is not allowed
  - Labelling the test data by hand, or writing predictions from memory instead of from a model.
  - Using other people's solutions of this competition. Copied work is disqualified.
  - Looking for the answers or for the harness.

Where these lines and the task's text disagree, these lines count.
`;
}
